"""Ratings of the computer players on the site's scale: python -m benchmarks.ratings.ladder.

The levels play standard games on random packs. In each game they sit in a random circle, and each
plays one table with either neighbour, so it holds each seat once. The site's model rates the
results as it rates people's. The scale's unit is the site's; its zero is not, since no people
played: `games.bots.ladder.ANCHOR` has `games.bots.ladder.ANCHORED` by definition.

Results are kept in `data/ladder.csv.gz`; ``--games`` plays on up to that many, and ``--again``
replays the tables of a level that has changed. It prints the table of `games/bots/ladder.py`.
"""

import argparse
import csv
import gzip
import io
import os
from pathlib import Path
from random import Random
from typing import NamedTuple

import django
import numpy as np

from games.bots import get, levels
from games.bots.ladder import ANCHOR, ANCHORED
from ratings.model.arrays import Floats
from ratings.model.constants import TWO_SEATS
from ratings.model.fit import fit
from ratings.model.results import Results

FILE = Path(__file__).parent / "data" / "ladder.csv.gz"
CHUNK = 20
"""Games between two writes of the file."""
GROUPS = 20
"""Groups of games for the errors: each is left out once (jackknife)."""


class Row(NamedTuple):
    """One table: number of the game, levels (by place in `NAMES`) and scores of its seats."""

    game: int
    seat0: int
    seat1: int
    score0: int
    score1: int


NAMES = tuple(level.name for level in levels())


def played(game: int) -> list[Row]:
    """Play all tables of one game."""
    order = Random(f"ladder-{game}").sample(range(len(NAMES)), len(NAMES))
    return [table(game, *seats) for seats in zip(order, [*order[1:], order[0]], strict=True)]


def table(game: int, *seats: int) -> Row:
    """Play a table of one game between two levels, by place in `NAMES`."""
    from benchmarks.ratings.bots import packs_from
    from ratings.standard.simulation import simulate

    out = simulate([get(NAMES[level]) for level in seats], packs_from(SEED + game))
    return Row(game, *seats, *out.state.results[0].scores)


SEED = 7_000_000
"""Number of the first game's packs; the leagues have lower ones."""


def read() -> list[Row]:
    """Return the stored results."""
    if not FILE.exists():
        return []
    with gzip.open(FILE, "rt", encoding="ascii") as file:
        return [Row._make(map(int, row)) for row in csv.reader(file)]


def play_on(games: int) -> None:
    """Play and store games until there are ``games``."""
    stored = read()
    done = stored[-1].game + 1 if stored else 0
    while done < games:
        upto = min(games, done + CHUNK)
        append([row for game in range(done, upto) for row in played(game)])
        done = upto


def play_again(name: str) -> None:
    """Replay the tables of one level, and store them in place of the old ones."""
    level, stored = NAMES.index(name), read()
    rows = [table(*row[:3]) if level in {row.seat0, row.seat1} else row for row in stored]
    FILE.unlink()
    append(rows)


def append(rows: list[Row]) -> None:
    """Add rows to the stored results."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    with FILE.open("ab") as file:
        file.write(gzip.compress(text.getvalue().encode(), mtime=0))


def ratings_of(rows: list[Row]) -> Floats:
    """Return the ratings of the levels, in Elo, with the anchor's as defined."""
    table = np.array(rows, np.float64)
    results = Results.from_margins(table[:, 1], table[:, 2], table[:, 0], table[:, 3] - table[:, 4])
    rating = fit(results, TWO_SEATS).rating
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
    """Play on as far as asked, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="play on up to so many games")
    parser.add_argument("--again", choices=NAMES, help="replay the tables of this level")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    chosen = parser.parse_args()
    django.setup()
    if chosen.again:
        play_again(chosen.again)
    play_on(chosen.games)
    rows = read()
    print(f"{rows[-1].game + 1} games, {2 * len(rows) // len(NAMES)} results of each level")
    for name, rating, error in measured(rows):
        print(f'    "{name}": Rating({rating}, {error}, version={get(name).version}),')


if __name__ == "__main__":
    main()
