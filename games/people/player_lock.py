"""The lock of a player's row, for which that player's other requests and deletion wait.

Of simultaneous requests, the later ones see what the first one has stored, and none stores anything
for an account that was deleted meanwhile. Take this lock before those of matches, clubs and
tournaments, as deletion does: otherwise two transactions wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet

from games.models import Player, Seat, statements
from games.models.prepared import Prepared
from games.wire.refusals import Refused

LOCK_WAIT = "200ms"
"""The longest wait of a rematch for the players' locks at a time: others are in line behind it."""


class LoggedOut(Refused, PermissionDenied):
    """The account was deleted, closed or merged after the request had begun.

    Views that do not catch it answer with status 403.
    """

    def __init__(self) -> None:
        super().__init__("logged_out")


@contextmanager
def locked_player(player: Player, *others: Player) -> Iterator[Player]:
    """Open a transaction in which players are locked; yield the first one as it is stored.

    Raises:
        LoggedOut: if the first one can no longer do anything.
    """
    with transaction.atomic():
        row = lock_rows(player, *others).get(player.pk)
        if row is None or not row.is_active:
            raise LoggedOut
        yield row


def check_exists(player: Player) -> None:
    """Check that a locked player has a row: that of a guest ends as they log in to an account.

    Raises:
        Refused: ``not_offered``.
    """
    if not Player.objects.filter(pk=player.pk).exists():
        raise Refused("not_offered")


def lock_seated(match: int) -> None:
    """Lock the people at a match, by primary key, until the transaction ends.

    A block between two of them is stored only after that. Within `statements.together` they are
    locked with the next statement. With PostgreSQL this waits for none of them longer than
    `LOCK_WAIT`: see `lock_was_held`.
    """
    limited = connection.vendor == "postgresql"
    if limited:
        statements.tell((f"SET LOCAL lock_timeout = '{LOCK_WAIT}'", ()))
    _SEATED.run([match])
    if limited:
        statements.tell(("SET LOCAL lock_timeout = DEFAULT", ()))


def lock_was_held(error: DatabaseError) -> bool:
    """Return whether a transaction has failed because another one held a lock for too long."""
    return getattr(error.__cause__, "sqlstate", None) == "55P03"


def lock_rows(*players: Player) -> dict[int, Player]:
    """Lock players until the transaction ends, in one order; return those that exist, by key."""
    return {row.pk: row for row in _locked({player.pk for player in players})}


def _locked(keys: Any) -> QuerySet[Player]:
    # Without the key, so that rows that refer to a player can be stored meanwhile.
    rows = Player.objects.select_for_update(no_key=True)
    return rows.filter(pk__in=keys).order_by("pk")


def _seated(matches: list[int]) -> QuerySet[Player, Any]:
    seats = Seat.objects.filter(match__in=matches, computer=False, player__isnull=False)
    return _locked(seats.values("player")).values_list("pk")


_SEATED = Prepared(_seated)
