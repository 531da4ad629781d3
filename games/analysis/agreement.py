"""Agreement with the analysis where it matters: plays in which a club player's card loses points.

Two seats, replies in the play. A reply has *high stakes* if the card that the rules of thumb of a
club player name (`games.analysis.heuristics`) is worth at least `STAKES` points less than the best
one. It takes more than common sense to find that one. The other replies tell how good the player's
own judgement is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from games.analysis import heuristics, plays
from games.analysis.opponents import Opponent
from games.analysis.positions import play_position
from games.engine import rules
from games.engine.cards import RANK
from games.engine.moves import Move, Play
from games.engine.state import Ruleset
from games.engine.view import View, view_for

STAKES = 0.5
"""Points."""
THUMB, DOUBT, FEW = 0.4, 0.3, 2
"""Assumptions about opponents, as when false alarms were measured: the share of rules of thumb,
and the doubt in the belief with at most so many hidden cards (none with more)."""
NEAR_END = 100
"""Score of either seat from which points do not decide any more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A judged reply.

    Attributes:
        hand: the number of its hand, from 1.
        high: whether its stakes are high.
        best: whether the best card was played.
        lost: points below the best card.
    """

    hand: int
    high: bool
    best: bool
    lost: float


def replies(ruleset: Ruleset, moves: Sequence[Move], seat: int) -> Iterator[Reply]:
    """Yield the judged replies of a seat in a log; forced cards are none.

    Takes about 50 ms for a game.

    Raises:
        IllegalMove: if the log cannot be replayed.
    """
    state = rules.start(ruleset)
    for move in moves:
        if isinstance(move, Play) and move.seat == seat:
            view = view_for(state, seat)
            values = reply_values(view)
            if values:
                rank = RANK[move.card]
                yield judged(view, values, rank)
        state = rules.apply(state, move).state


def reply_values(view: View) -> dict[int, float]:
    """Return the points to come for each rank; none if there is no choice, or near the end."""
    if not view.plays or max(view.scores) >= NEAR_END:
        return {}
    position = play_position(view)
    if len(position.legal) == 1:
        return {}
    opponent = Opponent(THUMB, doubt=DOUBT if position.theirs <= FEW else 0.0)
    points = np.round(plays.rate(position, plays.MOST_HANDS, opponent)[:, 0], 9)
    return dict(zip(map(int, position.legal), map(float, points), strict=True))


def judged(view: View, values: dict[int, float], rank: int) -> Reply:
    """Return the judgement on playing a rank, from the values of all."""
    best = max(values.values())
    usual = values[heuristics.rank_to_play(view)]
    return Reply(view.hand, best - usual >= STAKES, values[rank] == best, best - values[rank])
