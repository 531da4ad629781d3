"""Statistics of foul play that need no database: passing points, hidden cards, pace.

All of them are evidence for moderators, never proof. `make bench-fair` measures how often honest
players exceed the thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log, sqrt
from statistics import pstdev

THREE_SEATS_PASSED = 470.0
"""Variance of the difference of two scores in an honest game of three, points squared."""
THREE_SEATS_JOINT = 340.0
"""Variance of a third player's score below the mean of the others, points squared."""
LEAST_TOGETHER = 5
"""Games of three that two players must share."""
TABLE_ALARM = 3.6
PEGGING_ALARM = 5.0
THROWS_ALARM = 4.0
LEAST_THROWS = 40
"""Throws whose fit with the opponent's cards is judged."""
LEAST_PLAYS = 100
"""Plays whose pace is judged."""
STEADY = 0.12
"""Standard deviation of the logarithm of the times below which a pace looks mechanical."""


def table_z(differences: Sequence[float], variance: float, uncertainty: float) -> float:
    """Return the z-score of differences of points, one for each game that two players shared.

    Args:
        differences: points beyond what the ratings explain.
        variance: that of one game.
        uncertainty: the variance of the ratings' difference, which all games share.
    """
    number = len(differences)
    if not number:
        return 0.0
    return sum(differences) / sqrt(number * variance + number * number * uncertainty)


def throws_z(fits: Iterable[tuple[float, float]]) -> float:
    """Return the z-score of a player's throws, each with its points and their variance.

    See `games.analysis.hidden_throws`: the mean of honest players is 0, whatever their strength.
    """
    points, variances = (sum(values) for values in zip((0.0, 0.0), *fits, strict=True))
    return points / sqrt(variances) if variances else 0.0


def pace_spread(seconds: Sequence[float]) -> float | None:
    """Return the standard deviation of the logarithm of thinking times; None for too few.

    People's times differ by a factor of two and more; programs answer at an even pace.
    """
    if len(seconds) < LEAST_PLAYS:
        return None
    return pstdev([log(max(each, 0.05)) for each in seconds])
