"""Season scores, pure: how far beyond an average player someone scored, given the cards.

For one game (margins are relative: a score minus the mean of the others' scores),

    worth       = mu_k + beta*par + sum(residual of the others) / (their number + sigma2/omega2)
    residual    = margin - mu_k - beta*par - skill + mean skill of the opponents
    performance = margin - worth + mean skill of the opponents

where the others are all who held the same seat of the same standard game at other tables. That is
the rating model's estimate (`ratings/model`) of what the cards were worth. A player's own rating
does not enter their score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ratings.model.constants import Constants

AVERAGE_GAMES = 15
"""Games of an average player that are added to everyone's, so that more games count for more.

The rating model says how many: noise / tau2 is 14.6 with two seats. Both numbers of seats use one
value, which the page can name.
"""


@dataclass(frozen=True, slots=True)
class Held:
    """An attempt: who held which seat at a table, and the margin that counts, points.

    ``scored`` is whether it counts for the season of its player; the others only show what the
    cards were worth.
    """

    table: int
    seat: int
    player: int
    margin: float
    scored: bool = False


@dataclass(slots=True)
class Total:
    """A player's sum of performances, points, and number of games."""

    points: float = 0.0
    games: int = 0

    @property
    def average(self) -> float:
        """Points per game beyond an average player; 0 without games."""
        return self.points / self.games if self.games else 0.0

    @property
    def score(self) -> float:
        """The average with `AVERAGE_GAMES` games of an average player (0 points) added."""
        return self.points / (self.games + AVERAGE_GAMES)


def add_game(
    totals: Mapping[int, Total],
    attempts: Sequence[Held],
    *,
    constants: Constants,
    par: Sequence[float] | None,
    skills: Mapping[int, float],
) -> None:
    """Add the performances in one standard game to the totals of their players.

    Args:
        totals: by player; must make missing ones, as a `defaultdict` does.
        attempts: all that are compared, of all tables.
        constants: of the rating model for this number of seats.
        par: each seat's par, points; None if unknown.
        skills: by player, points above the average player; missing ones are 0.
    """
    tables: dict[int, list[Held]] = defaultdict(list)
    for one in attempts:
        tables[one.table].append(one)
    seats: dict[int, list[tuple[Held, float]]] = defaultdict(list)
    for one in attempts:
        others = [skills.get(row.player, 0.0) for row in tables[one.table] if row is not one]
        expected = constants.mu[one.seat] + (constants.beta * par[one.seat] if par else 0.0)
        # What they scored beyond the cards' expected worth, against average opponents.
        beyond = _clipped(one.margin, constants) - expected + _mean(others)
        seats[one.seat].append((one, beyond))
    for held in seats.values():
        residuals = [beyond - skills.get(one.player, 0.0) for one, beyond in held]
        whole = sum(residuals)
        for (one, beyond), residual in zip(held, residuals, strict=True):
            if one.scored:
                effect = (whole - residual) / (len(held) - 1 + constants.game_ratio)
                total = totals[one.player]
                total.points += beyond - effect
                total.games += 1


def places(scores: Iterable[float]) -> list[int]:
    """Return the place of each score, from 1; equal scores share a place."""
    rows = list(scores)
    ordered = sorted(rows, reverse=True)
    first: dict[float, int] = {}
    for at, score in enumerate(ordered, start=1):
        first.setdefault(score, at)
    return [first[score] for score in rows]


def medals(players: int) -> int:
    """Return how many places win a title: one, two from 4 players on, three from 8 on."""
    if not players:
        return 0
    return 1 if players < 4 else 2 if players < 8 else 3


def _clipped(margin: float, constants: Constants) -> float:
    limit = constants.margin_limit
    return margin if limit is None else max(-limit, min(limit, margin))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
