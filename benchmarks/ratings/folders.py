"""Three simulated leagues with known true skills and a known exact solution."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.ratings.ranks import spearman
from ratings.model.arrays import Floats
from ratings.model.constants import TWO_SEATS, TWO_SEATS_PAR, Constants
from ratings.model.results import Results, mirrored, relative_margins
from ratings.model.scale import win_expectation

HERE = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[2].parent / "shared" / "ratings"
"""Folder next to the project, used if it exists; else the copy in `data`."""
NAMES = ("base", "near", "hetero")

PLAIN = replace(TWO_SEATS, margin_limit=None)
PAR = replace(TWO_SEATS_PAR, margin_limit=None)
"""The reference solution was computed from unclipped margins."""


@dataclass(frozen=True, slots=True, eq=False)
class Folder:
    """A league: the input of a rating system, and the truth that it may not read."""

    name: str
    results: Results
    truth: Floats
    """(players,): true skill, Elo around 0."""
    test: Floats
    """(pairs, 3): seat 0, seat 1, whether seat 0 won."""
    reference: Floats
    """(players, 4): rating and RD without par, rating and RD with par."""

    def solution(self, constants: Constants) -> tuple[Floats, Floats]:
        """Return rating and RD of the exact solution, with par if the constants use it."""
        first = 2 if constants.beta else 0
        return self.reference[:, first], self.reference[:, first + 1]


@dataclass(frozen=True, slots=True)
class Score:
    """Accuracy of ratings compared with the truth."""

    rho: float
    """Spearman correlation with true skill."""
    rmse: float
    """Root mean square error, Elo."""
    coverage: float
    """Share of players within 1.96 RD of the truth."""
    logloss: float
    """Log loss of predictions for the games in `test`, on random deals."""


def read_folders() -> tuple[Folder, ...]:
    """Return all three leagues."""
    return tuple(_read(name) for name in NAMES)


def score(folder: Folder, rating: Floats, rd: Floats) -> Score:
    """Return the accuracy of ratings (players,) and RDs, Elo."""
    seat0, seat1 = folder.test[:, 0].astype(np.intp), folder.test[:, 1].astype(np.intp)
    won = folder.test[:, 2]
    pairs = zip(rating[seat0], rating[seat1], strict=True)
    chance = np.array([win_expectation(a, b, first_dealer=True) for a, b in pairs])
    error = rating - rating.mean() - (folder.truth - folder.truth.mean())
    return Score(
        rho=spearman(rating, folder.truth),
        rmse=float(np.sqrt(np.mean(error**2))),
        coverage=float(np.mean(np.abs(error) < 1.96 * rd)),
        logloss=float(-np.mean(won * np.log(chance) + (1.0 - won) * np.log(1.0 - chance))),
    )


def _read(name: str) -> Folder:
    """Read one league."""
    columns = ("seat0", "seat1", "game", "score0", "score1", "par")
    seat0, seat1, game, score0, score1, par = _columns(name, "results", columns).T
    return Folder(
        name=name,
        results=Results.from_relative(
            np.column_stack([seat0, seat1]),
            game,
            relative_margins(np.column_stack([score0, score1])),
            par=mirrored(par),
        ),
        truth=_columns(name, "truth", ("theta",))[:, 0],
        test=_columns(name, "test", ("seat0", "seat1", "seat0_won")),
        reference=_columns(name, "reference", ("M0", "M0_rd", "M0par", "M0par_rd")),
    )


def _columns(folder: str, file: str, names: tuple[str, ...]) -> Floats:
    """Read the named columns of a file."""
    shared = SHARED / folder / f"{file}.csv"
    path = shared if shared.exists() else HERE / folder / f"{file}.csv.gz"
    table = np.genfromtxt(path, delimiter=",", names=True)
    return np.column_stack([table[name] for name in names])
