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


def attend(*, players: Collection[int]) -> int:
    """Store that these players (primary keys) are at their open tables; return their number."""
    return Match.objects.filter(
        created_by__in=players, status=Match.Status.WAITING, listed=True
    ).update(attended_at=timezone.now())


def leave_lobby_for(match: Match) -> None:
    """Take the players' own open tables out of the lobby once their match begins.

    This happens after the commit: two players may sit down at each other's tables at once, and
    would deadlock on each other's rows. If it fails, the match has begun all the same.
    """
    pk = match.pk
    if match.days is None:
        transaction.on_commit(lambda: leave_open_tables(pk), robust=True)


def leave_open_tables(match: int) -> None:
    """Take the open tables of the players of a match (by primary key) out of the lobby.

    They come back when their creators look at them again.
    """
    people = Seat.objects.filter(match=match, computer=False).values("player")
    rows = Match.objects.filter(created_by__in=people, status=Match.Status.WAITING, listed=True)
    if rows.update(attended_at=timezone.now() - ATTENDED_FOR):
        announce.lobby()
