"""How sure a rating is: the variance of each skill, given the results.

Up to EXACT_PLAYERS players it is the exact posterior variance. Above, where the inverse of a
matrix of all players cannot be had, three passes of

    1/v_p = 1/tau2 + sum_t w*(1 - 1/(plays + sigma2/omega2)) / (noise + sum v_others/(n-1)^2)

which leaves the RD some 1 to 2.5% small.
"""

import numpy as np
from scipy.sparse import csr_array

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.results import Results

EXACT_PLAYERS = 500
PASSES = 3


def variances(results: Results, constants: Constants, weight: Floats) -> Floats:
    """(players,): points squared. With forgetting always by passes: weights have no posterior."""
    if constants.half_life is None and results.player_count <= EXACT_PLAYERS:
        return exact_variances(results, constants)
    return passed_variances(results, constants, weight)


def passed_variances(results: Results, constants: Constants, weight: Floats) -> Floats:
    """(players,): by three passes over the results."""
    players = results.players.ravel()
    plays = np.bincount(results.game, minlength=results.game_count)
    told = weight * told_share(plays, constants)[results.game][:, np.newaxis]
    variance = np.full(results.player_count, constants.tau2)
    for _ in range(PASSES):
        held = variance[results.players]
        others = held.sum(axis=1, keepdims=True) - held
        known = told / blur(others, constants)
        total = np.bincount(players, known.ravel(), results.player_count)
        variance = 1.0 / (1.0 / constants.tau2 + total)
    return variance


def told_share(plays: Ints, constants: Constants) -> Floats:
    """Share (0..1) of a result's news that is about skill, in a game of so many plays."""
    return np.asarray(1.0 - 1.0 / (plays + constants.game_ratio))


def blur(variance_of_others: Floats, constants: Constants) -> Floats:
    """Variance (points squared) of one result, given the summed variance of the others."""
    return constants.noise + variance_of_others / (constants.seats - 1) ** 2


def exact_variances(results: Results, constants: Constants) -> Floats:
    """(players,): the diagonal of the posterior covariance; memory grows as players squared.

    The precision of the skills, when the games' effects are integrated out, is

        1/tau2 + (C'C - F' diag(1/(plays + sigma2/omega2)) F) / contrast noise

    C: a row for each seat of each result, taking skills to differences from the table's mean;
    F: its sums over the results of each game.
    """
    rows, seats = results.players.shape
    columns = np.broadcast_to(results.players[:, np.newaxis, :], (rows, seats, seats))
    centring = np.broadcast_to(np.eye(seats) - 1.0 / seats, columns.shape)
    of_row = np.broadcast_to(np.arange(rows * seats).reshape(rows, seats, 1), columns.shape)
    of_game = results.game[:, np.newaxis, np.newaxis] * seats + np.arange(seats)[:, np.newaxis]
    of_game = np.broadcast_to(of_game, columns.shape)

    def table(index: Ints, height: int) -> csr_array:
        place = (index.ravel(), columns.ravel())
        return csr_array((centring.ravel(), place), shape=(height, results.player_count))

    each = table(of_row, rows * seats)
    game = table(of_game, results.game_count * seats)
    plays = np.bincount(results.game, minlength=results.game_count)
    shrunk = np.repeat(1.0 / (plays + constants.game_ratio), seats)[:, np.newaxis]
    news = (each.T @ each - game.T @ game.multiply(shrunk)).toarray()
    contrast_noise = constants.noise * (seats - 1) / seats
    precision = np.eye(results.player_count) / constants.tau2 + news / contrast_noise
    return np.diagonal(np.linalg.inv(precision)).copy()
