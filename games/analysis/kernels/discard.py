"""Kernels for the discard with two seats: exact distributions of hands and cribs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.show import JACK, rank_index, suit_points

Array = NDArray[Any]

POINTS = 30
"""Counts run from 0 to 29."""


@compiled
def split(cards: Array, number: int, kept: Array, thrown: Array) -> None:
    """Write the ``number``-th of the fifteen discards of six cards to ``kept`` and ``thrown``."""
    left = number
    first = 0
    while left >= 5 - first:
        left -= 5 - first
        first += 1
    second = first + 1 + left
    at = 0
    for index in range(6):
        if index != first and index != second:
            kept[at] = cards[index]
            at += 1
    thrown[0] = cards[first]
    thrown[1] = cards[second]


@compiled
def hand_spread(five: Array, kept: Array, hidden: Array, out: Array) -> float:
    """Write the number of starters for each number of points to ``out``; return the average.

    `hidden[card]` is 1 for every card that may be the starter. The average is exact.
    """
    base = rank_index(kept[0] >> 2, kept[1] >> 2, kept[2] >> 2, kept[3] >> 2)
    out[:] = 0
    total = 0
    number = 0
    for starter in range(52):
        if hidden[starter]:
            points = five[base + (starter >> 2)] + suit_points(kept, starter, False)
            out[points] += 1
            total += points
            number += 1
    return total / number


@compiled
def crib_spread(five: Array, thrown: Array, hidden: Array, throws: Array, out: Array) -> float:
    """Write the probability of each number of crib points to ``out``; return the average.

    It considers all starters and all discards of the opponent from the hidden cards, weighted by
    `throws[rank, rank]`: their frequency relative to chance. The distribution counts ranks only;
    the average includes nobs and flushes too, with random suits for the opponent's discard.
    """
    ranks = np.zeros(13, dtype=np.int64)
    suits = np.zeros(4, dtype=np.int64)
    for card in range(52):
        if hidden[card]:
            ranks[card >> 2] += 1
            suits[card & 3] += 1
    total = int(suits.sum())
    a = thrown[0] >> 2
    b = thrown[1] >> 2
    out[:] = 0.0
    weights = 0.0
    mean = 0.0
    jacks = 0.0
    for c in range(13):
        for d in range(c, 13):
            if c == d:
                weight = ranks[c] * (ranks[c] - 1) / 2 * throws[c, d]
            else:
                weight = ranks[c] * ranks[d] * throws[c, d]
            if weight <= 0.0:
                continue
            weights += weight
            if c == JACK:
                jacks += weight
            if d == JACK:
                jacks += weight
            ranks[c] -= 1
            ranks[d] -= 1
            base = rank_index(a, b, c, d)
            share = weight / (total - 2)
            for starter in range(13):
                if ranks[starter] > 0:
                    points = five[base + starter]
                    out[points] += share * ranks[starter]
            ranks[c] += 1
            ranks[d] += 1
    for points in range(POINTS):
        out[points] /= weights
        mean += points * out[points]
    return mean + _suits(thrown, suits, hidden, total, jacks / weights)


@compiled
def _suits(thrown: Array, suits: Array, hidden: Array, total: int, jacks: float) -> float:
    """Return a crib's average points for nobs and flush.

    `jacks` is the average number of jacks in the opponent's discard.
    """
    worth = 0.0
    for at in range(2):
        if thrown[at] >> 2 == JACK:
            worth += suits[thrown[at] & 3] / total
    held = 0
    followers = 0
    for suit in range(4):
        if hidden[4 * JACK + suit]:
            held += 1
            followers += suits[suit] - 1
    if held > 0:
        worth += jacks * followers / held / (total - 1)
    if thrown[0] & 3 == thrown[1] & 3:
        same = suits[thrown[0] & 3]
        worth += 5.0 * same * (same - 1) * (same - 2) / (total * (total - 1) * (total - 2))
    return worth


@compiled
def peg_index(kept: Array) -> int:
    """Return the index of four cards' ranks, lowest first, in a table of 13**4 hands."""
    a = kept[0] >> 2
    b = kept[1] >> 2
    c = kept[2] >> 2
    d = kept[3] >> 2
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return int(((a * 13 + b) * 13 + c) * 13 + d)


@compiled
def value_throws(
    five: Array,
    cards: Array,
    dealer: int,
    throws: Array,
    pegs: Array,
    hands: Array,
    cribs: Array,
    out: Array,
) -> None:
    """Value the fifteen discards of six cards.

    `dealer` is 1 for the dealer, 0 for pone. `throws[role]` has the weights of that role's discards
    (see `crib_spread`); `pegs[role, hand]` has the hand's points in the play and the opponent's, in
    hundredths. Writes `hands[throw, points]` (starters), `cribs[throw, points]` (probabilities) and
    `out[throw]`: hand average, crib average, the player's pegging, the opponent's pegging.
    """
    hidden = np.ones(52, dtype=np.int64)
    for at in range(6):
        hidden[cards[at]] = 0
    kept = np.empty(4, dtype=np.int64)
    thrown = np.empty(2, dtype=np.int64)
    for number in range(15):
        split(cards, number, kept, thrown)
        out[number, 0] = hand_spread(five, kept, hidden, hands[number])
        out[number, 1] = crib_spread(five, thrown, hidden, throws[1 - dealer], cribs[number])
        index = peg_index(kept)
        out[number, 2] = pegs[dealer, index, 0] / 100.0
        out[number, 3] = pegs[dealer, index, 1] / 100.0


@compiled
def best_by_average(five: Array, cards: Array, dealer: int, cribs: Array) -> int:
    """Return a club player's discard of six sorted cards: the first with the best averages.

    The hand is averaged over every starter; `cribs[rank, rank]` is the average crib with two ranks.
    """
    hidden = np.ones(52, dtype=np.int64)
    for at in range(6):
        hidden[cards[at]] = 0
    kept = np.empty(4, dtype=np.int64)
    thrown = np.empty(2, dtype=np.int64)
    starters = np.empty(POINTS, dtype=np.int64)
    best = 0
    best_value = -1000.0
    for number in range(15):
        split(cards, number, kept, thrown)
        crib = cribs[thrown[0] >> 2, thrown[1] >> 2]
        value = hand_spread(five, kept, hidden, starters) + (crib if dealer else -crib)
        if value > best_value + 1e-9:
            best = number
            best_value = value
    return best


@compiled
def best_by_points(out: Array, dealer: int) -> int:
    """Return the discard with the best sum of hand, crib and pegging; the first on a tie."""
    best = 0
    best_value = -1000.0
    for number in range(15):
        crib = out[number, 1] if dealer else -out[number, 1]
        value = out[number, 0] + crib + out[number, 2] - out[number, 3]
        if value > best_value + 1e-9:
            best = number
            best_value = value
    return best
