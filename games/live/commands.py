"""Commands at a live table other than chat: moves, hints, rematches, absent players, seats.

They are coroutines. The seat and the player come from the connection, not from the message.
"""

from __future__ import annotations

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.correspondence import notify
from games.engine.moves import Decision, Resign
from games.engine.state import Phase
from games.live import rematches
from games.live.hints import Hint
from games.live.runtime import runtime
from games.live.table import Table
from games.log.claims import Claim
from games.models import Match, Player
from games.models.moves import IDLE
from games.ops import true_time
from games.tables import tables
from games.tables.attended import look_at
from games.tables.forfeit import leave_for_good
from games.wire.protocol import ClaimWin, Command, Fill, Leave, Rematch, Return, See, StandIn
from games.wire.refusals import Refused


async def handle_command(*, table: Table, seat: int, player: int, command: Command) -> None:
    """Carry out a command about seats.

    Raises:
        Refused: see the functions below; ``unknown_type`` for any other command.
    """
    match command:
        case Rematch(swap=swap):
            await want_rematch(table=table, seat=seat, player=player, swap=swap)
        case StandIn(seat=absent, version=version):
            await let_computer_play(table=table, absent=absent, seat=seat, version=version)
        case ClaimWin(seat=absent, version=version):
            await claim_win(table=table, absent=absent, seat=seat, version=version)
        case Return():
            await return_to_seat(table=table, player=player)
        case See():
            await database_sync_to_async(look_at)(match=table.pk, player=player)
            await database_sync_to_async(notify.saw_end)(match=table.pk, player=player)
        case Leave():
            await leave_table(table=table, player=player)
        case Fill(seat=empty, level=level):
            await fill_table(table=table, player=player, seat=empty, level=level)
        case _:
            raise Refused("unknown_type")


async def make_move(*, table: Table, seat: int, decision: Decision, client_id: str = "") -> int:
    """Play ``decision`` for ``seat``; return the version of the match after it.

    The move is stored before it is published. A resend under the same client id gets the same
    answer and is not played twice. Resigning a ranked match leaves it to the computer.

    Raises:
        IllegalMove: when the rules do not allow it.
        Refused: ``not_started``, ``not_seated``, ``id_used`` or ``unavailable``.
    """
    if table.meta.ranked and isinstance(decision, Resign):
        return await _forfeit(table, seat)
    in_doubt = _may_have_lost_a_seat(table)
    if in_doubt:
        await table.reload_seats()
    return await table.play(decision, seat=seat, client_id=client_id, seat_in_doubt=in_doubt)


def _may_have_lost_a_seat(table: Table) -> bool:
    """Return whether another process may have given a seat away without this one hearing of it.

    After being suspended, a process handles what its players sent before it reads anything else. In
    a correspondence match, a late player may be moving just when the opponent has a computer play
    for them.
    """
    if table.meta.days is not None:
        return True
    if not table.meta.ranked:
        return False
    parts = runtime()
    if parts.presence.deaf:
        return True
    if table.meta.clock is None:
        return False
    deadline = parts.clock.deadline(table)
    return deadline is None or true_time.now() >= deadline.at


async def _forfeit(table: Table, seat: int) -> int:
    """Leave a ranked match for good; a resend, when this seat has left, changes nothing.

    Raises:
        Refused: ``not_seated`` if the seat was lost on time, or the match is over.
    """
    done = await database_sync_to_async(leave_for_good)(match=table.pk, seat=seat)
    await table.reload_seats()
    if not done and table.meta.seats[seat].left != "left":
        raise Refused("not_seated", "this seat is no longer playing")
    return table.version


async def want_rematch(*, table: Table, seat: int, player: int, swap: bool = False) -> None:
    """Record that a seat wants to play again; create the match when all remaining people do.

    A player who left their seat to a computer takes it back. With ``swap`` the same deals are
    repeated with the seats swapped: see `games.tables.duplicates.make_duplicate`.

    Raises:
        Refused: ``not_offered`` while the match is in progress, after a ranked match, or if seats
            cannot be swapped.
    """
    over = table.state.phase is Phase.OVER
    if not over or table.meta.ranked or (swap and not table.swappable):
        raise Refused("not_offered")
    if table.meta.seats[seat].stand_in:
        await return_to_seat(table=table, player=player)
    parts = runtime()
    parts.peers.wished(table, seat, swap=swap)
    online, _ = parts.presence.online(table)
    await rematches.note_wish(table, parts.rematches, seat=seat, swap=swap, online=online)


async def ask_hint(*, table: Table, seat: int, player: int) -> tuple[int, Hint]:
    """Return the version of the match and a hint: what the computer would do in this seat.

    Raises:
        Refused: ``hints_off``, ``not_your_turn``, ``no_hint`` or ``too_many``.
    """
    return await runtime().hints.advise(table, seat=seat, player=player)


async def let_computer_play(*, table: Table, absent: int, seat: int, version: int) -> None:
    """Let a computer play for an absent or idle player until they return, for ``seat``.

    ``version`` is the one for which this was offered. While a computer plays, nothing changes: the
    request may have been sent again because its answer was lost.

    Raises:
        Refused: ``not_offered``.
    """
    if await _offered(table, absent, seat, version):
        await database_sync_to_async(_stand_in)(table.pk, absent, version)
        await table.reload_seats()
        return
    await table.reload_seats()  # another process may have let it play
    if not any(row.seat == absent and row.stand_in and not row.left for row in table.meta.seats):
        raise Refused("not_offered")


async def claim_win(*, table: Table, absent: int, seat: int, version: int) -> None:
    """Resign for an absent or idle player at a table of two, on request of ``seat``.

    ``version`` is the one for which this was offered. A move that the player makes in the meantime,
    in any process, counts. If the win was claimed at this version, nothing changes: the request may
    have been sent again because its answer was lost.

    Raises:
        Refused: ``not_offered``.
    """
    if table.meta.ruleset.players != 2 or absent == seat:
        raise Refused("not_offered")
    try:
        why = await _offered(table, absent, seat, version)
        if why is None:
            raise Refused("not_offered")
        ident = IDLE if why == "idle" else ""
        await table.play(Resign(absent), seat=absent, client_id=ident, only_at=version)
    except Refused as refusal:
        if refusal.code != "not_offered" or not _was_claimed(table, absent, version):
            raise


def _was_claimed(table: Table, absent: int, version: int) -> bool:
    """Return whether the other player claimed the win at this version, in any process."""
    ended = table.state.resigned == absent and table.version == version + 1
    return ended and table.claimed is not None  # otherwise the player was back, and resigned


async def _offered(table: Table, absent: int, seat: int, version: int) -> Claim | None:
    """Return why ``seat`` may act for a player at this version of the match; None if it may not.

    The log is read first, since this process may not have heard of the last move. In a
    correspondence match the player's time must have run out, and that of ``seat`` must not.

    Raises:
        Refused: ``unavailable`` if the log could not be read.
    """
    parts = runtime()
    try:
        await table.follow_log()
    except DatabaseError as error:
        raise Refused("unavailable", str(error)) from error
    if table.meta.days is None:
        why = parts.attendance.offered(table, absent, seat)
        return why if table.version == version else None
    turn = await parts.correspondence.read_turn(table)
    late = turn is not None and turn.late(absent) and not turn.late(seat)
    current = turn is not None and turn.version == version == table.version
    return "late" if late and current else None


async def return_to_seat(*, table: Table, player: int) -> None:
    """Take a player's seat back from the computer."""
    await database_sync_to_async(_take_back)(table.pk, player)
    await table.reload_seats()


async def leave_table(*, table: Table, player: int) -> None:
    """Give up a player's seat: see `games.tables.tables.leave_match`.

    Raises:
        Refused: ``not_seated`` or ``not_offered``.
    """
    await database_sync_to_async(_leave)(table.pk, player)
    await table.reload_seats()


async def fill_table(*, table: Table, player: int, seat: int, level: str) -> None:
    """Give an empty seat to a computer: see `games.tables.tables.fill_seat`.

    Raises:
        Refused: ``not_offered``, ``bad_seat``, ``seat_taken`` or ``no_such_level``.
    """
    await database_sync_to_async(_fill)(table.pk, player, seat, level)
    await table.reload_seats()


def _stand_in(match: int, seat: int, version: int) -> None:
    tables.seat_stand_in(match=Match.objects.get(pk=match), seat=seat, version=version)


def _take_back(match: int, player: int) -> None:
    tables.take_back(match=Match.objects.get(pk=match), player=Player.objects.get(pk=player))


def _leave(match: int, player: int) -> None:
    tables.leave_match(match=Match.objects.get(pk=match), player=Player.objects.get(pk=player))


def _fill(match: int, player: int, seat: int, level: str) -> None:
    tables.fill_seat(
        match=Match.objects.get(pk=match),
        by=Player.objects.get(pk=player),
        seat=seat,
        level=level,
    )
