"""Fixtures F1-F5 of the model, and the constants that they were computed with."""

from collections.abc import Sequence

from ratings.model.constants import Constants
from ratings.model.results import Results

CONSTANTS = Constants("fixture", 2, 190.0, 13.0, 250.0, (2.0, -2.0))

F2 = (
    *(1494.27, 1496.84, 1498.30, 1499.33, 1500.15, 1500.85),
    *(1501.47, 1502.05, 1502.59, 1503.11, 1503.62),
)

F5_ROWS = (
    *((1, 5, 2, 33), (2, 7, 0, -24), (3, 5, 1, 0), (3, 5, 2, -19), (0, 6, 0, -39), (0, 6, 0, 20)),
    *((3, 4, 0, -35), (3, 4, 1, -18), (0, 7, 2, 0), (1, 7, 0, -1), (3, 7, 1, -31), (1, 6, 1, 39)),
)
"""Rows of (seat 0, seat 1, game, margin)."""
F5_RATING = (1500.08, 1560.95, 1492.10, 1436.56, 1525.48, 1492.43, 1467.68, 1524.72)
F5_RD = (46.51, 46.01, 48.12, 45.78, 47.06, 46.86, 46.52, 45.39)
F5_EFFECT = (-15.19, -1.64, 2.36)


def results_of(rows: Sequence[Sequence[int]]) -> Results:
    """Return results from rows of (seat 0, seat 1, game, margin)."""
    return Results.from_margins(*zip(*rows, strict=True))


def pairs(*margins: int) -> Results:
    """Return results of game 0 for separate pairs: players 0 and 1, then 2 and 3, and so on."""
    return results_of([(2 * n, 2 * n + 1, 0, margin) for n, margin in enumerate(margins)])
