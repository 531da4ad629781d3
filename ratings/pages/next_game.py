"""Whether a player's next game of a club night or tournament has begun while they sit elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.api import Player, player_of
from ratings.models import ClubNight, Entrant, Event, EventEntrant
from ratings.standard import seated

SOON = timedelta(hours=6)
"""How long before its start a night or tournament is expected by its players' tables."""


def is_expected(player: Player) -> bool:
    """Whether a player takes part in a night or tournament that is under way or begins soon."""
    soon = timezone.now() + SOON
    nights = ClubNight.objects.filter(
        Q(state=ClubNight.State.RUNNING) | Q(state=ClubNight.State.PLANNED, starts_at__lte=soon)
    )
    events = Event.objects.filter(
        Q(state=Event.State.RUNNING) | Q(state=Event.State.PLANNED, starts_at__lte=soon)
    )
    own = {"player": player, "absent": False}
    return (
        Entrant.objects.filter(**own, night__in=nights).exists()
        or EventEntrant.objects.filter(**own, computer=False, event__in=events).exists()
    )


def expected(page: Mapping[str, Any]) -> SafeString:
    """Render where a table's script asks for its reader's next game; empty if none may come.

    It asks at once, unless the reader's seat at it keeps their other games waiting.
    """
    player = player_of(page["request"])
    if player is None or not is_expected(player):
        return SafeString("")
    match = page["match"]
    early = not seated.taken_seats().filter(match=match, player=player).exists()
    return render_to_string("ratings/standard/_expected.html", {"match": match, "early": early})


@never_cache
@require_safe
def next_game(request: HttpRequest, match: str) -> JsonResponse:
    """Return the address of the reader's running table, "" for none, and whether to ask again.

    ``match`` is the public id of the match whose table they look at.
    """
    player = player_of(request)
    if player is None:
        raise Http404
    table = seated.table_of(player)
    begun = table is not None and table.public_id != match
    address = reverse("games:table", args=[table.public_id]) if table and begun else ""
    return JsonResponse({"table": address, "waits": is_expected(player)})
