"""Glicko-2 for comparison, vectorised: M. Glickman, "Example of the Glicko-2 system" (2013).

Unlike the published system it knows who dealt first. Results come in rounds in which everyone plays
once. A rating period is a number of rounds; ratings are available after every round.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import FIRST_DEAL_ELO

SCALE = 173.7178
"""Elo per unit of Glicko-2's own scale."""
CLOSE = 1e-6
STEPS = 100


@dataclass(frozen=True, slots=True)
class Tuning:
    """Parameters: RD of a new player (Elo), volatility, tau, rounds per rating period."""

    rd: float
    volatility: float
    tau: float
    period: int


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """(players,): rating and deviation on Glicko-2's own scale, and volatility."""

    mu: Floats
    phi: Floats
    sigma: Floats


def ratings_by_round(players: Ints, won: Floats, tuning: Tuning) -> Iterator[Floats]:
    """Yield ratings (players,) after each round, in Elo around 0.

    `players` is (rounds, tables, 2); `won` (rounds, tables) says whether seat 0 won.
    """
    count = int(players.max()) + 1
    state = State(
        np.zeros(count), np.full(count, tuning.rd / SCALE), np.full(count, tuning.volatility)
    )
    begun = 0
    for now in range(1, len(players) + 1):
        period = slice(begun, now)
        after = updated(state, players[period].reshape(-1, 2), won[period].ravel(), tuning.tau)
        yield after.mu * SCALE
        if now - begun == tuning.period:
            state, begun = after, now


def updated(
    state: State, players: Ints, won: Floats, tau: float, *, first_deal: float = FIRST_DEAL_ELO
) -> State:
    """Return the state after a rating period: players (T, 2), won (T,) by seat 0.

    `first_deal` is the advantage of seat 0, Elo.
    """
    edge = first_deal / SCALE
    count = len(state.mu)
    news, gains = np.zeros(count), np.zeros(count)
    for seat, advantage, score in ((0, edge, won), (1, -edge, 1.0 - won)):
        own, other = players[:, seat], players[:, 1 - seat]
        g = 1.0 / np.sqrt(1.0 + 3.0 * (state.phi[other] / np.pi) ** 2)
        expected = 1.0 / (1.0 + np.exp(-g * (state.mu[own] - state.mu[other] + advantage)))
        news += np.bincount(own, g**2 * expected * (1.0 - expected), count)
        gains += np.bincount(own, g * (score - expected), count)
    variance = 1.0 / np.maximum(news, 1e-12)
    sigma = _volatility(state, variance, variance * gains, tau)
    spread = state.phi**2 + sigma**2
    phi = 1.0 / np.sqrt(1.0 / spread + news)
    return State(state.mu + phi**2 * gains, phi, sigma)


def _volatility(state: State, variance: Floats, delta: Floats, tau: float) -> Floats:
    """(players,): new volatility, step 5 of the description, solved by the Illinois method."""
    start = np.log(state.sigma**2)

    def f(x: Floats) -> Floats:
        total = state.phi**2 + variance + np.exp(x)
        surplus = np.exp(x) * (delta**2 - total)
        return np.asarray(surplus / (2.0 * total**2) - (x - start) / tau**2)

    beyond = delta**2 - state.phi**2 - variance
    low = start.copy()
    high = np.where(beyond > 0.0, np.log(np.maximum(beyond, 1e-12)), start - tau)
    for _ in range(STEPS):
        short = (beyond <= 0.0) & (f(high) < 0.0)
        if not short.any():
            break
        high = np.where(short, high - tau, high)
    at_low, at_high = f(low), f(high)
    for _ in range(STEPS):
        if np.all(np.abs(high - low) <= CLOSE):
            break
        apart = np.where(at_high == at_low, 1.0, at_high - at_low)
        middle = low + (low - high) * at_low / apart
        at_middle = f(middle)
        crossed = at_middle * at_high <= 0.0
        low, at_low = np.where(crossed, high, low), np.where(crossed, at_high, at_low / 2.0)
        high, at_high = middle, at_middle
    return np.exp(low / 2.0)
