"""Kernels of the opponents' styles: the throws and cards of three yardsticks, and of a casual one.

They answer as those of `games.bots.yardsticks` (a test compares them), a thousand times as fast.
The casual player is the club player with slips: each value gets a random error (Gumbel), drawn from
the hand's seed, so that the same seed makes the same choices. Role 0 is pone, 1 the dealer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import POINTS, best_by_points, split, value_throws
from games.analysis.kernels.play import LIMIT, heuristic_rank, heuristic_value, pips_of, play_points
from games.analysis.kernels.policy import ACTIONS, choices, infoset_key, mix
from games.analysis.kernels.selfplay import look_up
from games.analysis.kernels.show import count_cards

Array = NDArray[Any]

KEEN, CLUB, EXPERT, CASUAL = 0, 1, 2, 3
STYLES = {"keen": KEEN, "club": CLUB, "expert": EXPERT, "casual": CASUAL}

THROW_SLIP, PLAY_SLIP = 0.5, 0.4
"""The casual player's errors, in points: the scale of the Gumbel distribution."""
FIVE = 4


@compiled
def slip(seed: int, at: int) -> float:
    """Return the Gumbel-distributed number of a seed."""
    bits = (mix(seed, at) >> 11) & 0x1FFFFFFFFFFFFF
    share = (float(bits) + 0.5) / 9007199254740992.0
    return float(-np.log(-np.log(share)))


@compiled
def crib_by_eye(one: int, two: int) -> float:
    """Return the keen player's estimate of two cards in a crib; ``one`` is the lower."""
    a = one >> 2
    b = two >> 2
    worth = 0.0
    if pips_of(a) + pips_of(b) == 15:
        worth += 2.0
    if a == b:
        worth += 2.0
    worth += (a == FIVE) + (b == FIVE)
    return worth + (0.5 if b - a == 1 else 0.0)


@compiled
def throw_of(
    style: int,
    cards: Array,
    dealer: int,
    seed: int,
    five: Array,
    cribs: Array,
    throws: Array,
    pegs: Array,
) -> int:
    """Return which of the fifteen discards of six sorted cards a style makes, at an even score."""
    if style == EXPERT:
        spreads = np.empty((15, POINTS), dtype=np.int64)
        crib_spreads = np.empty((15, POINTS))
        values = np.empty((15, 4))
        value_throws(five, cards, dealer, throws, pegs, spreads, crib_spreads, values)
        return int(best_by_points(values, dealer))
    hidden = np.ones(52, dtype=np.int64)
    for at in range(6):
        hidden[cards[at]] = 0
    kept = np.empty(4, dtype=np.int64)
    thrown = np.empty(2, dtype=np.int64)
    sign = 1.0 if dealer == 1 else -1.0
    best = 0
    best_value = -1000.0
    for number in range(15):
        split(cards, number, kept, thrown)
        total = 0
        for starter in range(52):
            if hidden[starter] == 1:
                total += count_cards(five, kept, starter, False)
        value = total / 46.0
        if style == KEEN:
            value += 0.6 * sign * crib_by_eye(thrown[0], thrown[1])
        else:
            value += sign * cribs[thrown[0] >> 2, thrown[1] >> 2]
        if style == CASUAL:
            value += THROW_SLIP * slip(seed, number)
        if value > best_value + 1e-9:
            best = number
            best_value = value
    return best


@compiled
def card_of(
    style: int,
    hands: Array,
    sizes: Array,
    known: Array,
    past: Array,
    who: Array,
    start: int,
    n: int,
    count: int,
    turn: int,
    passed: int,
    seed: int,
    policy: Array,
) -> int:
    """Return the rank that a style plays; ``known[role]`` counts its six cards and the starter."""
    hand = hands[turn]
    ranks = np.empty(ACTIONS, dtype=np.int64)
    number = choices(hand, count, ranks)
    if number == 1:
        return int(ranks[0])
    other = 1 - turn
    if style == KEEN:
        return nora_card(ranks, number, past, start, n, count)
    if style == EXPERT:
        chance = np.empty(ACTIONS)
        key = infoset_key(hand, past, start, n, count, sizes[other], passed == other)
        if look_up(policy, key, number, chance):
            best = 0
            for at in range(1, number):
                if chance[at] > chance[best]:
                    best = at
            return int(ranks[best])
    unseen = np.empty(13, dtype=np.int64)
    for rank in range(13):
        unseen[rank] = 4 - known[turn, rank]
    for at in range(n):
        if who[at] != turn:
            unseen[past[at]] -= 1
    if style != CASUAL:
        return int(heuristic_rank(hand, past, start, n, count, unseen, sizes[other]))
    key = mix(seed, infoset_key(hand, past, start, n, count, sizes[other], passed == other))
    picked = -1
    best_value = -1000.0
    for at in range(number):
        value = heuristic_value(hand, past, start, n, count, unseen, sizes[other], ranks[at])
        value += PLAY_SLIP * slip(key, at)
        if value > best_value:
            picked = ranks[at]
            best_value = value
    return int(picked)


@compiled
def nora_card(ranks: Array, number: int, past: Array, start: int, n: int, count: int) -> int:
    """Return the keen player's card of the playable ``ranks``: points now, then habits."""
    picked = -1
    best_value = -1000.0
    for at in range(number):
        rank = ranks[at]
        pips = pips_of(rank)
        value = float(play_points(past, start, n, rank, count))
        if n == start:
            if rank == FIVE or pips == 10:
                value += 0.1
            else:
                value += 0.8 if pips < 5 else 0.5
        else:
            value += 0.02 * pips
            if count + pips == 5 or count + pips == LIMIT - 10:
                value -= 0.6
        if value > best_value + 1e-9:
            picked = rank
            best_value = value
    return int(picked)
