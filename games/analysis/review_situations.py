"""Situations of decisions: kind, phase of the game, role and score, for sums over many reviews."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from games.engine import rules
from games.engine.moves import Discard, Move, Play
from games.engine.state import Ruleset, State

Kind = Literal["throw", "lead", "answer", "late"]
Phase = Literal["early", "middle", "end"]
Standing = Literal["ahead", "level", "behind"]

KINDS: tuple[Kind, ...] = ("throw", "lead", "answer", "late")
PHASES: tuple[Phase, ...] = ("early", "middle", "end")
STANDINGS: tuple[Standing, ...] = ("ahead", "level", "behind")

LATE_CARDS = 2
"""A card chosen with at most this many in hand is a late one."""

LAST_HOLES = 30
"""The end of a game begins when a player needs at most this many points."""

LEVEL = 5
"""Scores that differ by at most this many points are level."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation in which a seat decided.

    Attributes:
        kind: a throw; a lead, the first card of a count; an answer, any other card; or a late card,
            one of the last two.
        phase: the first half of the way to the last 30 holes, the second half, or those holes. The
            player in front tells.
        dealer: whether the seat dealt.
        standing: the seat's score compared with the best other one.
    """

    kind: Kind
    phase: Phase
    dealer: bool
    standing: Standing


def situations(ruleset: Ruleset, moves: Iterable[Move]) -> dict[int, Situation]:
    """Return the situation of each discard and play of a log, by its number from 0.

    Raises:
        IllegalMove: if the log cannot be replayed.
    """
    found = {}
    state = rules.start(ruleset)
    for sequence, move in enumerate(moves):
        if isinstance(move, Discard | Play):
            found[sequence] = _situation(state, move)
        state = rules.apply(state, move).state
    return found


def _situation(state: State, move: Discard | Play) -> Situation:
    return Situation(
        kind=_kind(state, move),
        phase=_phase(state),
        dealer=move.seat == state.dealer,
        standing=_standing(state.scores, move.seat),
    )


def _kind(state: State, move: Discard | Play) -> Kind:
    if state.hand is None or isinstance(move, Discard):
        return "throw"
    if len(state.hand.held[move.seat]) <= LATE_CARDS:
        return "late"
    return "answer" if state.pile else "lead"


def _phase(state: State) -> Phase:
    front, last = max(state.scores), state.ruleset.target - LAST_HOLES
    if front >= last:
        return "end"
    return "early" if 2 * front < last else "middle"


def _standing(scores: tuple[int, ...], seat: int) -> Standing:
    ahead = scores[seat] - max(score for at, score in enumerate(scores) if at != seat)
    if abs(ahead) <= LEVEL:
        return "level"
    return "ahead" if ahead > 0 else "behind"
