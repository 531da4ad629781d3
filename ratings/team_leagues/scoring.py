"""Points, totals and places of a team league. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

WIN, DRAW, LOSS = 2, 1, 0
"""League points."""


class TieBreak(StrEnum):
    """A number that orders teams; higher is better."""

    POINTS = "points"
    WON = "won"
    SPREAD = "spread"
    DIRECT = "direct"


ORDER = (TieBreak.POINTS, TieBreak.WON, TieBreak.SPREAD, TieBreak.DIRECT)
"""The criteria that decide places, most important first; the page names them in this order."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a fixture: the teams, their league points, and the home team's margin.

    A result without points on either side was not played.
    """

    home: int
    away: int
    home_points: int
    away_points: int
    margin: float

    def seen_by(self, team: int) -> tuple[int, int, float]:
        """Return a team's points, its opponent's, and its margin."""
        if team == self.home:
            return self.home_points, self.away_points, self.margin
        return self.away_points, self.home_points, -self.margin


@dataclass(frozen=True, slots=True)
class Total:
    """A team's line in the table.

    Attributes:
        team: its key.
        place: from 1; teams that are equal in everything share one.
        played, won, drawn, lost: numbers of matches, walkovers included.
        points: league points.
        spread: the sum of its margins, points.
        direct: league points against those who have equal points, wins and spread.
    """

    team: int
    place: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    spread: float = 0.0
    direct: int = 0

    @property
    def key(self) -> tuple[float, ...]:
        """Return the sort key for places; larger is better."""
        return tuple(round(float(getattr(self, each)), 6) for each in ORDER)


def points_of(margin: float) -> tuple[int, int]:
    """Return the league points of home and away for the home team's margin."""
    if margin == 0:
        return DRAW, DRAW
    return (WIN, LOSS) if margin > 0 else (LOSS, WIN)


def table(teams: Sequence[int], results: Iterable[Result], *, last: Iterable[int]) -> list[Total]:
    """Return the totals of all teams, best first; those in ``last`` come after all others."""
    results = list(results)
    behind = frozenset(last)
    found = {team: _total(team, results) for team in teams}
    level: dict[tuple[float, ...], list[int]] = {}
    for team, total in found.items():
        level.setdefault(total.key, []).append(team)
    totals = [
        _with(total, direct=_direct(team, level[total.key], results))
        for team, total in found.items()
    ]
    ranks = {total.team: (total.team not in behind, total.key) for total in totals}
    placed = [
        _with(
            total,
            direct=total.direct,
            place=1 + sum(rank > ranks[total.team] for rank in ranks.values()),
        )
        for total in totals
    ]
    return sorted(placed, key=lambda total: total.place)


def _total(team: int, results: Sequence[Result]) -> Total:
    own = [each.seen_by(team) for each in results if team in {each.home, each.away}]
    met = [(mine, theirs, margin) for mine, theirs, margin in own if mine or theirs]
    return Total(
        team=team,
        played=len(met),
        won=sum(mine > theirs for mine, theirs, _ in met),
        drawn=sum(mine == theirs for mine, theirs, _ in met),
        lost=sum(mine < theirs for mine, theirs, _ in met),
        points=sum(mine for mine, _, _ in met),
        spread=sum(margin for _, _, margin in met),
    )


def _direct(team: int, others: Sequence[int], results: Sequence[Result]) -> int:
    """Return a team's league points against those with whom it is level."""
    return sum(
        each.seen_by(team)[0]
        for each in results
        if team in {each.home, each.away} and {each.home, each.away} <= set(others)
    )


def _with(total: Total, *, direct: int, place: int = 0) -> Total:
    return Total(
        total.team, place, total.played, total.won, total.drawn, total.lost, total.points,
        total.spread, direct,
    )  # fmt: skip
