"""Luck with starters, which is a cheat signal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from games.api import PACK, count_hand

LEAST_SD = 2.0
"""Minimum standard deviation, points; a few quiet hands would otherwise give a huge z-score."""


def starter_luck(kept: Sequence[int], dealt: Sequence[int], starter: int) -> float:
    """Return a hand's points with its starter minus their mean over all unseen starters.

    Players who know the starters beforehand keep cards that fit; only this number shows it.
    """
    hidden = [card for card in PACK if card not in dealt]
    mean = sum(count_hand(kept, card) for card in hidden) / len(hidden)
    return count_hand(kept, starter) - mean


def z_score(own: Sequence[float], others: Sequence[Sequence[float]]) -> float:
    """Return how far a player's starter luck is above that of others with the same cards.

    Args:
        own: luck in each of the player's hands, points.
        others: for each of these hands, the luck of the other plays of that seat; hands without
            other plays are skipped.
    """
    excess, variance = 0.0, 0.0
    for luck, field in zip(own, others, strict=True):
        if field:
            mean = sum(field) / len(field)
            spread = sum((value - mean) ** 2 for value in field) / len(field)
            excess += luck - mean
            variance += spread + LEAST_SD**2 / (1 + len(field))
    return excess / sqrt(variance) if variance else 0.0
