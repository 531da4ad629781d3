"""Kernels for the belief about the opponent's hidden hand, in the play with two seats.

The possible hands are weighted by the number of ways to hold them, how often they are kept, and
the likelihood of the cards played so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.play import LIMIT, next_leader, next_turn, pips_of
from games.analysis.kernels.policy import ACTIONS
from games.analysis.kernels.selfplay import blended_chances
from games.analysis.kernels.show import rank_index

Array = NDArray[Any]

MOST = 1820
"""The number of different hands of four ranks."""
DEVIATION = 0.12
"""Assumed share of the opponent's plays that deviate from the strategy."""


@compiled
def hidden_hands(unseen: Array, size: int, out: Array, ways: Array) -> int:
    """Write all hands of ``size`` ranks that the unseen cards allow; return their number.

    `out[i]` holds the ranks, lowest first; `ways[i]` is the number of card sets with these ranks.
    """
    ranks = np.zeros(4, dtype=np.int64)
    found = 0
    while True:
        number = 1.0
        run = 0
        for at in range(size):
            run = run + 1 if at > 0 and ranks[at] == ranks[at - 1] else 1
            number *= max(0, unseen[ranks[at]] - run + 1) / run
        if number > 0.0:
            out[found, :size] = ranks[:size]
            ways[found] = number
            found += 1
        at = size - 1
        while at >= 0 and ranks[at] == 12:
            at -= 1
        if at < 0:
            return found
        rank = ranks[at] + 1
        for later in range(at, size):
            ranks[later] = rank


@compiled
def sorted_index(ranks: Array) -> int:
    """Return the index of a hand of four ranks, in any order, among the `MOST` different ones."""
    four = np.sort(ranks)
    return rank_index(four[0], four[1], four[2], four[3]) // 13


@compiled
def likelihood(
    mine: Array,
    rest: Array,
    left: int,
    past: Array,
    who: Array,
    n: int,
    me: int,
    policy: Array,
    heuristic_share: float,
    greedy_share: float,
    strict: bool,
) -> float:
    """Return the likelihood of the opponent's plays if it now holds ``rest``.

    `mine` counts the cards in the hand of seat `me`; `left` is the number of cards that the
    opponent still holds. The play is replayed card by card; the result is 0 if a go rules the hand
    out. If ``strict``, it is also 0 if the opponent led a new count although it could still play.
    """
    hands = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    hands[me] = mine
    for at in range(left):
        hands[1 - me, rest[at]] += 1
    for at in range(n):
        hands[who[at], past[at]] += 1
    sizes[0] = hands[0].sum()
    sizes[1] = hands[1].sum()
    ranks = np.empty(ACTIONS, dtype=np.int64)
    chance = np.empty(ACTIONS)
    start = 0
    count = 0
    passed = -1
    turn = 0
    found = 1.0
    for at in range(n):
        if turn != who[at] or (strict and count + pips_of(past[at]) > LIMIT):
            return 0.0
        if turn != me:
            number = blended_chances(
                hands,
                sizes,
                past,
                start,
                at,
                count,
                turn,
                passed,
                policy,
                heuristic_share,
                greedy_share,
                ranks,
                chance,
            )
            for index in range(number):
                if ranks[index] == past[at]:
                    found *= DEVIATION / number + (1.0 - DEVIATION) * chance[index]
        count += pips_of(past[at])
        hands[turn, past[at]] -= 1
        sizes[turn] -= 1
        following = next_turn(hands, turn, count)
        if following < 0:
            following = next_leader(hands, turn)
            start = at + 1
            count = 0
            passed = -1
        elif following == turn and sizes[1 - turn] > 0:
            passed = 1 - turn
        turn = following
    if turn != me:
        return 0.0
    return found


@compiled
def subsample(weights: Array, number: int, most: int) -> None:
    """Reduce the weights to at most ``most`` positive ones by deterministic systematic sampling."""
    if number <= most:
        return
    step = weights[:number].sum() / most
    due = step / 2
    passed = 0.0
    for at in range(number):
        passed += weights[at]
        times = 0
        while due < passed and times < most:
            due += step
            times += 1
        weights[at] = step * times


@compiled
def blend(weights: Array, ways: Array, doubt: float) -> None:
    """Give a share of ``doubt`` to the possible hands, in proportion to their ``ways``."""
    total = weights.sum()
    possible = 0.0
    for at in range(weights.shape[0]):
        if weights[at] > 0.0:
            possible += ways[at]
    for at in range(weights.shape[0]):
        if weights[at] > 0.0:
            weights[at] = (1.0 - doubt) * weights[at] / total + doubt * ways[at] / possible
