"""Evaluation of discards: points and the chance to win."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables, three, winning
from games.analysis.discard_value import DiscardValue, Role
from games.engine.cards import RANK, Card

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

JACK = 10


@dataclass(frozen=True, slots=True)
class Throws:
    """The fifteen discards of six sorted cards with their values, in the kernels' order.

    `hands[throw, points]` counts starters, `cribs[throw, points]` are probabilities, and
    `averages[throw]` is hand, crib, the player's pegging and the opponent's pegging. `known` are
    cards seen elsewhere.
    """

    cards: tuple[Card, ...]
    dealer: bool
    hands: Array
    cribs: Array
    averages: Array
    known: tuple[Card, ...] = ()

    @property
    def thrown(self) -> list[tuple[Card, ...]]:
        """The cards of each discard."""
        return list(combinations(self.cards, 2))

    @property
    def totals(self) -> Array:
        """Points of each discard for its player: hand, crib and pegging."""
        sign = 1.0 if self.dealer else -1.0
        averages = self.averages
        totals: Array = averages[:, 0] + sign * averages[:, 1] + averages[:, 2] - averages[:, 3]
        return totals


@cache
def throw_weights() -> Array:
    """Return how often each role discards two ranks, relative to chance: shape (2, 13, 13)."""
    return np.asarray(tables.load("throws_2"), dtype=np.float64)


@cache
def peg_means(*, habits: bool = False) -> Array:
    """Return each hand's points in the play and the opponent's, in hundredths: (2, 13**4, 2).

    The first index is the role, 0 for pone; the second has four ranks from low to high as digits.
    Both play the solved strategy, or with ``habits`` by rules of thumb in two plays of five.
    """
    if not habits:
        return np.asarray(tables.load("pegs_2"))
    hands = np.array(list(combinations_with_replacement(range(13), 4)))
    means = np.zeros((2, 13**4, 2), dtype=np.int16)
    means[:, hands @ (13**3, 13**2, 13, 1)] = tables.load("pegs_2_habits")
    means.flags.writeable = False  # as tables are: kernels are compiled for them
    return means


def value_throws(
    cards: Sequence[Card], dealer: bool, known: Collection[Card] = (), *, habits: bool = True
) -> Throws:
    """Return the discards of six different cards with their values.

    ``known`` are other cards that the player has seen: none of them is the starter or in the crib.
    ``habits`` is as in `peg_means`.
    """
    from games.analysis.kernels import discard, show

    held = tuple(sorted(cards))
    hands = np.zeros((15, discard.POINTS), dtype=np.int64)
    cribs = np.zeros((15, discard.POINTS))
    averages = np.zeros((15, 4))
    if known:
        _value_with(held, dealer, known, peg_means(habits=habits), hands, cribs, averages)
        return Throws(held, dealer, hands, cribs, averages, tuple(sorted(known)))
    discard.value_throws(
        show.five_table(),
        np.array(held, dtype=np.int64),
        int(dealer),
        throw_weights(),
        peg_means(habits=habits),
        hands,
        cribs,
        averages,
    )
    return Throws(held, dealer, hands, cribs, averages)


def _value_with(
    held: Sequence[Card],
    dealer: bool,
    known: Collection[Card],
    pegging: Array,
    hands: Array,
    cribs: Array,
    averages: Array,
) -> None:
    """Write the values of `value_throws` with some cards known: its loop, one throw at a time."""
    from games.analysis.kernels import discard, show

    hidden = np.ones(52, dtype=np.int64)
    hidden[[*held, *known]] = 0
    five, weights = show.five_table(), throw_weights()[1 - int(dealer)]
    for at, thrown in enumerate(combinations(held, 2)):
        kept = np.array([card for card in held if card not in thrown], dtype=np.int64)
        pair = np.array(thrown, dtype=np.int64)
        averages[at, 0] = discard.hand_spread(five, kept, hidden, hands[at])
        averages[at, 1] = discard.crib_spread(five, pair, hidden, weights, cribs[at])
        pegs = pegging[int(dealer), discard.peg_index(kept)]
        averages[at, 2], averages[at, 3] = pegs[0] / 100.0, pegs[1] / 100.0


def chances(throws: Throws, own: int, other: int) -> Array:
    """Return the chance to win a game to 121 from these scores, for each discard."""
    from games.analysis.kernels import winning as winning_kernel

    seen = (*throws.cards, *throws.known)
    jacks = sum(RANK[card] == JACK for card in seen)
    scores = (other, own) if throws.dealer else (own, other)
    pegs, shows = winning.spreads()
    out = np.zeros(15)
    winning_kernel.win_throws(
        np.array(scores, dtype=np.int64),
        int(throws.dealer),
        (4 - jacks) / (52 - len(seen)),
        throws.hands,
        throws.cribs,
        throws.averages,
        pegs,
        shows,
        winning.dealer_chances(),
        out,
    )
    return out


def best_by_points(view: View) -> tuple[Card, ...]:
    """Return the discard with the most expected points, without habits; two seats."""
    throws = value_throws(view.cards, view.seat == view.dealer, habits=False)
    return throws.thrown[_first_best(throws.totals)]


def best_by_chance(view: View, *, habits: bool) -> tuple[Card, ...]:
    """Return the discard with the best chance to win; two seats, ``habits`` as in `peg_means`."""
    throws = value_throws(view.cards, view.seat == view.dealer, habits=habits)
    own, other = winning.to_full(view)
    return throws.thrown[_first_best(chances(throws, own, other))]


def _first_best(values: Array) -> int:
    """Return the index of the highest value, rounded to nine digits so that machines agree."""
    return int(np.argmax(np.round(values, 9)))


def average_points(
    cards: Sequence[Card], role: Role, seats: int = 2
) -> dict[tuple[Card, ...], float]:
    """Return the points of each discard, as `DiscardValue.total`, by its sorted cards.

    Much faster than `evaluate_discards`, which also computes the chance to win.
    """
    if seats == 2:
        throws = value_throws(cards, role == "dealer")
        return dict(zip(throws.thrown, map(float, throws.totals), strict=True))
    held, number = tuple(sorted(cards)), 2 if role == "dealer" else 0
    averages, _ = three.value_throws(held, number, exact=True)
    points = three.totals(averages, number)
    return {(card,): float(points[at]) for at, card in enumerate(held)}


def evaluate_discards(
    cards: Sequence[Card],
    role: Role,
    scores: tuple[int, ...] | None = None,
    seats: int = 2,
    *,
    target: int = 121,
    known: Collection[Card] = (),
) -> tuple[DiscardValue, ...]:
    """Return every discard of six cards (five with three seats) with its value, best first.

    ``scores`` are the player's, then the others' to the left (default: all 0). Discards are sorted
    by the chance to win if scores are given, otherwise by points. ``known`` are other cards that
    the player has seen (two seats only). For three seats see `games.analysis.three`.

    Raises:
        ValueError: if these are not six different cards, or the scores are invalid.
    """
    if seats == 3:
        return three.evaluate_discards(tuple(cards), role, scores, target=target)
    if len(set(cards)) != 6 or len(cards) != 6:
        raise ValueError(f"six different cards are needed, not {len(set(cards))}")
    if scores is not None and len(scores) != 2:
        raise ValueError(f"two scores are needed with two seats, not {scores}")
    own, other = scores or (0, 0)
    if not (0 <= own < target and 0 <= other < target):
        raise ValueError(f"scores must be from 0 to {target - 1}, not {own} and {other}")
    throws = value_throws(cards, role == "dealer", known)
    ahead = 121 - target
    won = chances(throws, own + ahead, other + ahead)
    totals = throws.totals
    values = [
        DiscardValue(
            thrown=thrown,
            kept=tuple(card for card in throws.cards if card not in thrown),
            hand=float(throws.averages[at, 0]),
            spread=tuple(int(number) for number in throws.hands[at]),
            crib=float(throws.averages[at, 1]),
            pegging=float(throws.averages[at, 2] - throws.averages[at, 3]),
            total=float(totals[at]),
            chance=float(won[at]),
        )
        for at, thrown in enumerate(throws.thrown)
    ]
    if scores is None:
        return tuple(sorted(values, key=lambda value: (-value.total, value.thrown)))
    return tuple(sorted(values, key=lambda value: (-value.chance, value.thrown)))
