"""What people do at a live table: moves, rematches, and what is done about an absent player.

Coroutines of the event loop. A match is given as its `Live`, a seat by the connection.
"""

from __future__ import annotations

from channels.db import database_sync_to_async

from games.engine.moves import Decision, Resign
from games.engine.state import Phase
from games.hints import Hint
from games.leaving import leave_for_good
from games.live import Live
from games.models import Match, Player
from games.refusals import Refused
from games.runtime import runtime
from games.services import duplicates, tables


async def make_move(*, live: Live, seat: int, decision: Decision, client_id: str = "") -> int:
    """Play ``decision`` for ``seat``; return the version of the match after it.

    It is stored before anybody is told. Sent again under the same client id it is answered, and
    not played, again.

    To resign a ranked match is to leave it to the computer.

    Raises:
        IllegalMove: when the rules do not allow it.
        Refused: ``not_started``, ``id_used`` or ``unavailable``.
    """
    if live.header.ranked and isinstance(decision, Resign):
        return await _give_up(live, seat)
    parts = runtime()
    version = await parts.judge.take(live, decision, seat=seat, client_id=client_id)
    parts.driver.wake(live)
    return version


async def _give_up(live: Live, seat: int) -> int:
    """Leave a ranked match: nobody ends it for the others, the computer plays it out."""
    await database_sync_to_async(leave_for_good)(match=live.pk, seat=seat)
    await _seats_changed(live)
    return live.version


async def want_rematch(*, live: Live, seat: int, swap: bool = False) -> None:
    """Note that a seat wants to play again; when all people who stayed do, the match is made.

    With ``swap`` the same deals come once more, and each gets the other's cards: see
    `games.services.duplicates.make_duplicate`.

    Raises:
        Refused: ``not_offered`` while the match goes on, or where it is not for swapping.
    """
    if live.state.phase is not Phase.OVER or (swap and not live.header.swappable):
        raise Refused("not_offered")
    parts = runtime()
    agreed = parts.attendance.wants_rematch(live, seat, swap=swap)
    parts.hub.say(live.pk, f"rematch {seat} {'swapped' if swap else 'same'}")
    if agreed and not live.header.rematch:
        await database_sync_to_async(_rematch)(live.pk, swap)
        await parts.matches.refresh(live)
    parts.attendance.changed(live)


async def ask_hint(*, live: Live, seat: int, player: int) -> tuple[int, Hint]:
    """Return what the computer would do in this seat, and for which version of the match.

    Raises:
        Refused: ``hints_off``, ``not_your_turn``, ``no_hint`` or ``too_many``.
    """
    return await runtime().adviser.advise(live, seat=seat, player=player)


async def let_computer_play(*, live: Live, absent: int, seat: int) -> None:
    """Have a computer play on for an absent player, until he returns; ``seat`` wishes it.

    Raises:
        Refused: ``not_offered``.
    """
    await _offered_at(live, absent, seat)
    await database_sync_to_async(_stand_in)(live.pk, absent)
    await _seats_changed(live)


async def claim_win(*, live: Live, absent: int, seat: int) -> None:
    """Take the win from an absent player for ``seat``: with two seats he resigns.

    Raises:
        Refused: ``not_offered``.
    """
    if live.header.ruleset.players != 2:
        raise Refused("not_offered")
    version = await _offered_at(live, absent, seat)
    parts = runtime()
    await parts.judge.take(live, Resign(absent), seat=absent, only_at=version)
    parts.driver.wake(live)


async def _offered_at(live: Live, absent: int, seat: int) -> int | None:
    """Return for which version of a match ``seat`` may do something about an absent player.

    By correspondence that is the version at which his time is up, if it is not up for ``seat`` too:
    whoever has moved in the meantime loses nothing. Else it is None: whichever comes.

    Raises:
        Refused: ``not_offered``.
    """
    parts = runtime()
    if live.header.days is None:
        if not parts.attendance.offered(live, absent):
            raise Refused("not_offered")
        return None
    turn = await parts.deadlines.look(live)
    if turn is None or not turn.late(absent) or turn.late(seat):
        raise Refused("not_offered")
    return turn.version


async def return_to_seat(*, live: Live, player: int) -> None:
    """Take one's seat back from the computer that stood in."""
    await database_sync_to_async(_take_back)(live.pk, player)
    await _seats_changed(live)


async def leave_table(*, live: Live, player: int) -> None:
    """Give one's seat up: see `games.services.leave_match`.

    Raises:
        Refused: ``not_seated`` or ``not_offered``.
    """
    await database_sync_to_async(_leave)(live.pk, player)
    await _seats_changed(live)


async def fill_table(*, live: Live, player: int, seat: int, level: str) -> None:
    """Give an empty seat to a computer: see `games.services.fill_seat`.

    Raises:
        Refused: ``not_offered``, ``bad_seat``, ``seat_taken`` or ``no_such_level``.
    """
    await database_sync_to_async(_fill)(live.pk, player, seat, level)
    await _seats_changed(live)


async def _seats_changed(live: Live) -> None:
    parts = runtime()
    await parts.matches.refresh(live)
    parts.attendance.changed(live)
    parts.deadlines.moved(live)
    parts.driver.wake(live)


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
