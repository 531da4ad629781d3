"""Assumptions about the opponent with two seats: how they play, and which cards they keep.

The shares were chosen so that reviews say what choices really cost players of several styles
(docs/review.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables
from games.analysis.positions import PlayPosition

Array = NDArray[Any]

THREE = 3
"""Cards that an opponent holds after the first."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Assumptions about an opponent.

    Attributes:
        thumb, greed: shares of plays by a club player's rules of thumb, and of plays with the most
            points now (the highest card on a tie); the rest follow the solved strategy.
        doubt: share of the belief about the hidden hand that goes to all possible hands alike, once
            the opponent has played a card.
        club: whether hands are kept as by a club player, not as by the strongest computer.
    """

    thumb: float
    greed: float = 0.0
    doubt: float = 0.0
    club: bool = False

    def keeps(self, role: int) -> Array:
        """Return how often a role keeps four ranks, relative to chance: shape (13**4,)."""
        kept: Array = (club_keeps() if self.club else keeps())[role]
        return kept


AFTER_A_LEAD = 0.2, 0.6
"""Shares of thumb and greed if a lead is rated: several styles answered leads by points alone."""
LATER = 0.4, 0.4
"""The same for other cards: there, too, many players take the most points now."""
FIRST_DOUBT, SECOND_DOUBT, DOUBT = 0.35, 0.05, 0.25
"""Doubt in the answer to the first lead, then while the opponent holds three cards, then later.

A lead tells little, since styles lead differently. Without doubt the analysis is too sure of what
cards tell: of several styles it said that their answers lose more than better ones gained.
"""


def assumed(position: PlayPosition) -> Opponent:
    """Return what reviews and the strongest computer assume in a position."""
    thumb, greed = AFTER_A_LEAD if position.start == position.number else LATER
    if position.number == 1:
        doubt = FIRST_DOUBT
    else:
        doubt = SECOND_DOUBT if position.theirs == THREE else DOUBT
    return Opponent(thumb, greed, doubt, club=True)


def solving(position: PlayPosition) -> Opponent:
    """Return the same opponent, but for playing the solved strategy alone."""
    return replace(assumed(position), thumb=0.0, greed=0.0)


@cache
def keeps() -> Array:
    """Return how often each role keeps four ranks, relative to chance: shape (2, 13**4)."""
    return np.asarray(tables.load("keeps_2"), dtype=np.float64)


@cache
def club_keeps() -> Array:
    """Return the same for a club player."""
    hands = np.array(list(combinations_with_replacement(range(13), 4)))
    out = np.zeros((2, 13**4))
    out[:, hands @ (13**3, 13**2, 13, 1)] = tables.load("keeps_2_club")
    return out
