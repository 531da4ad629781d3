"""Scoring of a hand or crib: four cards and the starter.

`score_hand` names each combination with its cards; `count_hand` returns the total only, much
faster, from a table of ranks that is built on first use (about 6,200 entries). The rules are those
of the American Cribbage Congress, chart 1.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Literal

from games.engine.cards import JACK, PIPS, RANK, SUIT, Card

PartKind = Literal[
    "fifteen",
    "pair",
    "pair_royal",
    "double_pair_royal",
    "run",
    "flush",
    "nobs",
    "thirty_one",
]

PAIR_KINDS: dict[int, tuple[PartKind, int]] = {
    2: ("pair", 2),
    3: ("pair_royal", 6),
    4: ("double_pair_royal", 12),
}
"""Number of cards of equal rank -> kind of combination and its points."""

MAX_HAND = 29
"""The highest count of a hand."""


@dataclass(frozen=True, slots=True)
class Part:
    """One scoring combination: its kind, cards and points."""

    kind: PartKind
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The points of a hand or crib: the total, and the parts that add up to it."""

    total: int
    parts: tuple[Part, ...]


def score_hand(hand: Sequence[Card], starter: Card, is_crib: bool = False) -> Breakdown:
    """Count four cards and the starter, naming each combination.

    The order is the one in which players call them: fifteens (fewest cards first), pairs, runs,
    flush, nobs.

    Raises:
        ValueError: if these are not four cards and a starter, all different.
    """
    five = (*hand, starter)
    if len(five) != 5 or len(set(five)) != 5:
        raise ValueError(f"expected four cards and a starter, all different, not {five!r}")
    parts = (
        *_fifteens(five),
        *_pairs(five),
        *_runs(five),
        *_flush(hand, starter, is_crib),
        *_nobs(hand, starter),
    )
    return Breakdown(sum(part.points for part in parts), parts)


def count_hand(hand: Sequence[Card], starter: Card, is_crib: bool = False) -> int:
    """Return the points of four cards and the starter: the total of `score_hand`, much faster.

    The cards must be different, which is not checked.
    """
    a, b, c, d = hand
    points = _POINTS[_WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c] + _WEIGHT[d] + _WEIGHT[starter]]
    suit = SUIT[a]
    if suit == SUIT[b] == SUIT[c] == SUIT[d]:
        if suit == SUIT[starter]:
            points += 5
        elif not is_crib:
            points += 4
    if _NOB[starter] in hand:
        points += 1
    return points


def _fifteens(five: tuple[Card, ...]) -> list[Part]:
    return [
        Part("fifteen", some, 2)
        for size in range(2, 6)
        for some in combinations(five, size)
        if sum(PIPS[card] for card in some) == 15
    ]


def _by_rank(five: tuple[Card, ...]) -> list[list[Card]]:
    groups: list[list[Card]] = [[] for _ in range(13)]
    for card in five:
        groups[RANK[card]].append(card)
    return groups


def _pairs(five: tuple[Card, ...]) -> list[Part]:
    parts = []
    for group in _by_rank(five):
        if len(group) > 1:
            kind, points = PAIR_KINDS[len(group)]
            parts.append(Part(kind, tuple(group), points))
    return parts


def _runs(five: tuple[Card, ...]) -> list[Part]:
    groups = _by_rank(five)
    best: list[list[Card]] = []
    streak: list[list[Card]] = []
    for group in [*groups, []]:
        if group:
            streak.append(group)
            continue
        if len(streak) > len(best):
            best = streak
        streak = []
    if len(best) < 3:
        return []
    return [Part("run", cards, len(cards)) for cards in product(*best)]


def _flush(hand: Sequence[Card], starter: Card, is_crib: bool) -> list[Part]:
    if len({SUIT[card] for card in hand}) > 1:
        return []
    if SUIT[starter] == SUIT[hand[0]]:
        return [Part("flush", (*hand, starter), 5)]
    return [] if is_crib else [Part("flush", tuple(hand), 4)]


def _nobs(hand: Sequence[Card], starter: Card) -> list[Part]:
    nob = _NOB[starter]
    return [Part("nobs", (nob,), 1)] if nob in hand else []


_NOB: tuple[Card, ...] = tuple(4 * JACK + SUIT[starter] for starter in range(52))
"""Starter -> the jack of its suit."""

_WEIGHT: tuple[int, ...] = tuple(5 ** RANK[card] for card in range(52))
"""At most four cards share a rank, so the sum of five weights is unique for any five ranks."""


class _RankTable(dict[int, int]):
    """Sum of five weights -> points of fifteens, pairs and runs; filled on first use."""

    def __missing__(self, weights: int) -> int:
        if self:
            raise KeyError(weights)
        points: dict[int, int] = {}
        for ranks in combinations_with_replacement(range(13), 5):
            if max(ranks.count(rank) for rank in ranks) <= 4:
                five = tuple(4 * rank + ranks[:at].count(rank) for at, rank in enumerate(ranks))
                parts = _fifteens(five) + _pairs(five) + _runs(five)
                points[sum(_WEIGHT[card] for card in five)] = sum(part.points for part in parts)
        self.update(points)  # in one step, so that no other thread sees a partial table
        return points[weights]


_POINTS = _RankTable()


def fill_tables() -> None:
    """Fill what is otherwise filled by the first hand that is counted, in about 100 ms."""
    count_hand((0, 1, 2, 3), 4)
