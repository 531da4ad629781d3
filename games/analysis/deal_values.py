"""Exact values of dealt cards, and the luck of a deal, a starter or a crib.

Each kind of luck is measured against its exact expectation, so in the long run it sums to zero for
every player, however they play:

- the deal: the points of the best discard from these cards, less their mean over all deals
  (20,358,520 of six cards, 2,598,960 of five) for the same role;
- the starter: the points of the kept hand with it (and his heels), less the mean over the 46
  (three seats: 47) cards that the player had not seen;
- the crib: its points with the starter, less the mean over all cards that had not been dealt.

Each comes with its exact variance; variances of independent hands add up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from games.analysis import discards, three
from games.engine.cards import JACK, PACK, RANK, Card
from games.engine.scoring import count_hand

DEALS: dict[tuple[int, int], tuple[float, float]] = {
    (2, 0): (2.1799279490824746, 6.844186874532426),
    (2, 1): (13.996951828199755, 8.950438314497404),
    (3, 0): (3.1958114715351824, 7.304179709877795),
    (3, 1): (4.6860241856895835, 7.076127236176003),
    (3, 2): (12.21116454821338, 7.720886373509501),
}
"""(seats, role) -> mean and variance of `DealValue.total` over all deals, from `measure`.

They depend on the tables that value discards, and must be measured again if those change.
"""


@dataclass(frozen=True, slots=True)
class DealValue:
    """The average points of a deal after the best discard.

    `hand` and `crib` (always the dealer's) are averages over starters and the others' discards;
    `pegging` is the player's points in the play without his heels. `total` is the value by which
    discards are compared: hand and pegging, plus or minus the crib, less the others' pegging.
    """

    hand: float
    crib: float
    pegging: float
    total: float


@dataclass(frozen=True, slots=True)
class Luck:
    """Points above the expected number, and their variance."""

    points: float
    variance: float


def deal_value(cards: Sequence[Card], *, seats: int, role: int) -> DealValue:
    """Return the value of a deal with the best discard.

    Args:
        cards: six different cards with two seats, five with three.
        seats: 2 or 3.
        role: 0 pone, up to the dealer.
    """
    held = tuple(sorted(cards))
    if seats == 2:
        throws = discards.value_throws(held, role == 1, habits=False)
        averages, totals = throws.averages, throws.totals
    else:
        averages, _ = three.value_throws(held, role)
        totals = three.totals(averages, role)
    best = int(np.argmax(np.round(totals, 9)))
    hand, crib, pegging, _ = averages[best]
    return DealValue(float(hand), float(crib), float(pegging), float(totals[best]))


def heels(cards: Collection[Card]) -> float:
    """Return the average points for his heels of a dealer who holds these cards."""
    jacks = sum(RANK[card] == JACK for card in cards)
    return 2 * (4 - jacks) / (52 - len(cards))


def deal_luck(found: DealValue, *, seats: int, role: int) -> Luck:
    """Return the luck of a deal: its value less that of the average deal."""
    mean, variance = DEALS[seats, role]
    return Luck(found.total - mean, variance)


def starter_luck(
    kept: Sequence[Card], dealt: Collection[Card], starter: Card, *, dealer: bool
) -> Luck:
    """Return the luck of the starter for a hand; the dealer's includes his heels."""

    def points(card: Card) -> int:
        return count_hand(kept, card) + (2 if dealer and RANK[card] == JACK else 0)

    return _luck(points(starter), (points(card) for card in PACK if card not in dealt))


def crib_luck(crib: Sequence[Card], dealt: Collection[Card], starter: Card) -> Luck:
    """Return the luck of the starter for a crib; ``dealt`` are all cards dealt."""
    return _luck(
        count_hand(crib, starter, is_crib=True),
        (count_hand(crib, card, is_crib=True) for card in PACK if card not in dealt),
    )


def measure(seats: int, role: int) -> tuple[float, float]:
    """Return the mean and variance of `DealValue.total` over all deals; takes minutes of CPU."""
    from games.analysis.kernels import deal_values, show

    five = show.five_table()
    sums = np.zeros(3)
    for first in range(52 - (6 if seats == 2 else 5) + 1):
        if seats == 2:
            weights, pegs = discards.throw_weights(), discards.peg_means()
            deal_values.sum_two(five, first, role, weights, pegs, sums)
        else:
            deal_values.sum_three(five, first, role, three.crib_means(), three.peg_means(), sums)
    number, total, squares = (float(value) for value in sums)
    mean = total / number
    return mean, squares / number - mean * mean


def _luck(found: int, possible: Iterable[int]) -> Luck:
    values = list(possible)
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return Luck(found - mean, variance)
