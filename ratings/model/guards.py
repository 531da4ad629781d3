"""What keeps one odd result, or one friendly pair, from carrying a rating."""

from dataclasses import replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ratings.model.constants import Constants
from ratings.model.fit import Fit, fit, mean_of_others
from ratings.model.results import Results, pulled_in

PAIR_CAP = 5
"""Results of the same players that count in a month."""
WINSOR_SD = 2.0
"""Residuals beyond so many standard deviations are pulled in to there."""


def within_pair_cap(results: Results, month: ArrayLike) -> NDArray[np.bool_]:
    """(T,): which results count, the first PAIR_CAP of the same players in a month.

    `month` (T,): any numbering of months.
    """
    who = np.column_stack([np.asarray(month), np.sort(results.players, axis=1)])
    _, group = np.unique(who, axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    first = np.cumsum(sizes) - sizes
    place = np.empty(len(group), np.intp)
    place[order] = np.arange(len(group)) - first[group[order]]
    return np.asarray(place < PAIR_CAP)


def guarded_fit(
    results: Results, constants: Constants, start: Fit | None = None
) -> tuple[Results, Fit]:
    """The fit that ratings on the site rest on, and the results as it read them.

    What a first fit finds odd is pulled in for a second. `start` only saves sweeps.
    """
    first = fit(results, constants, start)
    used = winsorised(results, first)
    return used, fit(used, constants, first)


def winsorised(results: Results, found: Fit) -> Results:
    """The results with each margin no further than WINSOR_SD from what `found` expects of it.

    The margins of all seats of a result are pulled in by the same factor.
    """
    constants = found.constants
    left = results.unexplained(constants)
    held = found.skill[results.players]
    residual = left - found.effect[results.game] - held + mean_of_others(held)
    excess = residual - pulled_in(residual, WINSOR_SD * sqrt(constants.noise))
    margin = results.margin
    if constants.margin_limit is not None:
        margin = pulled_in(margin, constants.margin_limit)
    return replace(results, margin=margin - excess)
