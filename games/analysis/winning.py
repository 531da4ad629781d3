"""The chance to win a game from given scores."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables, three

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

FULL = 121
"""The target score of the tables; games to 61 start at 60."""


@cache
def dealer_chances() -> Array:
    """Return the dealer's chance to win before a deal: ``[dealer, pone]``, 121 by 121."""
    return np.asarray(tables.load("wins_2"), dtype=np.float64)


@cache
def spreads() -> tuple[Array, Array]:
    """Return the distributions of points in the play and of a hand, by role (pone, dealer)."""
    both = np.asarray(tables.load("spreads_2"), dtype=np.float64)
    return np.ascontiguousarray(both[:2, :24]), np.ascontiguousarray(both[2:4])


@cache
def before_crib() -> Array:
    """Return the dealer's chance to win with only the crib to count: ``[pone, dealer]``."""
    from games.analysis.kernels import winning

    out = np.zeros((FULL, FULL))
    cribs = np.array(tables.load("spreads_2")[4], dtype=np.float64)
    winning.before_crib(dealer_chances(), cribs, out)
    return out


def to_full(view: View) -> tuple[int, int]:
    """Return the player's and the opponent's score, converted to a game to 121; two seats."""
    seat = view.seat or 0
    ahead = FULL - view.ruleset.target
    return view.scores[seat] + ahead, view.scores[1 - seat] + ahead


def win_probability(
    scores: tuple[int, ...], dealer: int, *, target: int = FULL
) -> tuple[float, ...]:
    """Return each seat's chance to win the game before ``dealer`` deals.

    With two seats, it comes from dynamic programming over deals played by strong players; their
    scores are applied in order, since near the end the seat that counts first wins. With three
    seats, it is an approximation: see `games.analysis.three`.

    Raises:
        ValueError: if the scores are not those of a game in progress.
    """
    if len(scores) not in {2, 3} or not all(0 <= score < target <= FULL for score in scores):
        raise ValueError(f"two or three scores from 0 to {target - 1} are needed, not {scores}")
    if len(scores) == 3:
        return three.win_probability(scores, dealer, target)
    ahead = FULL - target
    won = float(dealer_chances()[scores[dealer] + ahead, scores[1 - dealer] + ahead])
    return (won, 1.0 - won) if dealer == 0 else (1.0 - won, won)
