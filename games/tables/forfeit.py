"""Forfeit of a ranked match: the player leaves permanently and a computer finishes the game."""

from __future__ import annotations

from django.db import connection, transaction

from games import hooks
from games.bots import get, levels
from games.cluster import announce, outages
from games.log import store
from games.models import Match, Player, Seat, statements
from games.people.accounts import computer_player

VERDICT_WAIT = "2s"
"""The longest wait of a verdict about a seat's time for a lock.

While an administrator's command locks a table, moves that were sent in time wait too; the verdict
must not come first when the lock ends.
"""


def leave_for_good(
    *, match: int, seat: int, timed_out: bool = False, version: int | None = None
) -> bool:
    """Give a person's seat in a ranked match to a computer; return whether this call did it.

    With ``version`` it is done only if the log is still that long: a move stored before wins. The
    ratings app decides what this means for the result.

    Raises:
        django.db.OperationalError: if the database fails, or a verdict waits for `VERDICT_WAIT`.
    """
    with transaction.atomic():
        if timed_out and connection.vendor == "postgresql":
            statements.tell((f"SET LOCAL lock_timeout = '{VERDICT_WAIT}'", ()))
        if version is not None and not store.hold(match, version):
            return False
        row = (
            Seat.objects.select_for_update()
            .filter(
                match_id=match,
                match__ranked=True,
                match__status=Match.Status.PLAYING,
                seat=seat,
                computer=False,
                left_at__isnull=True,
            )
            .first()
        )
        if row is None:
            return False
        row.left_at, row.timed_out = store.length(match), timed_out
        row.save(update_fields=["left_at", "timed_out"])
        row.let_play(computer_of(levels()[-1].name))
        if row.player_id is not None:
            excused = timed_out and _was_out(match)
            hooks.left(match, row.player_id, timed_out=timed_out, excused=excused)
        transaction.on_commit(lambda: announce.table(match))
    return True


def _was_out(match: int) -> bool:
    """Return whether there was an outage since the current decision was requested."""
    begun = store.decision_requested_at(match)
    return begun is not None and bool(
        outages.outages_since(begun, at_least=outages.BREAK, partial=True)
    )


def computer_of(level: str) -> Player:
    """Return the row of a computer player in its current version.

    Raises:
        games.bots.UnknownPlayer: if no computer player has this name.
    """
    bot = get(level)
    return computer_player(bot=bot.name, version=str(bot.version), name=bot.name.title())
