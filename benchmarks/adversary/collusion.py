"""False alarms of the signals of collusion and of knowing hidden cards, in honest games of three.

Computer players of four levels play the same cards at several tables. The strongest, which costs
four times as much as the others, takes part in every fifth set of cards. The cheats are modelled:
a fixed number of points passes from one player to another in every game.

With a file, the games are kept there (`benchmarks.adversary.batches`), and a later run plays on
from them. A file of 100,000 games is too large for the repository.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.adversary.batches import batches
from games.api import bot
from ratings.model.constants import THREE_SEATS
from ratings.rating.seat_signals import (
    LEAST_PLAYS,
    PEGGING_ALARM,
    STEADY,
    TABLE_ALARM,
    THREE_SEATS_JOINT,
    THREE_SEATS_PASSED,
    pace_spread,
    table_z,
)
from ratings.standard.decks import HANDS, complete_pack
from ratings.standard.luck import z_score
from ratings.standard.simulation import simulate

GAMES = 100_000
TABLES = 4
"""Tables that play the same cards."""
BATCH = 10
"""Sets of cards that a process plays at a time."""
LEVELS = ("expert", "club", "keen", "plain")
STRONG_EVERY = 5
"""Of so many sets of cards, one has all levels at its tables, the others all but the first."""
PAIRS = 100_000
TOGETHER = (5, 10, 20)
"""Numbers of games that a pair shares."""
GROUPS = 10
"""Groups of games from which pairs are drawn apart, for the errors of the shares."""
STUDENT = 2.262
"""Half the width of a 95% interval of a mean of so many groups, in its standard errors."""
NORMAL = 1.96
PASSED = (6.0, 12.0)
"""Points that pass between two cheats in a game."""
WINDOWS = (10, 40)


@dataclass(frozen=True, slots=True)
class Table:
    """A finished game: level, score, and pegged points by hand of each seat."""

    levels: tuple[str, ...]
    scores: tuple[int, ...]
    pegged: tuple[tuple[int, ...], ...]


def main(games: int = GAMES, file: Path | None = None) -> None:
    """Print the tables of so many simulated games, or of those stored if they are more."""
    sets = [tables for batch in _batches(games, file) for tables in batch]
    number = sum(map(len, sets))
    print(f"\n{number} honest games of three, {TABLES} tables for each set of cards")
    pairs([table for tables in sets for table in tables])
    pegging(sets)
    pace()


def _batches(games: int, file: Path | None) -> Iterator[list[list[Table]]]:
    """Yield the stored batches, then the missing ones."""
    for batch in batches(play_batch, max(1, games // (TABLES * BATCH)), file):
        yield [[_table(row) for row in tables] for tables in batch]


def _table(row: list[Any]) -> Table:
    levels, scores, pegged = row
    return Table(tuple(levels), tuple(scores), tuple(map(tuple, pegged)))


def play_batch(seed: int) -> list[list[Any]]:
    """Play `BATCH` sets of cards at all tables; return the fields of the tables."""
    rng = Random(seed)
    sets = [
        _play_set(rng, LEVELS if number % STRONG_EVERY == 0 else LEVELS[1:])
        for number in range(BATCH)
    ]
    return [[astuple(table) for table in tables] for tables in sets]


def _play_set(rng: Random, among: tuple[str, ...]) -> list[Table]:
    packs = [complete_pack(rng.sample(range(52), 52)) for _ in range(HANDS)]
    found = []
    for _ in range(TABLES):
        levels = tuple(rng.choice(among) for _ in range(3))
        out = simulate([bot(level) for level in levels], packs)
        pegged = tuple(tuple(hand.pegged[seat] for hand in out.state.hands) for seat in range(3))
        found.append(Table(levels, tuple(out.state.results[0].scores), pegged))
    return found


def pairs(tables: list[Table]) -> None:
    """Print how often honest pairs and cheats exceed the threshold of games of three."""
    by_level: dict[str, list[int]] = defaultdict(list)
    for table in tables:
        for level, score in zip(table.levels, table.scores, strict=True):
            by_level[level].append(score)
    skill = {level: mean(scores) for level, scores in by_level.items()}
    rest = [
        [score - skill[level] for level, score in zip(table.levels, table.scores, strict=True)]
        for table in tables
    ]
    seats = Random(7)
    mixed = [seats.sample(row, 3) for row in rest]  # so that no seat always deals first
    passed = np.array([row[1] - row[0] for row in mixed])
    joint = np.array([(row[0] + row[1]) / 2 - row[2] for row in mixed])
    print(f"variance of a difference {passed.var():.0f}, of the third's {joint.var():.0f}")
    print(f"share of {PAIRS} pairs, drawn from {GROUPS} groups of games, with |z| of {TABLE_ALARM}")
    print("(95% interval from the groups; where none was seen, 3 / pairs that share no game)")
    print("games together   kind                 share   95% interval")
    for together in TOGETHER:
        kinds = [
            ("honest passed", passed, THREE_SEATS_PASSED, 0.0),
            ("honest joint", joint, THREE_SEATS_JOINT, 0.0),
            *((f"found at {each:g}", passed, THREE_SEATS_PASSED, 2 * each) for each in PASSED),
        ]
        for kind, values, variance, extra in kinds:
            share, low, high = _share(values, together, variance=variance, extra=extra)
            print(f"{together:>14}   {kind:<16} {share:9.5f}   {low:.5f} to {high:.5f}")


def _share(
    values: np.ndarray[Any, np.dtype[np.float64]],
    together: int,
    *,
    variance: float,
    extra: float,
) -> tuple[float, float, float]:
    """Return the share of pairs that exceed the threshold, and its 95% interval.

    Their ratings are off by chance.
    """
    rng = np.random.default_rng(5)
    uncertainty = THREE_SEATS.tau2 / 4
    number = PAIRS // GROUPS
    shares = []
    for group in np.array_split(values, GROUPS):
        errors = rng.normal(0.0, uncertainty**0.5, number)
        points = rng.choice(group, (number, together)) + errors[:, None] + extra
        hits = sum(
            abs(table_z(row, variance, uncertainty)) >= TABLE_ALARM for row in points.tolist()
        )
        shares.append(hits / number)
    share = mean(shares)
    if not share:
        return 0.0, 0.0, min(1.0, 3 * together / len(values))
    half = STUDENT * stdev(shares) / sqrt(GROUPS)
    return share, max(0.0, share - half), min(1.0, share + half)


def wilson(seen: int, number: int) -> tuple[float, float]:
    """Return the 95% interval of a rate of which so many of a number were seen."""
    if not number:
        return 0.0, 1.0
    square = NORMAL**2
    centre = (seen + square / 2) / (number + square)
    half = NORMAL * sqrt(seen * (number - seen) / number + square / 4) / (number + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def pegging(sets: list[list[Table]]) -> None:
    """Print the z-scores of pegging, for each level against a field of all levels."""
    rows: dict[str, list[tuple[tuple[int, ...], list[tuple[int, ...]]]]] = defaultdict(list)
    for tables in sets:
        for seat in range(3):
            others = [table.pegged[seat] for table in tables[1:]]
            rows[tables[0].levels[seat]].append((tables[0].pegged[seat], others))
    print(f"\npegging with the same cards: share of players with z above {PEGGING_ALARM:g}")
    print("level     games   players   alarms   95% interval (Wilson)   largest")
    for level in LEVELS:
        for window in WINDOWS:
            known = rows[level]
            scores = [
                _pegging_z(known[at : at + window])
                for at in range(0, len(known) - window + 1, window)
            ]
            alarms = sum(z > PEGGING_ALARM for z in scores)
            largest = max(scores, default=0.0)
            low, high = wilson(alarms, len(scores))
            print(
                f"{level:<8} {window:>6}   {len(scores):>7}   {alarms:>6}"
                f"   {low:9.5f} to {high:.5f}   {largest:9.2f}"
            )


def _pegging_z(rows: list[tuple[tuple[int, ...], list[tuple[int, ...]]]]) -> float:
    own, others = [], []
    for mine, field in rows:
        for hand, points in enumerate(mine):
            own.append(float(points))
            others.append([float(each[hand]) for each in field if hand < len(each)])
    return z_score(own, others)


def pace(players: int = 20_000) -> None:
    """Print how often people's times look mechanical, in a model: lognormal, with a wide range."""
    rng = np.random.default_rng(8)
    spreads = rng.uniform(0.35, 1.0, players)
    found = sum(
        (pace_spread(list(np.exp(rng.normal(0.5, spread, LEAST_PLAYS)))) or 1.0) < STEADY
        for spread in spreads
    )
    low, high = wilson(found, players)
    print(
        f"\nmechanical pace: {found} of {players} modelled people (spread 0.35 to 1),"
        f" 95% interval {low:.5f} to {high:.5f}"
    )
