"""From skill in points to what people read: rating, RD, expectation, standard score."""

from math import erf, sqrt
from typing import overload

import numpy as np

from ratings.model.arrays import Floats
from ratings.model.constants import CENTRE, FIRST_DEAL_ELO, PROVISIONAL_RD, Constants


@overload
def rating(skill: float, constants: Constants) -> float: ...
@overload
def rating(skill: Floats, constants: Constants) -> Floats: ...
def rating(skill: float | Floats, constants: Constants) -> float | Floats:
    """Elo-like rating of a skill in points."""
    return CENTRE + constants.elo_per_point * skill


@overload
def deviation(variance: float, constants: Constants) -> float: ...
@overload
def deviation(variance: Floats, constants: Constants) -> Floats: ...
def deviation(variance: float | Floats, constants: Constants) -> float | Floats:
    """RD, in Elo: one standard deviation of the doubt; `variance` in points squared."""
    root = np.sqrt(variance) * constants.elo_per_point
    return root if isinstance(variance, np.ndarray) else float(root)


def is_provisional(rd: float) -> bool:
    """Whether so large an RD (Elo) leaves the rating provisional."""
    return rd > PROVISIONAL_RD


def list_order(rating: float, rd: float) -> float:
    """What leaderboards sort by, Elo: a rating that the player has very likely earned."""
    return rating - rd


def win_expectation(rating: float, opponent: float, *, first_dealer: bool) -> float:
    """Chance (0..1) to win one game of two players on random cards."""
    edge = FIRST_DEAL_ELO if first_dealer else -FIRST_DEAL_ELO
    return float(1.0 / (1.0 + 10.0 ** (-(rating - opponent + edge) / 400.0)))


def standard_score(skill: float, constants: Constants) -> float:
    """Share (0..100) of other plays with the same cards that this skill beats.

    Two plays of one seat differ by the noise of both, the skill of the other player who held
    it, and that of the opponents at both tables (two seats: 2*sigma2 + 3*tau2).
    """
    others = 1.0 + 2.0 / (constants.seats - 1)
    spread = sqrt(2.0 * constants.noise + others * constants.tau2)
    return 50.0 * (1.0 + erf(skill / spread / sqrt(2.0)))
