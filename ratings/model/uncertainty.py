"""Uncertainty of ratings: the variance of each skill, given the results.

Up to EXACT_PLAYERS players it is the exact posterior variance. Above that, inverting a matrix of
all players takes too long, and three passes of

    1/v_p = 1/tau2 + sum_t w*(1 - 1/(plays + sigma2/omega2)) / (noise + sum v_others/(n-1)^2)

approximate it; the RD is then 1 to 2.5% too small.
"""

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.results import Results

EXACT_PLAYERS = 500
PASSES = 3
MANY_PLAYS = 12
"""A game with more plays than this is cheaper as a row of a dense table than as result pairs."""
DENSE_GAMES = 2048
"""Maximum number of rows of that table in memory at once: 8 MB for 500 players."""


def variances(results: Results, constants: Constants, weight: Floats) -> Floats:
    """(players,): variance of each skill, points squared.

    With a half-life it is always approximated, since weighted results have no exact posterior.
    """
    if constants.half_life is None and results.player_count <= EXACT_PLAYERS:
        return exact_variances(results, constants)
    return approximate_variances(results, constants, weight)


def approximate_variances(results: Results, constants: Constants, weight: Floats) -> Floats:
    """(players,): variance of each skill, approximated by three passes over the results."""
    players = results.players.ravel()
    plays = np.bincount(results.game, minlength=results.game_count)
    informative = weight * information_share(plays, constants)[results.game][:, np.newaxis]
    variance = np.full(results.player_count, constants.tau2)
    for _ in range(PASSES):
        held = variance[results.players]
        others = held.sum(axis=1, keepdims=True) - held
        known = informative / result_variance(others, constants)
        total = np.bincount(players, known.ravel(), results.player_count)
        variance = 1.0 / (1.0 / constants.tau2 + total)
    return variance


def information_share(plays: Ints, constants: Constants) -> Floats:
    """Return the share (0..1) of a result's information that is about skill, not the game.

    `plays` is the number of plays of the result's game.
    """
    return np.asarray(1.0 - 1.0 / (plays + constants.game_ratio))


def result_variance(variance_of_others: Floats, constants: Constants) -> Floats:
    """Return the variance (points squared) of a result, from the summed variance of the others."""
    return constants.noise + variance_of_others / (constants.seats - 1) ** 2


def exact_variances(results: Results, constants: Constants) -> Floats:
    """(players,): diagonal of the posterior covariance. Memory grows as players squared.

    With the effects of the games integrated out, the precision matrix of the skills is

        1/tau2 + (C'C - F' diag(1/(plays + sigma2/omega2)) F) / contrast noise

    C: a row for each seat of each result, taking skills to differences from the table's mean;
    F: its sums over the results of each game. C'C has the centring matrix of each result at its
    players; F'F has the same matrix for each two results of a game, a result with itself included.
    """
    seats, count = results.players.shape[1], results.player_count
    order = np.argsort(results.game, kind="stable")
    game, players = results.game[order], results.players[order]
    plays = np.bincount(game, minlength=results.game_count)[game]
    shrunk: Floats = np.asarray(1.0 / (plays + constants.game_ratio), np.float64)
    many = plays > MANY_PLAYS
    few = ~many
    information = _at_pairs(players, players, np.where(many, 1.0, 1.0 - shrunk), count)
    information -= _by_pairs(game[few], players[few], shrunk[few], count)
    information -= _by_games(game[many], players[many], shrunk[many], count)
    contrast_noise = constants.noise * (seats - 1) / seats
    precision = np.eye(count) / constants.tau2 + information / contrast_noise
    return np.diagonal(np.linalg.inv(precision)).copy()


def _centring(seats: int) -> Floats:
    """(n, n): the projection that takes skills to differences from their mean."""
    return np.asarray(np.eye(seats) - 1.0 / seats)


def _at_pairs(one: Ints, other: Ints, weight: Floats, count: int) -> Floats:
    """(count, count): the weighted centring matrix of each row, added up at its players."""
    place = one[:, :, np.newaxis] * count + other[:, np.newaxis, :]
    worth = weight[:, np.newaxis, np.newaxis] * _centring(one.shape[1])
    total = np.bincount(place.ravel(), worth.ravel(), count * count)
    return total.reshape(count, count).astype(np.float64)


def _by_pairs(game: Ints, players: Ints, weight: Floats, count: int) -> Floats:
    """(count, count): the sum over pairs of different results of a game; rows are by game."""
    total = np.zeros((count, count))
    first = np.arange(len(game))
    for apart in range(1, MANY_PLAYS):
        first = first[first + apart < len(game)]
        first = first[game[first + apart] == game[first]]
        total += _at_pairs(players[first], players[first + apart], weight[first], count)
    return total + total.T


def _by_games(game: Ints, players: Ints, weight: Floats, count: int) -> Floats:
    """(count, count): the sum over all pairs of results of a game, by a dense row for each game.

    A row of F for each of n - 1 orthonormal contrasts is equivalent to one for each seat.
    """
    seats = players.shape[1]
    contrasts = np.linalg.svd(_centring(seats))[2][: seats - 1]
    number = np.unique(game, return_inverse=True)[1]
    total = np.zeros((count, count))
    for begin in range(0, int(number.max(initial=-1)) + 1, DENSE_GAMES):
        here = slice(*np.searchsorted(number, [begin, begin + DENSE_GAMES]))
        place = (number[here, np.newaxis] - begin) * count + players[here]
        height = int(number[here][-1]) - begin + 1
        for contrast in contrasts:
            worth = np.sqrt(weight[here, np.newaxis]) * contrast
            table = np.bincount(place.ravel(), worth.ravel(), height * count)
            table = table.reshape(height, count)
            total += table.T @ table
    return total
