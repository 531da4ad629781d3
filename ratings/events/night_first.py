"""Selector: the club night whose game comes before the next game of a tournament for a player."""

from __future__ import annotations

from datetime import datetime

from games.api import Player
from ratings.clubs.absences import awaited_since
from ratings.models import ClubNight, Event


def night_first(event: Event, player: Player, *, since: datetime | None = None) -> str:
    """Return the token of a night with a table that waits for a player of a running event, or "".

    Args:
        event: the event.
        player: one of its players.
        since: when their table of the event began to wait, if there is one; it goes first if the
            night's began later.
    """
    if not event.is_running:
        return ""
    awaited = awaited_since(Player.objects.filter(pk=player.pk).values("pk")).get(player.pk)
    if awaited is None or (since is not None and awaited >= since):
        return ""
    nights = ClubNight.objects.filter(entrants__player=player, night_games__began_at=awaited)
    return nights.values_list("token", flat=True).first() or ""
