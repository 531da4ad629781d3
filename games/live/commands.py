"""Commands at a live table other than chat: moves, hints, rematches, absent players, seats.

They are coroutines. The seat and the player come from the connection, not from the message.
"""

from __future__ import annotations

from channels.db import database_sync_to_async

from games.engine.moves import Decision, Resign
from games.engine.state import Phase
from games.live.attendance import seats_of_people
from games.live.changes import RematchWanted
from games.live.hints import Hint
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Match, Player
from games.tables import duplicates, tables
from games.tables.forfeit import leave_for_good
from games.wire.protocol import ClaimWin, Command, Fill, Leave, Rematch, Return, StandIn
from games.wire.refusals import Refused


async def handle_command(*, table: Table, seat: int, player: int, command: Command) -> None:
    """Carry out a command about seats.

    Raises:
        Refused: see the functions below; ``unknown_type`` for any other command.
    """
    match command:
        case Rematch(swap=swap):
            await want_rematch(table=table, seat=seat, swap=swap)
        case StandIn(seat=absent):
            await let_computer_play(table=table, absent=absent, seat=seat)
        case ClaimWin(seat=absent):
            await claim_win(table=table, absent=absent, seat=seat)
        case Return():
            await return_to_seat(table=table, player=player)
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
        Refused: ``not_started``, ``id_used`` or ``unavailable``.
    """
    if table.meta.ranked and isinstance(decision, Resign):
        await database_sync_to_async(leave_for_good)(match=table.pk, seat=seat)
        await table.reload_seats()
        return table.version
    return await table.play(decision, seat=seat, client_id=client_id)


async def want_rematch(*, table: Table, seat: int, swap: bool = False) -> None:
    """Record that a seat wants to play again; create the match when all remaining people do.

    With ``swap`` the same deals are repeated with the seats swapped: see
    `games.tables.duplicates.make_duplicate`.

    Raises:
        Refused: ``not_offered`` while the match is in progress, or if seats cannot be swapped.
    """
    if table.state.phase is not Phase.OVER or (swap and not table.meta.swappable):
        raise Refused("not_offered")
    table.rematch[seat] = swap
    runtime().peers.send(table.pk, f"rematch {seat} {'swapped' if swap else 'same'}")
    agreed = all(table.rematch.get(other) is swap for other in seats_of_people(table.meta))
    if agreed and not table.meta.rematch:
        await database_sync_to_async(_rematch)(table.pk, swap)
        await table.reload_seats()
    else:
        table.publish(RematchWanted())


async def ask_hint(*, table: Table, seat: int, player: int) -> tuple[int, Hint]:
    """Return the version of the match and a hint: what the computer would do in this seat.

    Raises:
        Refused: ``hints_off``, ``not_your_turn``, ``no_hint`` or ``too_many``.
    """
    return await runtime().hints.advise(table, seat=seat, player=player)


async def let_computer_play(*, table: Table, absent: int, seat: int) -> None:
    """Let a computer play for an absent player until they return, on request of ``seat``.

    Raises:
        Refused: ``not_offered``.
    """
    await _offered_at(table, absent, seat)
    await database_sync_to_async(_stand_in)(table.pk, absent)
    await table.reload_seats()


async def claim_win(*, table: Table, absent: int, seat: int) -> None:
    """Resign for an absent player at a table of two, on request of ``seat``.

    Raises:
        Refused: ``not_offered``.
    """
    if table.meta.ruleset.players != 2:
        raise Refused("not_offered")
    version = await _offered_at(table, absent, seat)
    await table.play(Resign(absent), seat=absent, only_at=version)


async def _offered_at(table: Table, absent: int, seat: int) -> int | None:
    """Return the version of a match at which ``seat`` may act for an absent player; None for any.

    A correspondence match has one: the version at which the absent player's time ran out, so that
    a move that they make in the meantime still counts. If the time of ``seat`` ran out too, it may
    not act.

    Raises:
        Refused: ``not_offered``.
    """
    parts = runtime()
    if table.meta.days is None:
        if not parts.attendance.offered(table, absent):
            raise Refused("not_offered")
        return None
    turn = await parts.correspondence.read_turn(table)
    if turn is None or not turn.late(absent) or turn.late(seat):
        raise Refused("not_offered")
    return turn.version


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


def _rematch(match: int, swap: bool) -> None:
    make = duplicates.make_duplicate if swap else tables.make_rematch
    make(match=Match.objects.get(pk=match))


def _stand_in(match: int, seat: int) -> None:
    tables.seat_stand_in(match=Match.objects.get(pk=match), seat=seat)


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
