"""Scoring of club leagues: the best nights of each player count. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NightScore:
    """A player's score of one night: game points, games won, and spread."""

    night: int
    points: int
    won: int
    spread: int

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key of nights and of totals; larger is better."""
        return self.points, self.won, self.spread


@dataclass(frozen=True, slots=True)
class LeagueTotal:
    """A player's sum of the nights that count, and their place, from 1; equal sums share one."""

    player: int
    place: int
    points: int
    won: int
    spread: int
    nights: int
    counted: frozenset[int]


def standings(scores: Mapping[int, Sequence[NightScore]], *, best: int) -> list[LeagueTotal]:
    """Return the totals of all players, best first, from their scores.

    Ties go by games won in the nights that count, then by their spread, as within a night.
    """
    totals = {player: _total(nights, best) for player, nights in scores.items()}
    lines = [
        LeagueTotal(
            player=player,
            place=1 + sum(other.rank > total.rank for other, _ in totals.values()),
            points=total.points,
            won=total.won,
            spread=total.spread,
            nights=len(scores[player]),
            counted=counted,
        )
        for player, (total, counted) in totals.items()
    ]
    return sorted(lines, key=lambda line: (line.place, line.player))


def _total(nights: Sequence[NightScore], best: int) -> tuple[NightScore, frozenset[int]]:
    """Return the sum of the best nights and which they are; of equal ones the earlier."""
    kept = sorted(nights, key=lambda one: one.rank, reverse=True)[:best]
    total = NightScore(
        night=0,
        points=sum(one.points for one in kept),
        won=sum(one.won for one in kept),
        spread=sum(one.spread for one in kept),
    )
    return total, frozenset(one.night for one in kept)
