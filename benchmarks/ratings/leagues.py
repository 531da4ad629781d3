"""Leagues simulated from the model itself: true skills, standard games, results."""

from dataclasses import dataclass

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.results import Results, relative_margins

HANDS = 9
"""Hands per game in simulations hand by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class League:
    """Results of a league with known true skills."""

    results: Results
    skill: Floats
    """(players,): points."""


def random_league(
    constants: Constants, rng: np.random.Generator, *, players: int, rows: int, games: int
) -> League:
    """Return results between random players on random standard games."""
    return _played(constants, rng, _random_tables(constants, rng, players, rows), players, games)


def even_league(
    constants: Constants, rng: np.random.Generator, *, players: int, rounds: int, plays: int
) -> League:
    """Return a league in which every player plays `rounds` times, or less if tables run short.

    Each standard game is played `plays` times, by random players.
    """
    tables = players // constants.seats
    seated = [rng.permutation(players)[: tables * constants.seats] for _ in range(rounds)]
    who = np.concatenate(seated).reshape(-1, constants.seats)
    return _played(constants, rng, who, players, max(1, len(who) // plays))


def _random_tables(constants: Constants, rng: np.random.Generator, players: int, rows: int) -> Ints:
    """(rows, n): random players, all different at each table."""
    who = rng.integers(0, players, (rows, constants.seats))
    while np.any(twice := (np.diff(np.sort(who, axis=1), axis=1) == 0).any(axis=1)):
        who[twice] = rng.integers(0, players, (int(twice.sum()), constants.seats))
    return who


def _played(
    constants: Constants, rng: np.random.Generator, who: Ints, players: int, games: int
) -> League:
    """Return the results of these tables; each score is skill, cards and noise.

    Noise and cards are drawn per seat; their contrasts then have the variances of the constants (a
    margin of two seats has twice the variance of a contrast).
    """
    halves = 2.0 if constants.seats == 2 else 1.0
    seats = constants.seats
    skill = rng.normal(0.0, constants.tau2**0.5, players)
    cards = rng.normal(0.0, (constants.omega2 / halves) ** 0.5, (games, seats))
    game = rng.permutation(len(who)) % games
    noise = rng.normal(0.0, (constants.sigma2 / halves) ** 0.5, who.shape)
    # A score contains the seat's own skill once, so a margin contains skill minus the mean skill of
    # the others, as in the model.
    score = skill[who] + cards[game] + noise
    margin = relative_margins(score) + np.array(constants.mu)
    results = Results.from_relative(who, game, margin)
    return League(results, skill)
