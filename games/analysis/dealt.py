"""What cards that were dealt are worth, and how lucky a deal, a starter or a crib was. Exact.

Three pieces of chance, each measured against its own exact expectation, so that each sums to zero
in the long run whoever plays and however he plays:

- the deal: the points of the best throw of these cards, less the mean of that over every deal
  there is (20,358,520 of six cards, 2,598,960 of five) for the same role;
- the starter: what it made of the hand that was kept (and his heels), less the mean over the
  46 (three seats: 47) cards that the player had not seen;
- the crib: what the starter made of the four cards in it, less the mean over all the cards that
  had not been dealt.

Each comes with its variance, exact as well: of a sum over independent hands the variances add up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from games.analysis import discards, three
from games.engine.cards import JACK, PACK, RANK, Card
from games.engine.scoring import count_hand

PONE = 0
"""Roles count from pone to the dealer: the dealer's is the number of seats less one."""

DEALS: dict[tuple[int, int], tuple[float, float]] = {
    (2, 0): (2.1799279490824746, 6.844186874532426),
    (2, 1): (13.996951828199755, 8.950438314497404),
    (3, 0): (3.1958114715351824, 7.304179709877795),
    (3, 1): (4.6860241856895835, 7.076127236176003),
    (3, 2): (12.21116454821338, 7.720886373509501),
}
"""(seats, role) -> mean and variance of `Worth.total` over every deal, as `measure` found them.

They belong to the tables that throws are valued by, and are measured anew when those change.
"""


@dataclass(frozen=True, slots=True)
class Worth:
    """What the best throw of a deal brings on average, in points.

    `hand` and `crib` (the dealer's, whoever that is) are averages over starters and the others'
    throws, `pegging` own points in the play, his heels left out. `total` is what throws are
    compared by: the crib taken off where it is another's, the others' pegging taken off too.
    """

    hand: float
    crib: float
    pegging: float
    total: float


@dataclass(frozen=True, slots=True)
class Luck:
    """Points beyond the expectation, and the variance that they had."""

    points: float
    variance: float


def worth(cards: Sequence[Card], *, seats: int, role: int) -> Worth:
    """Return what a deal is worth to who plays it best.

    Args:
        cards: six different cards with two seats, five with three.
        seats: 2 or 3.
        role: 0 pone, up to the dealer.
    """
    held = tuple(sorted(cards))
    if seats == 2:
        throws = discards.value_throws(held, role == 1)
        averages, totals = throws.averages, throws.totals
    else:
        averages, _ = three.value_throws(held, role)
        totals = three.totals(averages, role)
    best = int(np.argmax(np.round(totals, 9)))
    hand, crib, pegging, _ = averages[best]
    return Worth(float(hand), float(crib), float(pegging), float(totals[best]))


def heels(cards: Collection[Card]) -> float:
    """Return the points that his heels brings a dealer with these cards on average."""
    jacks = sum(RANK[card] == JACK for card in cards)
    return 2 * (4 - jacks) / (52 - len(cards))


def deal_luck(found: Worth, *, seats: int, role: int) -> Luck:
    """Return how much better than the average deal this one was."""
    mean, variance = DEALS[seats, role]
    return Luck(found.total - mean, variance)


def starter_luck(
    kept: Sequence[Card], dealt: Collection[Card], starter: Card, *, dealer: bool
) -> Luck:
    """Return what the starter gave a hand, and the dealer by his heels, beyond the average."""

    def points(card: Card) -> int:
        return count_hand(kept, card) + (2 if dealer and RANK[card] == JACK else 0)

    return _luck(points(starter), (points(card) for card in PACK if card not in dealt))


def crib_luck(crib: Sequence[Card], dealt: Collection[Card], starter: Card) -> Luck:
    """Return what the starter gave a crib beyond the average; ``dealt`` are all cards dealt."""
    return _luck(
        count_hand(crib, starter, is_crib=True),
        (count_hand(crib, card, is_crib=True) for card in PACK if card not in dealt),
    )


def measure(seats: int, role: int) -> tuple[float, float]:
    """Return mean and variance of `Worth.total` over every deal; minutes of one processor."""
    from games.analysis import dealt_kernel, show_kernel

    five = show_kernel.five_table()
    sums = np.zeros(3)
    for first in range(52 - (6 if seats == 2 else 5) + 1):
        if seats == 2:
            weights, pegs = discards.throw_weights(), discards.peg_means()
            dealt_kernel.sum_two(five, first, role, weights, pegs, sums)
        else:
            dealt_kernel.sum_three(five, first, role, three.crib_means(), three.peg_means(), sums)
    number, total, squares = (float(value) for value in sums)
    mean = total / number
    return mean, squares / number - mean * mean


def _luck(found: int, possible: Iterable[int]) -> Luck:
    values = list(possible)
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return Luck(found - mean, variance)
