"""Open tables whose creators are there; the others leave the lobby until they come back.

Each process regularly stores which of its players are at their own open table or in the lobby. It
is in the database, not in the cache, so that an outage of Redis does not empty the lobby.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.cluster import announce
from games.models import Match, Seat
from games.models.prepared import Prepared
from games.ops import true_time


def attend(*, players: Collection[int]) -> None:
    """Store that these players (primary keys) have their open tables, or the lobby, open.

    Their tables that left the lobby when they began to play elsewhere stay out of it: the page of
    one may be open in another tab, where nobody looks at it.
    """
    rows = _open_tables().filter(created_by__in=players, attended_at__isnull=False)
    rows.update(attended_at=true_time.now())


def look_at(*, match: int, player: int) -> None:
    """Bring a player's own open table (primary keys) back into the lobby: they look at it."""
    rows = _open_tables().filter(pk=match, created_by=player, attended_at__isnull=True)
    if rows.update(attended_at=true_time.now()):
        transaction.on_commit(announce.lobby)


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
    # Looked for first, since hardly any player has one, and the update builds its SQL each time.
    found = [pk for (pk,) in _OF_PLAYERS.rows([match])]
    if found and _open_tables().filter(pk__in=found).update(attended_at=None):
        announce.lobby()


def are_hosting() -> Exists:
    """Return whether a player of a match has an open table, as an expression on matches.

    While the players are locked they create none, so an answer within their lock holds.
    """
    seated = Seat.objects.filter(match=OuterRef(OuterRef("pk")), computer=False).values("player")
    return Exists(_open_tables().filter(created_by__in=seated))


def _open_tables() -> QuerySet[Match]:
    return Match.objects.filter(status=Match.Status.WAITING, listed=True, days=None)


_OF_PLAYERS = Prepared(
    lambda matches: (
        _open_tables()
        .filter(
            created_by__in=Seat.objects.filter(match__in=matches, computer=False).values("player")
        )
        .values_list("pk")
    )
)
