"""Scales that people read, computed from skill: rating, RD, win expectation, standard score."""

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
    """Return the rating, in Elo, of a skill in points."""
    return CENTRE + constants.elo_per_point * skill


@overload
def deviation(variance: float, constants: Constants) -> float: ...
@overload
def deviation(variance: Floats, constants: Constants) -> Floats: ...
def deviation(variance: float | Floats, constants: Constants) -> float | Floats:
    """Return the RD (rating deviation), in Elo: one standard deviation of the uncertainty.

    `variance` is that of the skill, in points squared.
    """
    root = np.sqrt(variance) * constants.elo_per_point
    return root if isinstance(variance, np.ndarray) else float(root)


def is_provisional(rd: float) -> bool:
    """Whether a rating with this RD (Elo) is provisional."""
    return rd > PROVISIONAL_RD


def list_order(rating: float, rd: float) -> float:
    """Return the sort key of leaderboards, Elo: a lower confidence bound of the rating."""
    return rating - rd


def win_expectation(rating: float, opponent: float, *, first_dealer: bool) -> float:
    """Return the chance (0..1) to win a two-player game on random cards."""
    edge = FIRST_DEAL_ELO if first_dealer else -FIRST_DEAL_ELO
    return float(1.0 / (1.0 + 10.0 ** (-(rating - opponent + edge) / 400.0)))


def standard_score(skill: float, constants: Constants) -> float:
    """Return the expected share (0..100) of other plays of the same cards that this skill beats.

    The difference of two plays of one seat has the noise of both plays, the skill of the other
    player, and the skills of the opponents at both tables (two seats: 2*sigma2 + 3*tau2).
    """
    others = 1.0 + 2.0 / (constants.seats - 1)
    spread = sqrt(2.0 * constants.noise + others * constants.tau2)
    return 50.0 * (1.0 + erf(skill / spread / sqrt(2.0)))
