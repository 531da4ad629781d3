"""What each throw is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables, winning
from games.engine.cards import RANK, Card

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]
Role = Literal["pone", "dealer"]

JACK = 10


@dataclass(frozen=True, slots=True)
class DiscardValue:
    """What throwing ``thrown`` and keeping ``kept`` is worth, averages in points.

    `hand` is exact over every starter, and `spread[points]` counts the starters that give each.
    `crib` is the crib's average whoever owns it, over the opponents' throws as they are really made
    and every starter. `pegging` is own points in the play less the opponents'. `total` adds up,
    the crib taken off where it is an opponent's. `chance` is the chance to win the game.
    """

    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float
    spread: tuple[int, ...]
    crib: float
    pegging: float
    total: float
    chance: float


@dataclass(frozen=True, slots=True)
class Throws:
    """The fifteen throws of six sorted cards as the kernels value them, in the same order.

    `hands[throw, points]` counts starters, `cribs[throw, points]` are chances, `averages[throw]` is
    hand, crib, own pegging, the opponent's pegging.
    """

    cards: tuple[Card, ...]
    dealer: bool
    hands: Array
    cribs: Array
    averages: Array

    @property
    def thrown(self) -> list[tuple[Card, ...]]:
        """The throws."""
        return list(combinations(self.cards, 2))

    @property
    def totals(self) -> Array:
        """Points of each throw: hand, crib and pegging, seen from the thrower."""
        sign = 1.0 if self.dealer else -1.0
        averages = self.averages
        totals: Array = averages[:, 0] + sign * averages[:, 1] + averages[:, 2] - averages[:, 3]
        return totals


@cache
def throw_weights() -> Array:
    """Return how much more often than blindly each role throws two ranks: shape (2, 13, 13)."""
    return np.asarray(tables.load("throws_2"), dtype=np.float64)


@cache
def peg_means() -> Array:
    """Return own and other points in the play by role and hand, in hundredths."""
    return np.asarray(tables.load("pegs_2"))


def value_throws(cards: Sequence[Card], dealer: bool) -> Throws:
    """Return the throws of six different cards, valued."""
    from games.analysis import discard_kernel, show_kernel

    held = tuple(sorted(cards))
    hands = np.zeros((15, discard_kernel.POINTS), dtype=np.int64)
    cribs = np.zeros((15, discard_kernel.POINTS))
    averages = np.zeros((15, 4))
    discard_kernel.value_throws(
        show_kernel.five_table(),
        np.array(held, dtype=np.int64),
        int(dealer),
        throw_weights(),
        peg_means(),
        hands,
        cribs,
        averages,
    )
    return Throws(held, dealer, hands, cribs, averages)


def chances(throws: Throws, own: int, other: int) -> Array:
    """Return each throw's chance to win a game to 121 from these scores."""
    from games.analysis import winning_kernel

    jacks = sum(RANK[card] == JACK for card in throws.cards)
    scores = (other, own) if throws.dealer else (own, other)
    pegs, shows = winning.spreads()
    out = np.zeros(15)
    winning_kernel.win_throws(
        np.array(scores, dtype=np.int64),
        int(throws.dealer),
        (4 - jacks) / 46,
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
    """Return the throw with the most points to be expected; two seats."""
    throws = value_throws(view.cards, view.seat == view.dealer)
    return throws.thrown[_first_best(throws.totals)]


def best_by_chance(view: View) -> tuple[Card, ...]:
    """Return the throw with the best chance to win; two seats."""
    throws = value_throws(view.cards, view.seat == view.dealer)
    own, other = winning.to_full(view)
    return throws.thrown[_first_best(chances(throws, own, other))]


def _first_best(values: Array) -> int:
    """Return where the highest value stands, to nine digits, so that machines agree."""
    return int(np.argmax(np.round(values, 9)))


def evaluate_discards(
    cards: Sequence[Card],
    role: Role,
    scores: tuple[int, ...] | None = None,
    seats: int = 2,
    *,
    target: int = 121,
) -> tuple[DiscardValue, ...]:
    """Return every throw of six cards (five with three seats) with its value, best first.

    ``scores`` are own and then the others' to the left, by default nobody has scored; with scores
    the best chance to win comes first, without them the most points. Three seats: see
    `games.analysis.three`.

    Raises:
        ValueError: if these are not six different cards, or no scores before the end of a game.
    """
    if seats == 3:
        from games.analysis import three

        return three.evaluate_discards(tuple(cards), role, scores, target=target)
    if len(set(cards)) != 6 or len(cards) != 6:
        raise ValueError(f"six different cards are parted, not {len(set(cards))}")
    if scores is not None and len(scores) != 2:
        raise ValueError(f"two scores are needed with two seats, not {scores}")
    own, other = scores or (0, 0)
    if not (0 <= own < target and 0 <= other < target):
        raise ValueError(f"scores are from 0 to {target - 1}, not {own} and {other}")
    throws = value_throws(cards, role == "dealer")
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
