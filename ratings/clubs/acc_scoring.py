"""Scoring of club nights, by the American Cribbage Congress (ACC) rules for weekly clubs.

A win gives 2 game points, a skunk 3, a loss 0. Ties are broken by games won, then by spread: points
by which games were won minus points by which games were lost. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIN = 2
SKUNK = 3
SKUNK_BY = 31
"""Winning margin, in points, of a skunk."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one game for one of its players.

    Attributes:
        points: game points: 0, 2 or 3; with three seats 0, 1 or 2.
        spread: the player's points minus the opponent's; with three seats minus those of the best
            of the others.
        seats: 2 or 3.
    """

    points: int
    spread: int
    seats: int = 2

    @property
    def won(self) -> bool:
        """Whether the game was won."""
        return self.points >= WIN

    @property
    def skunk(self) -> bool:
        """Whether it was won by a skunk; with three seats none counts."""
        return self.seats == 2 and self.points == SKUNK


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of one player's scores.

    Attributes:
        points: game points.
        won, lost, skunks: numbers of games.
        plus, minus: summed margins of games won and of games lost.
    """

    points: int
    won: int
    lost: int
    skunks: int
    plus: int
    minus: int

    @property
    def spread(self) -> int:
        """The spread, in points."""
        return self.plus - self.minus

    @property
    def played(self) -> int:
        """Number of games played."""
        return self.won + self.lost

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key for places; larger is better."""
        return self.points, self.won, self.spread


def score(*, won: bool, margin: int, left: bool = False) -> Score:
    """Return the score of a game for one seat.

    Args:
        won: whether the seat won.
        margin: the seat's points minus the opponent's at the end of the game.
        left: whether either player left. The leaver has lost, whatever the computer scored for
            them, so its result can count neither for the leaver nor against the other.
    """
    if left:
        margin = max(margin, 0) if won else min(margin, 0)
    if not won:
        return Score(0, margin)
    return Score(SKUNK if margin >= SKUNK_BY else WIN, margin)


def score_of_three(*, scores: Sequence[int], gone: Sequence[int], seat: int) -> Score:
    """Return the score of a game with three seats for one of them: 2, 1 or 0 for its place.

    The ACC has no rules for three; these hold for tournaments, too.

    Args:
        scores: final scores by seat.
        gone: the seats of players who left. They have 0 points, and are behind everyone else.
        seat: the seat whose score it is.
    """
    others = [at for at in range(len(scores)) if at != seat]
    spread = scores[seat] - max(scores[at] for at in others)
    if seat in gone:
        return Score(0, min(spread, 0), seats=3)
    ahead = sum(scores[at] > scores[seat] for at in others if at not in gone)
    points = max(0, WIN - ahead)
    if gone:
        spread = max(spread, 0) if points == WIN else min(spread, 0)
    return Score(points, spread, seats=3)


def total(scores: Sequence[Score]) -> Total:
    """Return the sum of one player's scores."""
    return Total(
        points=sum(one.points for one in scores),
        won=sum(one.won for one in scores),
        lost=sum(not one.won for one in scores),
        skunks=sum(one.skunk for one in scores),
        plus=sum(one.spread for one in scores if one.spread > 0),
        minus=-sum(one.spread for one in scores if one.spread < 0),
    )


def places(totals: Sequence[Total]) -> list[int]:
    """Return the place of each total, 1 for the best; equal totals share a place."""
    return [1 + sum(other.rank > one.rank for other in totals) for one in totals]
