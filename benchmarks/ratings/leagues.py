"""Leagues drawn from the model itself: true skills, standard games, results."""

from dataclasses import dataclass

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.results import Results, relative_margins

HANDS = 9
"""Hands in a game, where a game is followed hand by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class League:
    """Results of a league whose true skills are known."""

    results: Results
    skill: Floats
    """(players,): points."""


def random_league(
    constants: Constants, rng: np.random.Generator, *, players: int, rows: int, games: int
) -> League:
    """So many results between random players on random standard games."""
    return _played(constants, rng, _random_tables(constants, rng, players, rows), players, games)


def even_league(
    constants: Constants, rng: np.random.Generator, *, players: int, rounds: int, plays: int
) -> League:
    """Every player sits down `rounds` times, but for those over when the tables are full.

    Each standard game is played `plays` times, by nobody in particular.
    """
    tables = players // constants.seats
    seated = [rng.permutation(players)[: tables * constants.seats] for _ in range(rounds)]
    who = np.concatenate(seated).reshape(-1, constants.seats)
    return _played(constants, rng, who, players, max(1, len(who) // plays))


def _random_tables(constants: Constants, rng: np.random.Generator, players: int, rows: int) -> Ints:
    """(rows, n): players who sit down together, all of a table different."""
    who = rng.integers(0, players, (rows, constants.seats))
    while np.any(twice := (np.diff(np.sort(who, axis=1), axis=1) == 0).any(axis=1)):
        who[twice] = rng.integers(0, players, (int(twice.sum()), constants.seats))
    return who


def _played(
    constants: Constants, rng: np.random.Generator, who: Ints, players: int, games: int
) -> League:
    """The results of these tables; each seat scores skill, its cards and noise.

    Noise and cards are drawn for each seat alone; their contrasts then have the variances of
    the constants (a margin of two seats has twice the variance of a contrast).
    """
    halves = 2.0 if constants.seats == 2 else 1.0
    seats = constants.seats
    skill = rng.normal(0.0, constants.tau2**0.5, players)
    cards = rng.normal(0.0, (constants.omega2 / halves) ** 0.5, (games, seats))
    game = rng.permutation(len(who)) % games
    noise = rng.normal(0.0, (constants.sigma2 / halves) ** 0.5, who.shape)
    # A seat's score carries its own skill once; the margin of n seats then carries
    # skill - mean skill of the others, which is what the model has.
    score = skill[who] + cards[game] + noise
    margin = relative_margins(score) + np.array(constants.mu)
    results = Results.from_relative(who, game, margin)
    return League(results, skill)
