"""A dense brute-force solver of the model, written from the formulas and not from the code."""

import numpy as np
from numpy.typing import NDArray

from ratings.model.constants import Constants
from ratings.model.results import Results

HELMERT = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, -2.0]]) / np.sqrt([[2.0], [6.0]])


def two_seat_solution(
    results: Results, constants: Constants, weight: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return skills (points), then seat-0 effects of the games, from the two printed equations.

    `weight` (T, 2) is the weight of each result for each of its players; None: 1.
    """
    people, games = results.player_count, results.game_count
    weight = np.ones((len(results), 2)) if weight is None else weight
    equations = np.zeros((people + games, people + games))
    said = np.zeros(people + games)
    ratio = constants.sigma2 / constants.tau2
    equations[:people, :people] = ratio * np.eye(people)
    equations[people:, people:] = constants.sigma2 / constants.omega2 * np.eye(games)
    for t in range(len(results)):
        first, second = results.players[t]
        game = people + results.game[t]
        rest = results.margin[t, 0] - constants.mu[0]
        if constants.beta and results.par is not None:
            rest -= constants.beta * results.par[t, 0]
        for player, other, sign, share in (
            (first, second, 1.0, weight[t, 0]),
            (second, first, -1.0, weight[t, 1]),
        ):
            equations[player, player] += share
            equations[player, other] -= share
            equations[player, game] += share * sign
            said[player] += share * sign * rest
        equations[game, game] += 1.0
        equations[game, first] += 1.0
        equations[game, second] -= 1.0
        said[game] += rest
    return np.asarray(np.linalg.solve(equations, said))


def three_seat_posterior(
    results: Results, scores: NDArray[np.float64], constants: Constants
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the skills' posterior means and variances, by Helmert contrasts of `scores` (T, 3)."""
    rows, people, games = len(results), results.player_count, results.game_count
    of_skill = np.zeros((rows, 2, people))
    of_game = np.zeros((rows, 2, games, 2))
    for t in range(rows):
        of_skill[t][:, results.players[t]] = HELMERT
        of_game[t, :, results.game[t]] = np.eye(2)
    seen = (scores @ HELMERT.T).ravel()
    by_skill = of_skill.reshape(2 * rows, people)
    by_game = of_game.reshape(2 * rows, 2 * games)
    spread = (
        constants.tau2 * by_skill @ by_skill.T
        + constants.omega2 * by_game @ by_game.T
        + constants.sigma2 * np.eye(2 * rows)
    )
    gain = constants.tau2 * by_skill.T @ np.linalg.inv(spread)
    return gain @ seen, constants.tau2 * (1.0 - np.sum(gain * by_skill.T, axis=1))
