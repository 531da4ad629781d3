"""How a club night is scored: as the weekly clubs of the American Cribbage Congress do.

2 game points for a game won, 3 for a skunk, 0 for a game lost. Who has as many game points as
another is placed by games won, then by the spread: the points by which he won his games, less
those by which he lost the others. Pure: numbers in, numbers out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIN = 2
SKUNK = 3
SKUNK_BY = 31
"""Points by which a game is won that is a skunk."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one game is worth to one of the two who played it.

    Attributes:
        points: game points, 0, 2 or 3.
        spread: own points less the other's.
    """

    points: int
    spread: int

    @property
    def won(self) -> bool:
        """Whether it is a game won."""
        return self.points > 0

    @property
    def skunk(self) -> bool:
        """Whether it is won by a skunk."""
        return self.points == SKUNK


@dataclass(frozen=True, slots=True)
class Total:
    """The scores of one player, added up.

    Attributes:
        points: game points.
        won, lost, skunks: games.
        plus, minus: points by which the games won were won, and those lost were lost.
    """

    points: int
    won: int
    lost: int
    skunks: int
    plus: int
    minus: int

    @property
    def spread(self) -> int:
        """The spread, points."""
        return self.plus - self.minus

    @property
    def played(self) -> int:
        """How many games were played."""
        return self.won + self.lost

    @property
    def rank(self) -> tuple[int, int, int]:
        """What places are given by, more before less."""
        return self.points, self.won, self.spread


def score(*, won: bool, margin: int, left: bool = False) -> Score:
    """Return what a game is worth to one seat.

    Args:
        won: whether it is his.
        margin: own points less the other's when the game was over.
        left: whether either of the two has left: the game is lost for who did, whatever the
            computer made of it, which can then turn neither margin against the other one.
    """
    if left:
        margin = max(margin, 0) if won else min(margin, 0)
    if not won:
        return Score(0, margin)
    return Score(SKUNK if margin >= SKUNK_BY else WIN, margin)


def total(scores: Sequence[Score]) -> Total:
    """Return the scores of one player added up."""
    return Total(
        points=sum(one.points for one in scores),
        won=sum(one.won for one in scores),
        lost=sum(not one.won for one in scores),
        skunks=sum(one.skunk for one in scores),
        plus=sum(one.spread for one in scores if one.spread > 0),
        minus=-sum(one.spread for one in scores if one.spread < 0),
    )


def places(totals: Sequence[Total]) -> list[int]:
    """Return each one's place, 1 for the best; who is level shares a place."""
    return [1 + sum(other.rank > one.rank for other in totals) for one in totals]
