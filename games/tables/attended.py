"""Open tables whose creators are there; the others leave the lobby until they come back.

Each process regularly stores which of its players are at their own open table or in the lobby. It
is in the database, not in the cache, so that an outage of Redis does not empty the lobby.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from games.archive.selectors import ATTENDED_FOR
from games.cluster import announce
from games.models import Match, Seat
from games.models.prepared import Prepared


def attend(*, players: Collection[int]) -> int:
    """Store that these players (primary keys) are at their open tables; return their number."""
    return Match.objects.filter(
        created_by__in=players, status=Match.Status.WAITING, listed=True
    ).update(attended_at=timezone.now())


def leave_lobby_for(match: Match) -> None:
    """Take the open tables of those who begin to play a match out of the lobby, after the commit.

    Not before: two players may sit down at each other's tables at once, and would wait for each
    other's rows. The match has begun even if this fails, and its players are told.
    """
    pk = match.pk
    if match.days is None:
        transaction.on_commit(lambda: leave_open_tables(pk), robust=True)


def leave_open_tables(match: int) -> None:
    """Take the open tables of the players of a match (by primary key) out of the lobby.

    They come back when their creators look at them again.
    """
    # Looked for first, since hardly any player has one, and the SQL of the update is built anew.
    found = [pk for (pk,) in _OPEN.rows([match])]
    if not found:
        return
    rows = Match.objects.filter(pk__in=found, status=Match.Status.WAITING)
    if rows.update(attended_at=timezone.now() - ATTENDED_FOR):
        announce.lobby()


_OPEN = Prepared(
    lambda matches: Match.objects.filter(
        created_by__in=Seat.objects.filter(match__in=matches, computer=False).values("player"),
        status=Match.Status.WAITING,
        listed=True,
    ).values_list("pk")
)
