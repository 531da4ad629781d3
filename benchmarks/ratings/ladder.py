"""Ratings of the computer players on the site's scale: python -m benchmarks.ratings.ladder.

The levels play standard games on random packs, with two or three seats. In each game they sit in a
circle, and neighbours play one table, so each level holds each seat once. The site's model rates
the results as it rates people's. The scale's unit is the site's; its zero is not, since no people
played: `games.bots.ladder.ANCHOR` has `games.bots.ladder.ANCHORED` by definition.

Results are kept in `data`; ``--games`` plays on up to that many, and ``--again`` replays the tables
of levels that have changed (``--first`` goes on where that was interrupted). All apply to
``--seats``. It prints the tables of `games/bots/ladder.py`.
"""

import argparse
import csv
import gzip
import io
import os
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

import django
import numpy as np

from games.bots import get, levels
from games.bots.ladder import ANCHOR, ANCHORED
from ratings.model.arrays import Floats
from ratings.model.constants import THREE_SEATS, TWO_SEATS
from ratings.model.fit import fit
from ratings.model.results import Results, relative_margins

DATA = Path(__file__).parent / "data"
FILES = {2: DATA / "ladder.csv.gz", 3: DATA / "ladder_three.csv.gz"}
"""Stored results, by number of seats."""
CONSTANTS = {2: TWO_SEATS, 3: THREE_SEATS}
"""The model's constants, by number of seats; none uses par."""
SEEDS = {2: 7_000_000, 3: 8_000_000}
"""Number of the first game's packs, by number of seats; the leagues have lower ones."""
GROUPS = 20
"""Groups of games for the errors: each is left out once (jackknife)."""
BATCH = 140
"""Tables after which a replay stores them."""
NAMES = tuple(level.name for level in levels())
NEAR = 3.0
"""Maximum number of places by which chance moves a level in a circle's order for three seats."""


class Row(NamedTuple):
    """One table: number of the game, levels (by place in `NAMES`) and scores of its seats."""

    game: int
    seated: tuple[int, ...]
    scores: tuple[int, ...]


def circle(seats: int, game: int) -> list[int]:
    """Return the levels, by place in `NAMES`, as they sit around the circle of one game.

    For two seats the order is random. For three, levels of similar strength sit together: the
    order of strength, changed by chance, runs up one side of the circle and down the other.
    """
    if seats == 2:
        return Random(f"ladder-{game}").sample(range(len(NAMES)), len(NAMES))
    random = Random(f"ladder-3-{game}")
    moved = [place + random.uniform(0.0, NEAR) for place in range(len(NAMES))]
    order = sorted(range(len(NAMES)), key=moved.__getitem__)
    around = order[::2] + order[1::2][::-1]
    return around[::-1] if random.random() < 0.5 else around


def played(seats: int, game: int) -> list[Row]:
    """Play all tables of one game: of each level and those after it in the circle."""
    order = circle(seats, game)
    around = [*order, *order[: seats - 1]]
    return [table(game, around[first : first + seats]) for first in range(len(order))]


def table(game: int, seated: Sequence[int]) -> Row:
    """Play a table of one game between levels, by place in `NAMES`."""
    from benchmarks.ratings.bots import packs_from
    from ratings.standard.simulation import simulate

    packs = packs_from(SEEDS[len(seated)] + game)
    out = simulate([get(NAMES[level]) for level in seated], packs)
    return Row(game, tuple(seated), out.state.results[0].scores)


def read(seats: int) -> list[Row]:
    """Return the stored results."""
    if not FILES[seats].exists():
        return []
    with gzip.open(FILES[seats], "rt", encoding="ascii") as file:
        rows = [tuple(map(int, row)) for row in csv.reader(file)]
    return [Row(row[0], row[1 : seats + 1], row[seats + 1 :]) for row in rows]


def store(seats: int, rows: list[Row]) -> None:
    """Write the results, all at once, so that an interruption leaves the earlier ones whole."""
    text = io.StringIO()
    flat = ([row.game, *row.seated, *row.scores] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(flat)
    new = FILES[seats].with_suffix(".new")
    new.write_bytes(gzip.compress(text.getvalue().encode("ascii"), mtime=0))
    new.replace(FILES[seats])


def play_on(seats: int, games: int) -> None:
    """Play games until there are ``games``, and store each once it is played."""
    rows = read(seats)
    for game in range(rows[-1].game + 1 if rows else 0, games):
        rows += played(seats, game)
        store(seats, rows)


def play_again(seats: int, names: Sequence[str], pool: Executor, first: int = 0) -> None:
    """Replay the tables of some levels from game ``first`` on, in place of the old ones.

    They are stored every `BATCH` tables, so that an interruption loses few.
    """
    changed = {NAMES.index(name) for name in names}
    rows = read(seats)
    at = [
        number for number, row in enumerate(rows) if row.game >= first and changed & set(row.seated)
    ]
    old = [rows[number] for number in at]
    new = pool.map(table, [row.game for row in old], [row.seated for row in old], chunksize=20)
    for done, (number, row) in enumerate(zip(at, new, strict=True), 1):
        rows[number] = row
        if done % BATCH == 0:
            store(seats, rows)
            print(f"replayed to game {row.game}", flush=True)
    store(seats, rows)


def ratings_of(rows: list[Row]) -> Floats:
    """Return the ratings of the levels, in Elo, with the anchor's as defined."""
    seated = np.array([row.seated for row in rows])
    margins = relative_margins([row.scores for row in rows])
    results = Results.from_relative(seated, [row.game for row in rows], margins)
    rating = fit(results, CONSTANTS[seated.shape[1]]).rating
    anchored: Floats = rating - rating[NAMES.index(ANCHOR)] + ANCHORED
    return anchored


def errors_of(rows: list[Row]) -> Floats:
    """Return the 95% errors of the differences to the anchor, in Elo."""
    without = np.array(
        [ratings_of([row for row in rows if row.game % GROUPS != group]) for group in range(GROUPS)]
    )
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (GROUPS - 1) / GROUPS
    errors: Floats = 1.96 * np.sqrt(spread)
    return errors


def measured(rows: list[Row]) -> list[tuple[str, int, int]]:
    """Return the name, rating and 95% error of each level, weakest first."""
    return [
        (name, round(rating), round(error))
        for name, rating, error in zip(NAMES, ratings_of(rows), errors_of(rows), strict=True)
    ]


def main() -> None:
    """Play on as far as asked, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=FILES, default=2, help="seats at a table")
    parser.add_argument("--games", type=int, default=0, help="play on up to so many games")
    parser.add_argument(
        "--again", nargs="+", choices=NAMES, default=[], help="replay the tables of these levels"
    )
    parser.add_argument("--first", type=int, default=0, help="replay from this game on")
    parser.add_argument("--processes", type=int, help="replay in so many, not on all cores")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    chosen = parser.parse_args()
    django.setup()
    if chosen.again:
        with ProcessPoolExecutor(chosen.processes, initializer=django.setup) as pool:
            play_again(chosen.seats, chosen.again, pool, chosen.first)
    play_on(chosen.seats, chosen.games)
    for seats in FILES:
        rows = read(seats)
        results = seats * len(rows) // len(NAMES)
        print(f"{seats} seats: {rows[-1].game + 1} games, {results} results of each level")
        for name, rating, error in measured(rows):
            print(f'    "{name}": Rating({rating}, {error}, version={get(name).version}),')


if __name__ == "__main__":
    main()
