"""The value of one discard: the result type of every evaluation of discards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.engine.cards import Card

Role = Literal["pone", "dealer"]


@dataclass(frozen=True, slots=True)
class DiscardValue:
    """The value of discarding ``thrown`` and keeping ``kept``, as average points.

    `hand` is exact over all starters, and `spread[points]` counts the starters for each number of
    points. `crib` is the crib's average, whether the player's or an opponent's, over all starters
    and realistic discards of the opponents. `pegging` is the player's points in the play less the
    opponents'. `total` is their sum, with the crib subtracted if it is an opponent's. `chance` is
    the chance to win the game.
    """

    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float
    spread: tuple[int, ...]
    crib: float
    pegging: float
    total: float
    chance: float
