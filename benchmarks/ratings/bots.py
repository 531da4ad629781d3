"""A league of computer players of graded skill, who play standard games end to end.

`python -m benchmarks.ratings.play` plays them anew and writes what `make bench-ratings` reads. A
result follows from its league, number, game and players, so that any of them can be played again.
"""

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from games.analysis.arena import pack
from games.api import NAMES, Ruleset, par
from ratings import decks
from ratings.model.arrays import Floats, Ints
from ratings.model.constants import CENTRE, TWO_SEATS_PAR
from ratings.model.fit import fit
from ratings.model.results import Results
from ratings.services.catalogue import CLOSES_AT
from ratings.services.league import Graded
from ratings.services.matching import AT_RANDOM, NOISE
from ratings.services.playing import play_out

PLAYERS, ROUNDS = 240, 100
"""Everybody plays once a round."""
LEAGUES = ("anybody", "queue")
"""Who meets: anybody anybody, or as in the site's queue, by rating with noise."""
DATA = Path(__file__).parent / "data" / "bots"


class Played(NamedTuple):
    """One result: who held the seats of which game, and what came of it, points.

    `par`: of the game, as seat 0 sees it.
    """

    number: int
    game: int
    seat0: int
    seat1: int
    score0: int
    score1: int
    par: float


def slips(player: int) -> float:
    """Chance (0..1) that a player slips at a decision: player 0 is the best, the last the worst."""
    return player / (PLAYERS - 1)


def packs_of(league: str, game: int) -> list[str]:
    """The packs of a league's standard game."""
    seed = LEAGUES.index(league) * 1_000_000 + game
    return [" ".join(NAMES[card] for card in pack(seed, deal)) for deal in range(1, 33)]


def par_of(packs: Sequence[str]) -> float:
    """What seat 0 of these packs is worth to the fast house player, points."""
    ruleset = Ruleset(players=2)
    return par([decks.by_role(text, ruleset) for text in packs]).margins[0]


def scores_of(league: str, number: int, game: int, seated: Sequence[int]) -> tuple[int, ...]:
    """Play the league's result of that number; return the final scores."""
    sitting = [
        Graded(slips(player), Random(f"{league}-{number}-{seat}"))
        for seat, player in enumerate(seated)
    ]
    return play_out(sitting, packs_of(league, game)).state.results[0].scores


def columns(rows: Sequence[Played]) -> Results:
    """Results as the model reads them."""
    table = np.array(rows, np.float64)
    return Results.from_margins(
        table[:, 2], table[:, 3], table[:, 1], table[:, 4] - table[:, 5], par=table[:, 6]
    )


def read(league: str) -> list[Played]:
    """What was played, in the order in which it ended."""
    with gzip.open(DATA / f"{league}.csv.gz", "rt", encoding="ascii") as file:
        return [
            Played._make([*map(int, row[:-1]), float(row[-1])])
            for row in list(csv.reader(file))[1:]
        ]


def play(league: str) -> Iterator[Played]:
    """Play a whole league: rounds, in each of which everybody meets somebody."""
    rng = np.random.default_rng(LEAGUES.index(league))
    shelf = Shelf()
    pars: list[float] = []
    rating: Floats = np.full(PLAYERS, CENTRE)
    rows: list[Played] = []
    for _ in range(ROUNDS):
        for pair in _pairs(league, rating, rng):
            seated = [int(player) for player in rng.permutation(pair)]
            game = shelf.lend(seated)
            if game == len(pars):
                pars.append(par_of(packs_of(league, game)))
            scores = scores_of(league, len(rows), game, seated)
            rows.append(Played._make([len(rows), game, *seated, *scores, pars[game]]))
            yield rows[-1]
        rating = fit(columns(rows), TWO_SEATS_PAR).rating


class Shelf:
    """Standard games handed out as the catalogue does: the oldest open one that is new to both."""

    def __init__(self) -> None:
        self._met: list[set[int]] = []
        self._first_open = 0

    def lend(self, seated: Sequence[int]) -> int:
        """Return the number of the game that these two get."""
        most = 2 * CLOSES_AT
        while self._first_open < len(self._met) and len(self._met[self._first_open]) >= most:
            self._first_open += 1
        for game in range(self._first_open, len(self._met)):
            met = self._met[game]
            if len(met) < most and met.isdisjoint(seated):
                met.update(seated)
                return game
        self._met.append(set(seated))
        return len(self._met) - 1


def _pairs(league: str, rating: Floats, rng: np.random.Generator) -> Ints:
    """(players / 2, 2): who meets in one round."""
    order = rng.permutation(PLAYERS)
    if league == "anybody":
        return order.reshape(-1, 2)
    waiting: list[int] = order.tolist()
    pairs = []
    while waiting:
        first = waiting.pop(0)
        apart = rng.random(len(waiting))
        if rng.random() >= AT_RANDOM:
            noise = rng.normal(0.0, NOISE, len(waiting))
            apart = np.abs(rating[first] - rating[waiting] + noise)
        pairs.append((first, waiting.pop(int(np.argmin(apart)))))
    return np.array(pairs, np.intp)


def write(league: str) -> None:
    """Play a league and write what was played."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Played._fields)
    writer.writerows(play(league))
    DATA.mkdir(exist_ok=True)
    path = DATA / f"{league}.csv.gz"
    path.write_bytes(gzip.compress(text.getvalue().encode("ascii"), mtime=0))
