"""Assumptions about opponents with three seats: which cards they keep, and how they play.

How likely each style is follows from the finished hands of the game, in which all cards were shown.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables
from games.engine.cards import RANK
from games.engine.events import Event, Played, StarterCut

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

STYLES = np.array([(0, 0.03), (0, 0.25), (1, 0.03), (2, 0.03), (3, 0.03)])
"""Each style's number (see `games.analysis.kernels.three_styles`) and its share of other plays."""
PRIOR = np.array([0.25, 0.25, 0.25, 0.15, 0.1])
"""The probability of each style before the first hand."""
DOUBT = 0.05
"""Part of every hand's weight that doesn't depend on how often it is kept."""
FIFTHS = 200
"""Random fifth cards with which `keeps_3_club` was measured."""
PLAYED = 12
"""Cards played in a hand."""


@cache
def keeps() -> Array:
    """Return how likely each role is to keep four ranks, with some doubt: shape (3, 13**4)."""
    hands = np.array(list(combinations_with_replacement(range(13), 4)))
    shares = np.asarray(tables.load("keeps_3_club"), dtype=np.float64)[[0, 0, 1]] / FIFTHS
    found = np.full((3, 13**4), DOUBT)
    found[:, hands @ (13**3, 13**2, 13, 1)] += (1.0 - DOUBT) * shares
    return found


@cache
def usual_cribs() -> Array:
    """Return the average points of a crib by rank discarded, over all roles: shape (13,)."""
    found: Array = np.asarray(tables.load("crib_3"), dtype=np.float64).mean(axis=0)
    return found


def trust(view: View) -> Array:
    """Return how likely each seat has each style, by role: shape (3, styles).

    The player's own row means nothing.
    """
    from games.analysis.kernels import three_styles

    hands = [found for found in map(_finished, view.history) if found]
    evidence = np.zeros((3, len(STYLES)))
    if hands:
        past, who, starters = (
            np.array(column, dtype=np.int64) for column in zip(*hands, strict=True)
        )
        three_styles.add_evidence(past, who, starters, STYLES, evidence)
    chances = PRIOR * np.exp(evidence - evidence.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    dealer = view.dealer or 0
    found: Array = chances[[(dealer + 1 + role) % 3 for role in range(3)]]
    return found


def _finished(events: tuple[Event, ...]) -> tuple[list[int], list[int], int] | None:
    """Return the ranks and seats of a hand's plays and its starter; None if it was cut short."""
    plays = [event for event in events if isinstance(event, Played)]
    starter = next((event.card for event in events if isinstance(event, StarterCut)), None)
    if starter is None or len(plays) != PLAYED:
        return None
    return [RANK[one.card] for one in plays], [one.seat for one in plays], RANK[starter]
