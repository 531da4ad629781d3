"""Statistics of foul play that need no database: passing points, hidden cards, pace.

All of them are evidence for moderators, never proof. `make bench-fair` measures how often honest
players exceed the thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
AGREEMENT_ALARM = 3.6
LEAST_HIGH = 15
"""Replies at high stakes whose agreement with the analysis is judged."""
STRONG = 0.8
"""The largest share of best replies at high stakes that is expected: a very strong person's."""
AT_NO_LOSS = 0.93
SHARE_LOST = 1.9
"""The expected share falls by this for each point lost in a reply that is not at high stakes.

Both are from simulated people who value cards like the analysis with an error of their own.
"""
LOSS_VARIANCE = 1.0
"""Variance of the points lost in one reply, for each point of their mean."""
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


@dataclass(frozen=True, slots=True)
class Agreement:
    """A player's replies in the play (`games.analysis.agreement`).

    Attributes:
        high: the number of those at high stakes.
        best: how many of these were the best card.
        others: the number of all other replies.
        lost: points lost in them.
    """

    high: float
    best: float
    others: float
    lost: float

    @property
    def expected(self) -> float:
        """The expected share of best cards at high stakes, judging by the other replies."""
        return max(0.05, min(STRONG, AT_NO_LOSS - SHARE_LOST * self.lost / self.others))


def agreement_z(found: Agreement) -> float | None:
    """Return how far the agreement at high stakes exceeds that expected from the other replies.

    It is a z-score; None for too few replies. The expectation is uncertain too: the other replies
    are a sample.
    """
    if found.high < LEAST_HIGH or not found.others:
        return None
    share, loss = found.expected, found.lost / found.others
    uncertainty = found.high**2 * SHARE_LOST**2 * LOSS_VARIANCE * loss / found.others
    variance = found.high * share * (1.0 - share) + uncertainty
    return (found.best - found.high * share) / sqrt(variance)


def pace_spread(seconds: Sequence[float]) -> float | None:
    """Return the standard deviation of the logarithm of thinking times; None for too few.

    People's times differ by a factor of two and more; programs answer at an even pace.
    """
    if len(seconds) < LEAST_PLAYS:
        return None
    return pstdev([log(max(each, 0.05)) for each in seconds])
