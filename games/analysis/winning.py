"""The chance to win from a score."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

FULL = 121
"""The tables are for games to this; a shorter one begins further on."""


@cache
def dealer_chances() -> Array:
    """Return the chance that the dealer wins, before a deal: ``[dealer, pone]``, 121 by 121."""
    return np.asarray(tables.load("wins_2"), dtype=np.float64)


@cache
def spreads() -> tuple[Array, Array]:
    """Return by role (pone, dealer) the chances of points in the play, and of a hand's points."""
    both = np.asarray(tables.load("spreads_2"), dtype=np.float64)
    return np.ascontiguousarray(both[:2, :24]), np.ascontiguousarray(both[2:4])


@cache
def before_crib() -> Array:
    """Return the dealer's chance to win when only the crib is to be counted: ``[pone, dealer]``."""
    from games.analysis import winning_kernel

    out = np.zeros((FULL, FULL))
    cribs = np.array(tables.load("spreads_2")[4], dtype=np.float64)
    winning_kernel.before_crib(dealer_chances(), cribs, out)
    return out


def to_full(view: View) -> tuple[int, int]:
    """Return own and the opponent's score as in a game to 121; two seats."""
    seat = view.seat or 0
    ahead = FULL - view.ruleset.target
    return view.scores[seat] + ahead, view.scores[1 - seat] + ahead


def win_probability(
    scores: tuple[int, ...], dealer: int, *, target: int = FULL
) -> tuple[float, ...]:
    """Return each seat's chance to win the game before a deal of ``dealer``.

    With two seats by dynamic programming over deals of good players, their scores in the order in
    which they fall, so that who counts first decides near the end. With three seats by an
    approximation: see `games.analysis.three`.

    Raises:
        ValueError: for scores that no game before its end has.
    """
    if len(scores) not in {2, 3} or not all(0 <= score < target <= FULL for score in scores):
        raise ValueError(f"two or three scores from 0 to {target - 1} are needed, not {scores}")
    if len(scores) == 3:
        from games.analysis import three

        return three.win_probability(scores, dealer, target)
    ahead = FULL - target
    won = float(dealer_chances()[scores[dealer] + ahead, scores[1 - dealer] + ahead])
    return (won, 1.0 - won) if dealer == 0 else (1.0 - won, won)
