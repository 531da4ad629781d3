"""Selectors: whether a tournament or a night comes first for a player, and what they play."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Subquery

from games.api import Player
from ratings.clubs.absences import awaited_since, has_waiting_table
from ratings.events import own_seats, waiting
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


def event_first(night: ClubNight, player: Player, *, now: datetime) -> Event | None:
    """Return the tournament whose table goes first for a player of a running night, or None.

    Their table of the night waits meanwhile.
    """
    if not night.is_running:
        return None
    began = awaited_since(Player.objects.filter(pk=player.pk).values("pk")).get(player.pk)
    return None if began is None else waiting.event_awaiting(player, before=began, now=now)


def own_stage(event: Event, player: Player) -> tuple[str, str, bool]:
    """Return what the page of a running event tells one player, without a change of the event.

    That is the public id of the match that they play elsewhere; without one, the token of the night
    that comes first; and whether they left a game of the event that is still under way. Pages poll
    it every few seconds, so that it takes one query unless a night's table waits.
    """
    if not event.is_running:
        return "", "", False
    seats = waiting.seats_elsewhere(event).filter(player=OuterRef("pk")).order_by("match")
    elsewhere, awaited, left = (
        Player.objects.filter(pk=player.pk)
        .values_list(
            Subquery(seats.values("match__public_id")[:1]),
            has_waiting_table(OuterRef("pk")),
            Exists(own_seats.left_seats(event).filter(player=OuterRef("pk"))),
        )
        .get()
    )
    if elsewhere or not awaited:
        return elsewhere or "", "", left
    return "", night_first(event, player), left
