"""Matches that concern a player now, in lists: opponents, scores, whose turn it is, new results."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.archive.matches import PlayedLine
from games.archive.selectors import MatchLine
from games.correspondence import turns
from games.correspondence.turns import Turn
from games.engine import rules
from games.engine.faults import EngineError
from games.engine.moves import parse_move
from games.engine.state import Phase, Ruleset, State
from games.log import store
from games.models import Match, Seat
from games.ops import true_time

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunningLine:
    """A running match, or one whose end the player has not seen.

    Attributes:
        match: the row.
        names: the others at the table, as one string; "" if there are none yet.
        score: scores so far, the player's first; "" before the first hand.
        turn: what the match is waiting for, or how it ended, in words.
        mine: whether it is the player's turn, or over.
        due: the deadline of a correspondence match, the player's own if it is their turn.
    """

    match: Match
    names: str
    score: str
    turn: str
    mine: bool
    due: datetime | None

    @property
    def late(self) -> bool:
        """Whether the deadline has passed; a late move still counts until an opponent decides."""
        return self.due is not None and true_time.now() >= self.due


def running_lines(lines: Iterable[MatchLine], *, most: int | None = None) -> list[RunningLine]:
    """Return the matches with whose turn it is; those waiting for the player come first.

    Of more than ``most``, those in which the player must act, or an opponent by correspondence is
    late, are kept first. For correspondence matches their turns tell this without their logs.
    """
    lines = list(lines)
    asked = turns.turns([line.match for line in lines])
    states: dict[int, State] = {}
    if most is not None and len(lines) > most:
        states = _states([line.match for line in lines if line.match.pk not in asked])
        lines = sorted(lines, key=lambda line: not _is_urgent(line, states, asked))[:most]
    states |= _states([line.match for line in lines if line.match.pk not in states])
    shown = [_line(line, states.get(line.match.pk), asked.get(line.match.pk)) for line in lines]
    return sorted(shown, key=lambda line: not line.mine)


def ended_lines(lines: Iterable[PlayedLine]) -> list[RunningLine]:
    """Return ended matches as lines; the result takes the place of the turn."""
    return [
        RunningLine(
            match=line.seat.match,
            names=names_of(line.others),
            score="",
            turn={True: _("You won"), False: _("You lost"), None: _("Drawn")}[line.seat.won],
            mine=True,
            due=None,
        )
        for line in lines
    ]


def _is_urgent(line: MatchLine, states: dict[int, State], asked: dict[int, Turn]) -> bool:
    turn = asked.get(line.match.pk)
    if turn is None:
        return line.seat.seat in _awaited(line, states.get(line.match.pk))
    return line.seat.seat in turn.seats or any(map(turn.late, turn.seats))


def names_of(seats: Iterable[Seat]) -> str:
    """Return the names of the players as one string."""
    names = [seat.shown_name for seat in seats if seat.shown_name]
    if len(names) < 2:
        return "".join(names)
    return _("%(one)s and %(other)s") % {"one": names[0], "other": names[1]}


def _states(matches: list[Match]) -> dict[int, State]:
    """Return the states of those matches that are being played and whose logs can be read.

    All logs are read in one query, and a fold takes milliseconds.
    """
    matches = [match for match in matches if match.status == Match.Status.PLAYING]
    if not matches:
        return {}
    logs = store.load([(match.pk, 0) for match in matches])
    states = {}
    for match in matches:
        moves = (parse_move(entry.text) for entry in logs[match.pk])
        try:
            states[match.pk] = rules.fold(Ruleset.from_dict(match.ruleset), moves)
        except EngineError:  # it quotes the move, and a server's log shows no cards
            logger.warning("match %s: its log cannot be read", match.public_id)
    return states


def _line(line: MatchLine, state: State | None, turn: Turn | None) -> RunningLine:
    awaited, own = _awaited(line, state), line.seat.seat
    return RunningLine(
        match=line.match,
        names=names_of(line.others),
        score=_score(own, state),
        turn=_turn(line, state, awaited),
        mine=own in awaited,
        due=_due(own, turn),
    )


def _due(own: int, turn: Turn | None) -> datetime | None:
    if turn is None:
        return None
    return turn.due_of(own) if own in turn.seats else turn.due


def _score(own: int, state: State | None) -> str:
    if state is None or state.dealer is None:
        return ""
    seats = range(state.ruleset.players)
    return " : ".join(str(state.scores[(own + step) % len(seats)]) for step in seats)


def _awaited(line: MatchLine, state: State | None) -> tuple[int, ...]:
    """Return the seats that must act and whose player is not replaced by a computer."""
    if state is None:
        return ()
    computers = {each.seat for each in (line.seat, *line.others) if each.stand_in_id is not None}
    return tuple(seat for seat in rules.waiting(state) if seat not in computers)


def _turn(line: MatchLine, state: State | None, awaited: tuple[int, ...]) -> str:
    if state is None and line.match.status == Match.Status.PLAYING:
        return _("under way")
    if state is None:
        free = sum(seat.player is None for seat in line.others)
        return ngettext("waiting for %(n)d player", "waiting for %(n)d players", free) % {"n": free}
    if line.seat.stand_in_id is not None:
        return _("the computer is playing for you")
    if line.seat.seat in awaited:
        return _("your discard") if state.phase is Phase.DISCARD else _("your turn")
    if not awaited:
        return _("under way")
    whose = names_of(seat for seat in line.others if seat.seat in awaited)
    return _("waiting for %(names)s") % {"names": whose}
