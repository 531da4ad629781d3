"""Spearman's rank correlation."""

import numpy as np

from ratings.model.arrays import Floats


def spearman(one: Floats, other: Floats) -> float:
    """Return the correlation (-1..1) of the ranks of two columns; equal values share a rank."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(column: Floats) -> Floats:
    _, which, times = np.unique(column, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[which])
