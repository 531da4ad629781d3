"""How lucky somebody was with his own starters. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from games.api import PACK, count_hand

LEAST_SD = 2.0
"""Points; below it a few quiet hands would make a z-score of nothing."""


def starter_luck(kept: Sequence[int], dealt: Sequence[int], starter: int) -> float:
    """Return the points that a starter gave a hand beyond its average over all starters.

    Knowing the starters beforehand shows here and nowhere else: such a player keeps what will
    fit. The average is over the cards that the player had not seen.
    """
    hidden = [card for card in PACK if card not in dealt]
    mean = sum(count_hand(kept, card) for card in hidden) / len(hidden)
    return count_hand(kept, starter) - mean


def z_score(own: Sequence[float], others: Sequence[Sequence[float]]) -> float:
    """Return how far a player's starter luck is from that of the others with the same cards.

    Args:
        own: the luck in each of the player's hands, points.
        others: for each of these hands the luck of the other plays of that seat; hands that
            nobody else played are left out.
    """
    excess, variance = 0.0, 0.0
    for luck, field in zip(own, others, strict=True):
        if field:
            mean = sum(field) / len(field)
            spread = sum((value - mean) ** 2 for value in field) / len(field)
            excess += luck - mean
            variance += spread + LEAST_SD**2 / (1 + len(field))
    return excess / sqrt(variance) if variance else 0.0
