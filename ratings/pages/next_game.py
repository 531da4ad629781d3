"""Whether a player's next game of a club night or tournament has begun while they read a result."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.api import Player, player_of
from ratings.models import ClubNight, Entrant, Event, EventEntrant
from ratings.standard import seated


def is_expected(player: Player) -> bool:
    """Whether a player takes part in a night or tournament that is under way."""
    nights = Entrant.objects.filter(
        player=player, absent=False, night__state=ClubNight.State.RUNNING
    )
    events = EventEntrant.objects.filter(
        player=player, computer=False, absent=False, event__state=Event.State.RUNNING
    )
    return nights.exists() or events.exists()


@never_cache
@require_safe
def next_game(request: HttpRequest, match: str) -> JsonResponse:
    """Return the address of the reader's running table, "" for none, and whether to ask again.

    ``match`` is the public id of the match whose result they read.
    """
    player = player_of(request)
    if player is None:
        raise Http404
    table = seated.table_of(player)
    begun = table is not None and table.public_id != match
    address = reverse("games:table", args=[table.public_id]) if table and begun else ""
    return JsonResponse({"table": address, "waits": not begun and is_expected(player)})
