"""A measure of how well a player's discards fit cards that they cannot see: their opponent's.

The crib that a discard makes depends on what the opponent throws, and so on the opponent's six
cards. Each discard is credited with the points of the crib that it makes with them, less those that
the likely discards from the same hand make, and less the mean of this difference over random
redeals of the hidden cards. Players who decide from their own cards gain nothing on average,
whatever their strength and habits, since their choice is the same for every redeal. Players who see
the opponent's cards do.

Two seats. The opponent's throw is taken from a rule of thumb, the same for the real cards and
the redealt ones. Their real discard plays no part: it would depend on their habits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables
from games.analysis.deal_values import Luck
from games.engine.cards import PACK, RANK, Card

Array = NDArray[Any]

REDEALS = 100
"""Random redeals of the opponent's cards for one discard."""
OWN_SPREAD = 1.0
"""Points that a discard may fall short of the best of its hand and still be likely."""
THEIR_SPREAD = 0.5
"""The same for the opponent's discard."""

_PAIRS = np.array(list(combinations(range(6), 2)))
_KEPT = np.array([[at for at in range(6) if at not in pair] for pair in _PAIRS])


def hidden_fit(
    dealt: Sequence[Card], thrown: Sequence[Card], theirs: Sequence[Card], *, dealer: bool
) -> Luck:
    """Return the points of crib that a discard gains from the opponent's cards, and their variance.

    Args:
        dealt: the six cards dealt to the player.
        thrown: the two of them that were discarded.
        theirs: the six cards dealt to the opponent.
        dealer: whether the player deals, so that the crib is theirs.

    Raises:
        ValueError: if two of the six cards were not discarded.
    """
    chosen = [set(pair) for pair in combinations(dealt, 2)].index(set(thrown))
    return hidden_fits(dealt, theirs, dealer=dealer)[chosen]


def hidden_fits(dealt: Sequence[Card], theirs: Sequence[Card], *, dealer: bool) -> list[Luck]:
    """Return `hidden_fit` of each of the fifteen discards, in the order of `combinations`."""
    own = np.array([[RANK[card] for card in dealt]])
    likely = _likely_discards(own, dealer, OWN_SPREAD)[0]
    average = average_points()
    cribs = np.array([average[tuple(ranks)] for ranks in own[0][_PAIRS]]).reshape(15, 169)
    hands = np.array([[RANK[card] for card in theirs], *_redealt(dealt)])
    chances = _likely_discards(hands, not dealer, THEIR_SPREAD)
    thrown = hands[:, _PAIRS]
    cells = (169 * np.arange(len(hands)))[:, None] + 13 * thrown[..., 0] + thrown[..., 1]
    answers = np.bincount(cells.ravel(), chances.ravel(), 169 * len(hands)).reshape(-1, 169)
    points = answers @ cribs.T
    gained = points - (points @ likely)[:, None]
    if not dealer:
        gained = -gained
    fits = gained[0] - gained[1:].mean(axis=0)
    variances = gained[1:].var(axis=0, ddof=1) * (1 + 1 / REDEALS)
    return [Luck(float(fit), float(of)) for fit, of in zip(fits, variances, strict=True)]


def _likely_discards(hands: Array, dealer: bool, spread: float) -> Array:
    """Return the chance of each of the fifteen discards of six ranks, shape (number, 15).

    They are the better ones by averages of the hand and the crib; ``hands`` has shape (number, 6).
    """
    kept, thrown = hands[:, _KEPT], hands[:, _PAIRS]
    points = average_points()[kept[..., 0], kept[..., 1], kept[..., 2], kept[..., 3]]
    cribs = _average_cribs()[thrown[..., 0], thrown[..., 1]]
    values = points + cribs if dealer else points - cribs
    chances: Array = np.exp((values - values.max(axis=1, keepdims=True)) / spread)
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def _redealt(dealt: Sequence[Card]) -> Array:
    """Return the ranks of random hands of six from the cards not dealt to the player.

    The seed is the player's cards, so that every call returns the same.
    """
    hidden = np.array([RANK[card] for card in PACK if card not in dealt])
    rng = np.random.default_rng(sorted(dealt))
    order = rng.random((REDEALS, len(hidden))).argpartition(6, axis=1)[:, :6]
    ranks: Array = hidden[order]
    return ranks


@cache
def _average_cribs() -> Array:
    return np.asarray(tables.load("crib_2"))


@cache
def average_points() -> Array:
    """Return the average points of any four ranks over all starters, shape (13, 13, 13, 13)."""
    from games.analysis.kernels import show

    points = show.five_table().reshape((13,) * 5).astype(float)
    ranks = np.indices((13,) * 4)
    held = np.stack([(ranks == rank).sum(axis=0) for rank in range(13)], axis=-1)
    left = np.maximum(4 - held, 0)
    averages: Array = (points * left).sum(axis=-1) / left.sum(axis=-1)
    return averages
