"""The players at tables where leaving or silence loses the game.

The ranked queue, club nights and tournaments seat no one who sits at such a table.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import QuerySet

from games.api import Match, Player, Seat
from ratings.models import Play
from ratings.standard import catalogue

TIMED = frozenset({Play.Kind.RANKED, Play.Kind.CLUB, Play.Kind.EVENT})
"""Kinds of plays that begin when the players are brought together, and whose clock runs at once."""


def hold() -> None:
    """Keep the queue and other events from seating anyone until this transaction ends, if any.

    The row of a night or tournament is locked before the pool, never after it.
    """
    if connection.in_atomic_block:
        catalogue.lock_pool()


def taken_seats() -> QuerySet[Seat]:
    """Return the seats at running timed tables whose players have not left them."""
    return Seat.objects.filter(
        match__status=Match.Status.PLAYING,
        match__standard_play__kind__in=TIMED,
        player__isnull=False,
        computer=False,
        left_at__isnull=True,
    )


def table_of(player: Player) -> Match | None:
    """Return the running timed table at which a player has sat longest."""
    row = taken_seats().filter(player=player).select_related("match").order_by("match_id").first()
    return row.match if row is not None else None
