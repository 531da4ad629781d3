"""Glicko-2 ratings of puzzles and of the players who solve them.

Each attempt is one game between a player and a puzzle, and a rating period of its own. The library
follows Mark Glickman's paper (https://www.glicko.net/glicko/glicko2.pdf).
"""

from __future__ import annotations

from dataclasses import dataclass

from glicko2.math.algorithm import update_rating
from glicko2.math.conversions import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi

DEVIATION, PUZZLE_DEVIATION = 350.0, 200.0
"""First deviations, of a player and of a puzzle, whose first rating is an estimate."""

LEAST_DEVIATION = 45.0
"""The deviation never falls below this, so that a rating keeps following its player."""

VOLATILITY = 0.06


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating, its deviation and its volatility."""

    rating: float = 1500.0
    deviation: float = DEVIATION
    volatility: float = VOLATILITY


def after(own: Glicko, other: Glicko, score: float) -> Glicko:
    """Return a rating after one game; ``score`` is 1 for a win and 0 for a loss."""
    game = rating_to_mu(other.rating), rd_to_phi(other.deviation), score
    found = update_rating(
        rating_to_mu(own.rating), rd_to_phi(own.deviation), own.volatility, [game]
    )
    deviation = min(DEVIATION, max(LEAST_DEVIATION, phi_to_rd(found.phi)))
    return Glicko(mu_to_rating(found.mu), deviation, found.sigma)
