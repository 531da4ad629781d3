"""Evaluation of cards in the play with two seats: points and the chance to win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables, winning
from games.analysis.opponents import Opponent, assumed, solving
from games.analysis.positions import PlayPosition, by_rank, play_position
from games.engine.cards import PIPS, RANK, Card

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

MOST_HANDS = 160
"""The highest number of hidden hands considered for one decision."""


FIRST_HOUSE = Opponent(thumb=0.4)
"""The opponent that version 1 of the house computer assumes; it never changes."""


@dataclass(frozen=True, slots=True)
class PlayValue:
    """The value of playing ``card``.

    `points` is the player's points less the opponent's in the rest of the play, including this
    card; `chance` is the chance to win the game; `share` is how often the solved strategy plays
    this rank here, None if it does not know the position.
    """

    card: Card
    points: float
    chance: float
    share: float | None


@cache
def strategy() -> Array:
    """Return the solved strategy, in the format of `games.analysis.kernels.selfplay.look_up`."""
    return np.asarray(tables.load("play_2"))


def evaluate_plays(view: View, most: int = MOST_HANDS) -> tuple[PlayValue, ...]:
    """Return each legal card with its value, best chance to win first.

    ``most`` limits the number of hidden hands considered, and so the time. For three seats see
    `games.analysis.three`.

    Raises:
        ValueError: if it is not the turn of the view's seat to play a card.
    """
    shares: list[float] | None = None
    if view.ruleset.players == 3:
        from games.analysis import three

        legal, rated = three.rate(view, most)
    else:
        position = play_position(view)
        legal, rated = position.legal, rate(position, most)
        shares = strategy_shares(position)
    at = {int(rank): index for index, rank in enumerate(legal)}
    values = [
        PlayValue(
            card,
            float(rated[at[RANK[card]], 0]),
            float(rated[at[RANK[card]], 1]),
            None if shares is None else shares[at[RANK[card]]],
        )
        for card in view.legal.cards
    ]
    return tuple(sorted(values, key=lambda value: (-value.chance, value.card)))


def rate(
    position: PlayPosition, most: int, opponent: Opponent | None = None, strict: bool = True
) -> Array:
    """Return points to come and the chance to win for each rank of ``position.legal``.

    If ``opponent`` is None, it is `games.analysis.opponents.assumed`. At most ``most`` hidden hands
    are considered. Without ``strict``, hands that could have gone on at the end of a count count as
    possible.
    """
    from games.analysis.kernels import search, show

    if opponent is None:
        opponent = assumed(position)
    out = np.zeros((len(position.legal), 2))
    search.rate_plays(
        show.five_table(),
        position.hand,
        position.past,
        position.who,
        position.start,
        position.number,
        position.count,
        position.passed,
        position.me,
        position.unseen,
        position.theirs,
        opponent.keeps(1 - position.me),
        position.scores,
        position.show,
        position.starter,
        winning.before_crib(),
        strategy(),
        opponent.thumb,
        opponent.greed,
        opponent.doubt,
        strict,
        position.legal,
        most,
        out,
    )
    return out


def strategy_shares(position: PlayPosition) -> list[float] | None:
    """Return how often the solved strategy plays each legal rank; None in unknown positions."""
    from games.analysis.kernels import policy, selfplay

    number = len(position.legal)
    if number == 1:
        return [1.0]
    key = policy.infoset_key(
        position.hand,
        position.past,
        position.start,
        position.number,
        position.count,
        position.theirs,
        position.passed >= 0,
    )
    chance = np.zeros(4)
    if not selfplay.look_up(strategy(), key, number, chance):
        return None
    return [float(share) for share in chance[:number]]


def opening_shares(kept: Sequence[Card], led: int | None = None) -> dict[int, float]:
    """Return how often the solved strategy leads each rank of four cards; empty if unknown.

    With ``led``, the rank that pone led, it is the dealer's answer.
    """
    number = 0 if led is None else 1
    past = np.zeros(9, dtype=np.int64)
    past[0] = led or 0
    nothing = np.zeros(13, dtype=np.int64)
    ranks = sorted({RANK[card] for card in kept})
    position = PlayPosition(
        me=number,
        hand=by_rank(tuple(kept)),
        past=past,
        who=np.zeros(9, dtype=np.int64),
        start=0,
        number=number,
        count=0 if led is None else PIPS[4 * led],
        passed=-1,
        unseen=nothing,
        theirs=4 - number,
        scores=np.zeros(2, dtype=np.int64),
        show=0,
        starter=0,
        legal=np.array(ranks, dtype=np.int64),
    )
    shares = strategy_shares(position)
    return {} if shares is None else dict(zip(ranks, shares, strict=True))


def rank_by_strategy(view: View) -> int | None:
    """Return the rank that the solved strategy plays most often, the lowest on a tie; two seats.

    Returns None if it does not know the position.
    """
    position = play_position(view)
    shares = strategy_shares(position)
    return None if shares is None else int(position.legal[shares.index(max(shares))])


def rank_by_search(view: View, most: int = MOST_HANDS, solved: bool = False) -> int:
    """Return the rank with the best chance to win; two seats.

    If ``solved``, the opponent is taken to play the solved strategy alone.

    On a tie it is the one with more points to come, then the lowest: a point that wins at once
    should not be left to the count.
    """
    position = play_position(view)
    if len(position.legal) == 1:
        return int(position.legal[0])
    opponent = solving(position) if solved else None
    rated = np.round(rate(position, most, opponent), 9)
    best = max(range(len(rated)), key=lambda at: (rated[at, 1], rated[at, 0], -at))
    return int(position.legal[best])


def rank_of_first_house(view: View) -> int:
    """Return the rank of the house computer's version 1: its belief, and the lowest on a tie."""
    position = play_position(view)
    if len(position.legal) == 1:
        return int(position.legal[0])
    rated = rate(position, MOST_HANDS, FIRST_HOUSE, strict=False)
    return int(position.legal[np.argmax(np.round(rated[:, 1], 9))])
