"""Whether the next game of a club night or tournament has begun, for players who read a result."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.api import player_of
from ratings.models import ClubNight, Event, Play
from ratings.standard import seated


def stage_of(play: Play) -> ClubNight | Event | None:
    """Return the club night or tournament that a play belongs to, or None."""
    table = getattr(play, "night_table", None)
    if table is not None:
        night: ClubNight = table.game.night
        return night
    game = getattr(play, "event_game", None)
    event: Event | None = None if game is None else game.table.round.event
    return event


@never_cache
@require_safe
def next_game(request: HttpRequest, match: str) -> JsonResponse:
    """Return the address of the reader's running table, "" for none, and whether to ask again."""
    player = player_of(request)
    if player is None:
        raise Http404
    found = Play.objects.filter(match__public_id=match, match__seats__player=player)
    play = found.select_related("night_table__game__night", "event_game__table__round__event")
    stage = stage_of(play.get()) if play.exists() else None
    if stage is None:
        raise Http404
    table = seated.table_of(player)
    begun = table is not None and table.public_id != match
    address = reverse("games:table", args=[table.public_id]) if table and begun else ""
    return JsonResponse({"table": address, "waits": not begun and stage.is_running})
