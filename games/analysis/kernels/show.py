"""Kernels for the show: points by ranks, for counting millions of hands."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled

Array = NDArray[Any]

JACK = 10


@cache
def five_table() -> Array:
    """Return the points for fifteens, pairs and runs of five ranks in any order.

    Shape (13**5,), int8, indexed by the ranks as digits of base 13; five equal ranks hold 0.
    """
    made = np.zeros(13**5, dtype=np.int8)
    _fill(made)
    return made


@compiled
def _fill(table: Array) -> None:
    ranks = np.zeros(5, dtype=np.int64)
    for index in range(13**5):
        rest = index
        for at in range(5):
            ranks[4 - at] = rest % 13
            rest //= 13
        table[index] = _rank_points(ranks)


@compiled
def _rank_points(ranks: Array) -> int:
    counts = np.zeros(15, dtype=np.int64)
    for at in range(5):
        counts[ranks[at]] += 1
    points = 0
    for rank in range(13):
        if counts[rank] > 4:
            return 0
        points += counts[rank] * (counts[rank] - 1)
    for subset in range(1, 32):
        total = 0
        for at in range(5):
            if subset >> at & 1:
                total += min(ranks[at] + 1, 10)
        if total == 15:
            points += 2
    length, ways = 0, 1
    for rank in range(14):
        if counts[rank] > 0:
            length += 1
            ways *= counts[rank]
        else:
            if length >= 3:
                points += length * ways
            length, ways = 0, 1
    return points


@compiled
def rank_index(a: int, b: int, c: int, d: int) -> int:
    """Return the index of four ranks in `five_table`; add the starter's rank."""
    return (((a * 13 + b) * 13 + c) * 13 + d) * 13


@compiled
def count_cards(five: Array, hand: Array, starter: int, is_crib: bool) -> int:
    """Return the points of four cards (not ranks) and the starter."""
    base = rank_index(hand[0] >> 2, hand[1] >> 2, hand[2] >> 2, hand[3] >> 2)
    points = five[base + (starter >> 2)] + 0
    return int(points + suit_points(hand, starter, is_crib))


@compiled
def count_many(five: Array, hands: Array, out: Array) -> None:
    """Write the points of many hands; each row is four cards, then the starter."""
    for at in range(hands.shape[0]):
        out[at] = count_cards(five, hands[at, :4], hands[at, 4], False)


@compiled
def suit_points(hand: Array, starter: int, is_crib: bool) -> int:
    """Return the points for a flush and nobs."""
    points = 0
    suit = hand[0] & 3
    if hand[1] & 3 == suit and hand[2] & 3 == suit and hand[3] & 3 == suit:
        if starter & 3 == suit:
            points = 5
        elif not is_crib:
            points = 4
    nob = 4 * JACK + (starter & 3)
    for at in range(4):
        if hand[at] == nob:
            points += 1
    return points
