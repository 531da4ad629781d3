"""Kernels over all deals: the average value of six cards (five with three seats)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels import discard, three
from games.analysis.kernels.compiled import compiled

Array = NDArray[Any]


@compiled
def ways(cards: Array, number: int) -> int:
    """Return the number of deals that equal these cards up to a permutation of the suits.

    It is 0 for all but one deal of each class (the one whose suits hold decreasing sets of ranks),
    so that a sum over all deals visits each class once.
    """
    suits = np.zeros(4, dtype=np.int64)
    for at in range(number):
        suits[cards[at] & 3] |= 1 << (cards[at] >> 2)
    orders = 24
    alike = 1
    for suit in range(1, 4):
        if suits[suit] > suits[suit - 1]:
            return 0
        alike = alike + 1 if suits[suit] == suits[suit - 1] else 1
        orders //= alike
    return orders


@compiled
def sum_two(five: Array, first: int, dealer: int, throws: Array, pegs: Array, out: Array) -> None:
    """Sum the best discards of all deals of six cards whose lowest is `first`; two seats.

    Adds to `out` the number of deals, their points (hand, crib and pegging), and the squares.
    """
    cards = np.empty(6, dtype=np.int64)
    hands = np.zeros((15, discard.POINTS), dtype=np.int64)
    cribs = np.zeros((15, discard.POINTS))
    values = np.zeros((15, 4))
    cards[0] = first
    for b in range(first + 1, 48):
        cards[1] = b
        for c in range(b + 1, 49):
            cards[2] = c
            for d in range(c + 1, 50):
                cards[3] = d
                for e in range(d + 1, 51):
                    cards[4] = e
                    for f in range(e + 1, 52):
                        cards[5] = f
                        weight = ways(cards, 6)
                        if weight == 0:
                            continue
                        discard.value_throws(
                            five, cards, dealer, throws, pegs, hands, cribs, values
                        )
                        at = discard.best_by_points(values, dealer)
                        crib = values[at, 1] if dealer else -values[at, 1]
                        points = values[at, 0] + crib + values[at, 2] - values[at, 3]
                        out[0] += weight
                        out[1] += weight * points
                        out[2] += weight * points * points


@compiled
def sum_three(five: Array, first: int, role: int, cribs: Array, pegs: Array, out: Array) -> None:
    """Sum the best discards of all deals of five cards whose lowest is `first`; three seats.

    The two opponents' points count half. Adds to `out` like `sum_two`.
    """
    cards = np.empty(5, dtype=np.int64)
    values = np.zeros((5, 4))
    hidden = np.ones(52, dtype=np.int64)
    sign = 1.0 if role == 2 else -0.5
    cards[0] = first
    for b in range(first + 1, 49):
        cards[1] = b
        for c in range(b + 1, 50):
            cards[2] = c
            for d in range(c + 1, 51):
                cards[3] = d
                for e in range(d + 1, 52):
                    cards[4] = e
                    weight = ways(cards, 5)
                    if weight == 0:
                        continue
                    for at in range(5):
                        hidden[cards[at]] = 0
                    three.value_throws(five, cards, hidden, role, cribs, pegs, values)
                    for at in range(5):
                        hidden[cards[at]] = 1
                    best = -1000.0
                    for at in range(5):
                        points = (
                            values[at, 0]
                            + sign * values[at, 1]
                            + values[at, 2]
                            - 0.5 * values[at, 3]
                        )
                        best = max(best, points)
                    out[0] += weight
                    out[1] += weight * best
                    out[2] += weight * best * best
