"""Guards against outliers and against pairs of players who feed each other results."""

from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

from ratings.model.constants import Constants
from ratings.model.fit import Fit, fit, mean_of_others
from ratings.model.results import Results, clip_rows

PAIR_CAP = 5
"""Maximum number of results of the same players that count in a month."""
GUEST_CAP = 10
"""Maximum number of an account's results against guests that count in a month: anyone may have any
number of guests."""
WINSOR_SD = 2.0
"""Limit of residuals, in standard deviations; larger ones are winsorised to it."""


def within_pair_cap(month: int, earlier: Iterable[int]) -> bool:
    """Whether one more result of the same players counts.

    `month` is the month of the result, and `earlier` the month of each of their results that
    counted, in any numbering.
    """
    return sum(other == month for other in earlier) < PAIR_CAP


def within_guest_cap(month: int, earlier: Iterable[int]) -> bool:
    """Whether one more result of an account against guests counts; see `within_pair_cap`."""
    return sum(other == month for other in earlier) < GUEST_CAP


def guarded_fit(
    results: Results, constants: Constants, start: Fit | None = None
) -> tuple[Results, Fit]:
    """Return the results winsorised by a first fit, and the second fit, which gives the ratings.

    `start` saves sweeps and does not affect the result.
    """
    first = fit(results, constants, start)
    used = winsorised(results, first)
    return used, fit(used, constants, first)


def winsorised(results: Results, found: Fit) -> Results:
    """Return the results with residuals of `found` limited to WINSOR_SD standard deviations.

    The residuals of all seats of a result shrink by the same factor.
    """
    constants = found.constants
    adjusted = results.adjusted_margins(constants)
    held = found.skill[results.players]
    residual = adjusted - found.effect[results.game] - held + mean_of_others(held)
    excess = residual - clip_rows(residual, WINSOR_SD * sqrt(constants.noise))
    margin = results.margin
    if constants.margin_limit is not None:
        margin = clip_rows(margin, constants.margin_limit)
    return replace(results, margin=margin - excess)
