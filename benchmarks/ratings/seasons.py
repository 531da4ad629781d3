"""A test of how well the season score orders players, against plainer rules, in simulated months.

    python -m benchmarks.ratings.seasons

100 players of the model's skill play 1,500 tables of two, three to a game, against opponents of a
similar rank (standard deviation 12 places), as the queue pairs them. Their ratings are known with
an error of 35 Elo. Players with 10 games or more are compared.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from ratings.model.constants import TWO_SEATS_PAR as MODEL
from ratings.seasons.scoring import Held, Total, add_game

MONTHS, PLAYERS, GAMES, TABLES = 200, 100, 500, 3
LEAST, RANKS, PAR = 10, 12.0, 14.0
ERROR = 35.0 / MODEL.elo_per_point
ACTIVITY = (0.3, 0.6, 1.0, 2.0)
TENTH = PLAYERS - PLAYERS // 10


def main() -> None:
    """Print each rule's rank correlation with skill, and how often it finds one of the best."""
    rng = random.Random(7)
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for _ in range(MONTHS):
        for rule, outcome in month(rng).items():
            found[rule].append(outcome)
    for rule, rows in found.items():
        rho, best = np.mean([row[0] for row in rows]), np.mean([row[1] for row in rows])
        print(f"{rule:10} rank correlation {rho:.3f}   winner of the strongest tenth {best:.0%}")


def month(rng: random.Random) -> dict[str, tuple[float, bool]]:
    """Return each rule's rank correlation, and whether its winner is of the strongest tenth."""
    skill = sorted(rng.gauss(0.0, MODEL.tau2**0.5) for _ in range(PLAYERS))
    known = {player: value + rng.gauss(0.0, ERROR) for player, value in enumerate(skill)}
    active = [rng.choice(ACTIVITY) for _ in skill]
    totals: dict[int, Total] = defaultdict(Total)
    margins: dict[int, list[float]] = defaultdict(list)
    for _ in range(GAMES):
        par = rng.gauss(0.0, PAR)
        cards = MODEL.mu[0] + MODEL.beta * par + rng.gauss(0.0, MODEL.omega2**0.5)
        attempts: list[Held] = []
        for table, (one, other) in enumerate(_pairs(rng, active)):
            margin = cards + skill[one] - skill[other] + rng.gauss(0.0, MODEL.sigma2**0.5)
            attempts += [Held(table, 0, one, margin, True), Held(table, 1, other, -margin, True)]
            margins[one].append(margin)
            margins[other].append(-margin)
        add_game(totals, attempts, constants=MODEL, par=(par, -par), skills=known)
    placed = sorted(player for player, total in totals.items() if total.games >= LEAST)
    rules: dict[str, Callable[[int], float]] = {
        "score": lambda player: totals[player].score,
        "average": lambda player: totals[player].average,
        "margin": lambda player: float(np.mean(margins[player])),
        "wins": lambda player: float(np.mean([margin > 0 for margin in margins[player]])),
    }
    return {
        name: (_rho([rule(player) for player in placed]), max(placed, key=rule) >= TENTH)
        for name, rule in rules.items()
    }


def _pairs(rng: random.Random, active: list[float]) -> list[tuple[int, int]]:
    """Return the pairs of one game's tables; nobody plays a game twice."""
    pairs: list[tuple[int, int]] = []
    used: set[int] = set()
    while len(pairs) < TABLES:
        one = rng.choices(range(PLAYERS), active)[0]
        other = min(PLAYERS - 1, max(0, round(rng.gauss(one, RANKS))))
        if one != other and not {one, other} & used:
            used |= {one, other}
            pairs.append((one, other))
    return pairs


def _rho(values: list[float]) -> float:
    """Return the rank correlation of values with their order, which is that of skill."""
    places = np.argsort(np.argsort(values))
    return float(np.corrcoef(places, np.arange(len(values)))[0, 1])


if __name__ == "__main__":
    main()
