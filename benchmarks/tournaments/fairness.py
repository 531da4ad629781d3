"""A comparison of how well formats find the best players, in simulated tournaments.

No people played. Skill, cards and chance are drawn with the constants of docs/ratings.md: margin =
advantage of the first dealer + cards + difference in skill + chance, in points. In Swiss duplicate
all tables of a round have the same cards. A game to 61 is taken as half of one to 121. Pairing and
scoring are the site's own (`ratings.events`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from ratings.clubs.pairing import draw
from ratings.events import brackets, scoring, swiss
from ratings.events.formats import RULES, TieBreak, qualifiers
from ratings.events.scoring import Result, Total

CHANCE, SKILL, CARDS, FIRST = sqrt(190), sqrt(13), sqrt(250), 2.8
"""Standard deviations of chance, skill and cards, and the first dealer's advantage, in points."""

PLAYERS = 60
TITLED = PLAYERS // 10
"""The strongest tenth of the players."""

ARENA_GAMES = 9
"""Games to 61 that a player finishes in an hour."""


@dataclass
class Field:
    """The players of one tournament, numbered by skill, and its chance."""

    seed: int
    rng: random.Random = field(init=False)
    skill: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.skill = sorted((self.rng.gauss(0, SKILL) for _ in range(PLAYERS)), reverse=True)

    def cards(self) -> float:
        """Return what the cards of one game are worth to the first dealer."""
        return self.rng.gauss(0, CARDS)

    def play(
        self, one: int, other: int, cards: float, number: int = 1, *, half: bool = False
    ) -> Result:
        """Return a game in which the first of two deals first."""
        part = 0.5 if half else 1.0
        mean = part * (FIRST + self.skill[one] - self.skill[other])
        margin = round(mean + sqrt(part) * (cards + self.rng.gauss(0, CHANCE))) or 1
        scores = (121, 121 - margin) if margin > 0 else (121 + margin, 121)
        return Result(
            number, (one, other), 0, scores, (float(margin), -float(margin)),
            winner=0 if margin > 0 else 1,
        )  # fmt: skip


def swiss_rounds(
    players: Field, rounds: int, *, duplicate: bool, order: Sequence[TieBreak]
) -> list[list[int]]:
    """Return the standings after each round of a Swiss tournament, best first."""
    results: list[Result] = []
    keys = list(range(PLAYERS))
    players.rng.shuffle(keys)
    standings = []
    for number in range(1, rounds + 1):
        found = scoring.totals(keys, results, duplicate=duplicate)
        ranked = _ranked(keys, found, order)
        lead = {key: sum(total.dealt) for key, total in found.items()}
        last = {key: total.dealt[-1] if total.dealt else 0 for key, total in found.items()}
        pairs = swiss.pair(ranked, {key: set(total.met) for key, total in found.items()}, lead)
        shared = players.cards()
        for one, other in swiss.seat(pairs, lead, last):
            cards = shared if duplicate else players.cards()
            results.append(players.play(one, other, cards, number))
        found = scoring.totals(keys, results, duplicate=duplicate)
        standings.append(_ranked(keys, found, order))
    return standings


def _ranked(keys: Sequence[int], found: dict[int, Total], order: Sequence[TieBreak]) -> list[int]:
    return sorted(keys, key=lambda key: found[key].key(order), reverse=True)


def knockout(players: Field, seeds: Sequence[int], best_of: int) -> int:
    """Return the winner of a bracket."""
    tables = brackets.first_round(seeds)
    while True:
        winners = [_winner(players, one, other, best_of) for one, other in tables]
        if len(winners) == 1:
            return winners[0] or 0
        tables = brackets.next_round(winners)


def _winner(players: Field, one: int | None, other: int | None, best_of: int) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    wins, turn = {one: 0, other: 0}, players.rng.randrange(2)
    while max(wins.values()) <= best_of // 2:
        pair = (one, other) if turn % 2 else (other, one)
        wins[pair[players.play(*pair, players.cards()).winner or 0]] += 1
        turn += 1
    return max(wins, key=lambda key: wins[key])


def robin(players: Field) -> int:
    """Return the winner of a round robin of twelve, the best of whom is one of the strongest."""
    keys = players.rng.sample(range(PLAYERS), 12)
    results = [
        players.play(keys[one], keys[other], players.cards(), number)
        for number, pairs in enumerate(draw(number=12, games=11), start=1)
        for one, other in pairs
    ]
    found = scoring.totals(keys, results, duplicate=False)
    winner = _ranked(keys, found, RULES["robin"].order)[0]
    return sorted(keys).index(winner)


def arena(players: Field) -> int:
    """Return the winner of an arena, in which as many games as people have time for are played."""
    keys, results = list(range(PLAYERS)), []
    for number in range(ARENA_GAMES):
        players.rng.shuffle(keys)
        for one, other in zip(keys[::2], keys[1::2], strict=True):
            results.append(players.play(one, other, players.cards(), number, half=True))
    found = scoring.totals(keys, results, duplicate=False)
    return _ranked(keys, found, RULES["arena"].order)[0]


def rho(standing: Sequence[int]) -> float:
    """Return the rank correlation of a standing with skill."""
    return float(np.corrcoef(np.argsort(standing), np.arange(len(standing)))[0, 1])


def needed(curve: Sequence[float], goal: float) -> str:
    """Return the number of rounds after which a curve reaches a goal, in tenths of a round."""
    before = 0.0
    for number, value in enumerate(curve, start=1):
        if value >= goal:
            return f"{number - 1 + (goal - before) / max(value - before, 1e-9):.1f}"
        before = value
    return f"> {len(curve)}"


def measure(tournaments: int, rounds: int) -> None:
    """Print both tables."""
    ways = {
        "Swiss duplicate": (True, RULES["swiss"].order),
        "Swiss, random cards, game points": (False, RULES["robin"].order),
        "Swiss, random cards, margins": (False, (TieBreak.SPREAD,)),
    }
    curves: dict[str, list[float]] = {}
    wins: dict[str, list[float]] = {}
    for name, (duplicate, order) in ways.items():
        runs = [
            swiss_rounds(Field(seed), rounds, duplicate=duplicate, order=order)
            for seed in range(tournaments)
        ]
        curves[name] = [float(np.mean([rho(run[at]) for run in runs])) for at in range(rounds)]
        wins[name] = [
            100 * float(np.mean([run[at][0] < TITLED for run in runs])) for at in range(rounds)
        ]
    shown = [number for number in (3, 5, 7, 9, 11, 15) if number <= rounds]
    print(
        f"\n{PLAYERS} players, {tournaments} tournaments each; title won by the strongest tenth, %"
    )
    print("rounds".ljust(36), *(f"{number:5d}" for number in shown))
    for name in ways:
        print(name.ljust(36), *(f"{wins[name][number - 1]:5.0f}" for number in shown))
    for name, share in others(tournaments).items():
        print(name.ljust(36), f"{share:5.0f}")
    print("\nrank correlation of the standings with skill")
    for name in ways:
        print(name.ljust(36), *(f"{curves[name][number - 1]:5.2f}" for number in shown))
    print("\nrounds with random cards that order as well as n rounds of Swiss duplicate")
    duplicates = curves["Swiss duplicate"]
    for name in list(ways)[1:]:
        cells = [
            f"{number}: {needed(curves[name], duplicates[number - 1])}"
            for number in (3, 5, 7)
            if number <= rounds
        ]
        print(name.ljust(36), "  ".join(cells))


def others(tournaments: int) -> dict[str, float]:
    """Return the strongest tenth's share of titles in the other formats, percent."""
    found = {}
    for best_of in (1, 3, 5):
        won = [_knockout(Field(seed), best_of) < TITLED for seed in range(tournaments)]
        found[f"Knockout, best of {best_of}"] = 100 * float(np.mean(won))
    for rounds, best_of in ((5, 3), (9, 3), (9, 5)):
        won = [_qualifying(Field(seed), rounds, best_of) < TITLED for seed in range(tournaments)]
        found[f"Qualifying {rounds}, playoff best of {best_of}"] = 100 * float(np.mean(won))
    won = [arena(Field(seed)) < TITLED for seed in range(tournaments)]
    found["Arena of an hour"] = 100 * float(np.mean(won))
    won = [robin(Field(seed)) < 2 for seed in range(tournaments)]
    found["Round robin of 12 (strongest two)"] = 100 * float(np.mean(won))
    return found


def _knockout(players: Field, best_of: int) -> int:
    seeds = list(range(PLAYERS))
    players.rng.shuffle(seeds)
    return knockout(players, seeds, best_of)


def _qualifying(players: Field, rounds: int, best_of: int) -> int:
    order = RULES["qualifying"].order
    ranked = swiss_rounds(players, rounds, duplicate=False, order=order)[-1]
    return knockout(players, ranked[: qualifiers(PLAYERS)], best_of)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=24)
    arguments = parser.parse_args()
    measure(arguments.tournaments, arguments.rounds)


if __name__ == "__main__":
    main()
