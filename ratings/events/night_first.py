"""Selectors: what comes before the next game of a tournament for a player."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Subquery

from games.api import Player
from ratings.clubs.absences import awaited_since, has_waiting_table
from ratings.events import waiting
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


def comes_first(event: Event, player: Player) -> tuple[str, str]:
    """Return the public id of the match that a player of a running event plays elsewhere.

    Without one, return the token of the night that comes first; "" for none. Pages poll it every
    few seconds, so that it takes one query unless a night's table waits.
    """
    if not event.is_running:
        return "", ""
    seats = waiting.seats_elsewhere(event).filter(player=OuterRef("pk")).order_by("match")
    elsewhere, awaited = (
        Player.objects.filter(pk=player.pk)
        .values_list(
            Subquery(seats.values("match__public_id")[:1]), has_waiting_table(OuterRef("pk"))
        )
        .get()
    )
    if elsewhere or not awaited:
        return elsewhere or "", ""
    return "", night_first(event, player)
