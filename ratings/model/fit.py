"""The full fit: skills and game effects estimated from all results at once.

For seat k of a result with n seats, with margins relative to the mean of the others:

    margin = mu_k + beta*par + effect(game, k) + skill_k - mean skill of the others + noise

For two seats this is the mixed model of margins. For three it is the mixed model of orthonormal
(Helmert) contrasts of the scores, in a form that does not depend on the choice of contrasts. The
fixed point of

    effect(g, k) = sum_t(margin - mu - beta*par - skill + others) / (plays + sigma2/omega2)
    skill(p)     = sum_t w*q / (sum_t w + noise/tau2),
    q            = margin - mu - beta*par - effect + others

is the best linear unbiased prediction (C. R. Henderson, Biometrics 31, 1975).
"""

from dataclasses import dataclass

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.fixed_point import solve
from ratings.model.results import Results
from ratings.model.scale import deviation, rating
from ratings.model.uncertainty import variances

TOLERANCE_ELO = 1e-4
"""Largest change of a rating in the last sweep of a fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Result of a full fit. It depends on the results and the constants only."""

    constants: Constants
    skill: Floats
    """(players,): points above the mean player."""
    variance: Floats
    """(players,): of `skill`, points squared."""
    effect: Floats
    """(games, n): value of each seat of each game beyond `mu` and par, points."""
    sweeps: int

    @property
    def rating(self) -> Floats:
        """(players,): Elo."""
        return rating(self.skill, self.constants)

    @property
    def rd(self) -> Floats:
        """(players,): Elo."""
        return deviation(self.variance, self.constants)


def fit(results: Results, constants: Constants, start: Fit | None = None) -> Fit:
    """Fit all results. `start`, an earlier fit, saves sweeps and does not affect the result.

    Raises ValueError if the results lack what the constants need, ConvergenceError if the sweeps
    do not converge.
    """
    adjusted = results.adjusted_margins(constants)
    weight = forgetting_weights(results, constants)
    players = results.players.ravel()
    count = results.player_count
    total = np.bincount(players, weight.ravel(), count) + constants.player_ratio

    def sweep(skill: Floats) -> Floats:
        held = skill[results.players]
        others = mean_of_others(held)
        effect = game_effects(results, adjusted - held + others, constants)
        q = adjusted - effect[results.game] + others
        return np.asarray(np.bincount(players, (weight * q).ravel(), count) / total)

    begin = np.zeros(count)
    if start is not None:
        known = min(count, len(start.skill))
        begin[:known] = start.skill[:known]
    skill, sweeps = solve(sweep, begin, TOLERANCE_ELO / constants.elo_per_point)
    held = skill[results.players]
    return Fit(
        constants=constants,
        skill=skill,
        variance=variances(results, constants, weight),
        effect=game_effects(results, adjusted - held + mean_of_others(held), constants),
        sweeps=sweeps,
    )


def mean_of_others(held: Floats) -> Floats:
    """(T, n): mean over the other seats of a value per seat (T, n)."""
    if held.shape[-1] == 2:
        return held[..., ::-1]
    return np.asarray((held.sum(axis=-1, keepdims=True) - held) / (held.shape[-1] - 1))


def game_effects(results: Results, surplus: Floats, constants: Constants) -> Floats:
    """(games, n): value of each seat, from the margins (T, n) that skills do not explain."""
    plays = np.bincount(results.game, minlength=results.game_count)
    sums = [np.bincount(results.game, column, results.game_count) for column in surplus.T]
    return np.asarray(np.stack(sums, axis=1) / (plays + constants.game_ratio)[:, np.newaxis])


def forgetting_weights(results: Results, constants: Constants) -> Floats:
    """(T, n): weight (0..1) of each result for each of its players."""
    if constants.half_life is None:
        return np.ones(results.players.shape)
    return constants.fading ** own_games_since(results).astype(np.float64)


def own_games_since(results: Results) -> Ints:
    """(T, n): number of later results of each player of a result."""
    players = results.players.ravel()
    order = np.argsort(players, kind="stable")
    games = np.bincount(players, minlength=results.player_count)
    ends = np.cumsum(games)
    since = np.empty(len(players), np.intp)
    since[order] = ends[players[order]] - 1 - np.arange(len(players))
    return since.reshape(results.players.shape)
