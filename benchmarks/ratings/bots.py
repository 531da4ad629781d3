"""Leagues of computer players of graded skill that play standard games end to end.

`python -m benchmarks.ratings.play` plays them and writes the input of `make bench-ratings`. A
result depends only on its league, number, game and players, so each can be reproduced.
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
from ratings.matchmaking.queue import NOISE, RANDOM_SHARE
from ratings.model.arrays import Floats, Ints
from ratings.model.constants import CENTRE, TWO_SEATS_PAR
from ratings.model.fit import fit
from ratings.model.results import Results
from ratings.rating.league import MixedPlayer
from ratings.standard import decks
from ratings.standard.catalogue import CLOSES_AT
from ratings.standard.simulation import simulate

PLAYERS, ROUNDS = 240, 100
"""Numbers of players and of rounds; everyone plays once per round."""
LEAGUES = ("anybody", "queue")
"""Ways of pairing: at random, or like the site's queue by rating with noise."""
DATA = Path(__file__).parent / "data" / "bots"


class Played(NamedTuple):
    """A result: the players in the seats of a game, and their scores in points.

    `par`: par of the game for seat 0.
    """

    number: int
    game: int
    seat0: int
    seat1: int
    score0: int
    score1: int
    par: float


def slips(player: int) -> float:
    """Probability (0..1) that a player slips at a decision: 0 for player 0, 1 for the last."""
    return player / (PLAYERS - 1)


def packs_of(league: str, game: int) -> list[str]:
    """Return the packs of a league's standard game."""
    return packs_from(LEAGUES.index(league) * 1_000_000 + game)


def packs_from(seed: int) -> list[str]:
    """Return 32 packs in the text form of standard games."""
    return [" ".join(NAMES[card] for card in pack(seed, deal)) for deal in range(1, 33)]


def par_of(packs: Sequence[str]) -> float:
    """Return the value of seat 0 with these packs for the fast house player, points."""
    ruleset = Ruleset(players=2)
    return par([decks.by_role(text, ruleset) for text in packs]).margins[0]


def scores_of(league: str, number: int, game: int, seated: Sequence[int]) -> tuple[int, ...]:
    """Play a league's result with this number; return the final scores."""
    sitting = [
        MixedPlayer(slips(player), Random(f"{league}-{number}-{seat}"))
        for seat, player in enumerate(seated)
    ]
    return simulate(sitting, packs_of(league, game)).state.results[0].scores


def columns(rows: Sequence[Played]) -> Results:
    """Return results as input of the model."""
    table = np.array(rows, np.float64)
    return Results.from_margins(
        table[:, 2], table[:, 3], table[:, 1], table[:, 4] - table[:, 5], par=table[:, 6]
    )


def read(league: str) -> list[Played]:
    """Return a league's results, in the order in which they ended."""
    with gzip.open(DATA / f"{league}.csv.gz", "rt", encoding="ascii") as file:
        return [
            Played._make([*map(int, row[:-1]), float(row[-1])])
            for row in list(csv.reader(file))[1:]
        ]


def play(league: str) -> Iterator[Played]:
    """Play a whole league in rounds; everyone plays once per round."""
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
    """Assignment of standard games as in the catalogue: the oldest open one that is new to both."""

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
    """(players / 2, 2): the pairs of one round."""
    order = rng.permutation(PLAYERS)
    if league == "anybody":
        return order.reshape(-1, 2)
    waiting: list[int] = order.tolist()
    pairs = []
    while waiting:
        first = waiting.pop(0)
        apart = rng.random(len(waiting))
        if rng.random() >= RANDOM_SHARE:
            noise = rng.normal(0.0, NOISE, len(waiting))
            apart = np.abs(rating[first] - rating[waiting] + noise)
        pairs.append((first, waiting.pop(int(np.argmin(apart)))))
    return np.array(pairs, np.intp)


def write(league: str) -> None:
    """Play a league and write its results."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Played._fields)
    writer.writerows(play(league))
    DATA.mkdir(exist_ok=True)
    path = DATA / f"{league}.csv.gz"
    path.write_bytes(gzip.compress(text.getvalue().encode("ascii"), mtime=0))
