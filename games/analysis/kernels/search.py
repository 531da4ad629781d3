"""Kernels for searching the play with two seats: belief about the hidden hand, then expectation.

`games.analysis.kernels.belief` weighs the opponent's possible hands. Each of the player's choices
is then followed to the end of the play, with both sides playing the strategy, and the final
positions are valued by the chance to win.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.belief import (
    MOST,
    blend,
    hidden_hands,
    likelihood,
    sorted_index,
    subsample,
)
from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.play import (
    LIMIT,
    next_leader,
    next_turn,
    pips_of,
    play_points,
)
from games.analysis.kernels.policy import ACTIONS
from games.analysis.kernels.selfplay import blended_chances
from games.analysis.kernels.show import rank_index

Array = NDArray[Any]

DEEPEST = 9
"""Depth of the stack: eight cards are played, and the level after the last is written too."""
FEW = 3
"""The most hidden cards of the opponent for which a belief may be in doubt: one was played."""


@compiled
def end_value(scores: Array, shows: Array, after: Array, me: int) -> float:
    """Return seat ``me``'s chance to win when the play has ended: pone counts, then the dealer.

    `shows[seat]` holds the points of each hand, `after[pone, dealer]` the dealer's chance to win
    before the crib is counted. The target is always 121; games to 61 start at 60.
    """
    pone = scores[0] + shows[0]
    if pone >= 121:
        won = 0.0
    else:
        dealer = scores[1] + shows[1]
        won = 1.0 if dealer >= 121 else after[pone, dealer]
    return won if me == 1 else 1.0 - won


@compiled
def expect(
    hands: Array,
    sizes: Array,
    past: Array,
    line: Array,
    forced: int,
    scores: Array,
    shows: Array,
    after: Array,
    policy: Array,
    heuristic_share: float,
    greedy_share: float,
    me: int,
    result: Array,
) -> None:
    """Write the expected result of playing ``forced`` now and following the strategy after that.

    If ``forced`` is -1, the strategy plays from the first card on. `line` is start, number of cards
    played, count, turn and the seat that passed. `result` gets the points that `me` gains over the
    other seat, and its chance to win. The search is depth first with an explicit stack, since Numba
    cannot cache recursive functions.
    """
    ranks = np.empty((DEEPEST, ACTIONS), dtype=np.int64)
    chance = np.empty((DEEPEST, ACTIONS))
    number = np.zeros(DEEPEST, dtype=np.int64)
    tried = np.zeros(DEEPEST, dtype=np.int64)
    earned = np.zeros(DEEPEST, dtype=np.int64)
    place = np.zeros((DEEPEST, 5), dtype=np.int64)
    sums = np.zeros((DEEPEST, 2))
    place[0] = line
    if forced >= 0:
        number[0] = 1
        ranks[0, 0] = forced
        chance[0, 0] = 1.0
    else:
        number[0] = blended_chances(
            hands,
            sizes,
            past,
            line[0],
            line[1],
            line[2],
            line[3],
            line[4],
            policy,
            0.0 if line[3] == me else heuristic_share,
            0.0 if line[3] == me else greedy_share,
            ranks[0],
            chance[0],
        )
    level = 0
    while True:
        start, n, count, turn, passed = place[level]
        if tried[level] == number[level]:
            if level == 0:
                result[:] = sums[0]
                return
            level -= 1
            _take_back(
                hands, sizes, scores, place[level, 3], ranks[level, tried[level] - 1], earned[level]
            )
            share = chance[level, tried[level] - 1]
            signed = earned[level] if place[level, 3] == me else -earned[level]
            sums[level, 0] += share * (sums[level + 1, 0] + signed)
            sums[level, 1] += share * sums[level + 1, 1]
            continue
        at = tried[level]
        tried[level] += 1
        if chance[level, at] <= 0.0:
            continue
        rank = ranks[level, at]
        points = play_points(past, start, n, rank, count)
        total = count + pips_of(rank)
        hands[turn, rank] -= 1
        sizes[turn] -= 1
        past[n] = rank
        following = next_turn(hands, turn, total)
        if following < 0 and total != LIMIT:
            points += 1
        scores[turn] += points
        below = place[level + 1]
        below[1] = n + 1
        if following >= 0:
            below[0] = start
            below[2] = total
            below[4] = 1 - turn if following == turn and sizes[1 - turn] > 0 else passed
        else:
            following = next_leader(hands, turn)
            below[0] = n + 1
            below[2] = 0
            below[4] = -1
        below[3] = following
        if scores[turn] >= 121 or following < 0:
            if scores[turn] >= 121:
                won = 1.0 if turn == me else 0.0
            else:
                won = end_value(scores, shows, after, me)
            _take_back(hands, sizes, scores, turn, rank, points)
            sums[level, 0] += chance[level, at] * (points if turn == me else -points)
            sums[level, 1] += chance[level, at] * won
            continue
        earned[level] = points
        level += 1
        tried[level] = 0
        sums[level] = 0.0
        number[level] = blended_chances(
            hands,
            sizes,
            past,
            below[0],
            below[1],
            below[2],
            following,
            below[4],
            policy,
            0.0 if following == me else heuristic_share,
            0.0 if following == me else greedy_share,
            ranks[level],
            chance[level],
        )


@compiled
def _take_back(
    hands: Array, sizes: Array, scores: Array, turn: int, rank: int, points: int
) -> None:
    hands[turn, rank] += 1
    sizes[turn] += 1
    scores[turn] -= points


@compiled
def rate_plays(
    five: Array,
    mine: Array,
    past: Array,
    who: Array,
    start: int,
    n: int,
    count: int,
    passed: int,
    me: int,
    unseen: Array,
    theirs: int,
    keeps: Array,
    scores: Array,
    show: int,
    starter: int,
    after: Array,
    policy: Array,
    heuristic_share: float,
    greedy_share: float,
    doubt: float,
    strict: bool,
    legal: Array,
    most: int,
    out: Array,
) -> int:
    """Rate each rank of ``legal``: ``out[i]`` is points to come (own less theirs), chance to win.

    `unseen[rank]` counts the cards hidden from the seat, of which the opponent holds `theirs`;
    `keeps[hand]` is how often its role keeps four ranks; `show` is the points of the seat's own
    hand with the starter; `starter` is a rank. With at most `FEW` cards hidden in the opponent's
    hand, a share of ``doubt`` of the belief goes to all possible hands alike; ``strict`` is as in
    `likelihood`. At most ``most`` hidden hands are considered; their number is returned.
    """
    found = np.zeros((MOST, 4), dtype=np.int64)
    weights = np.zeros(MOST)
    number = hidden_hands(unseen, theirs, found, weights) if theirs > 0 else 1
    if theirs == 0:
        weights[0] = 1.0
    ways = weights.copy()
    four = np.zeros(4, dtype=np.int64)
    at = theirs
    for index in range(n):
        if who[index] != me:
            four[at] = past[index]
            at += 1
    for index in range(number):
        four[:theirs] = found[index, :theirs]
        weights[index] *= keeps[sorted_index(four)]
        if weights[index] > 0.0 and theirs > 0:
            weights[index] *= likelihood(
                mine,
                found[index],
                theirs,
                past,
                who,
                n,
                me,
                policy,
                heuristic_share,
                greedy_share,
                strict,
            )
    if weights[:number].sum() <= 0.0:
        weights[:number] = 1.0
    if doubt > 0.0 and theirs <= FEW:
        blend(weights[:number], ways[:number], doubt)
    subsample(weights, number, most)
    hands = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    shows = np.zeros(2, dtype=np.int64)
    result = np.zeros(2)
    played = past.copy()
    line = np.array([start, n, count, me, passed])
    total = weights[:number].sum()
    used = 0
    out[:] = 0.0
    for index in range(number):
        if weights[index] <= 0.0:
            continue
        used += 1
        four[:theirs] = found[index, :theirs]
        hands[me] = mine
        hands[1 - me] = 0
        for place in range(theirs):
            hands[1 - me, four[place]] += 1
        sizes[me] = mine.sum()
        sizes[1 - me] = theirs
        shows[me] = show
        shows[1 - me] = five[rank_index(four[0], four[1], four[2], four[3]) + starter]
        for choice in range(legal.shape[0]):
            expect(
                hands,
                sizes,
                played,
                line,
                legal[choice],
                scores,
                shows,
                after,
                policy,
                heuristic_share,
                greedy_share,
                me,
                result,
            )
            out[choice] += weights[index] / total * result
    return used
