"""Builds the tables for two seats by self-play, repeated until discards and plays agree.

A full build takes half an hour; only ``manage.py make_tables`` runs it, and a test rebuilds parts.
Each step has its own seed, so any part can be built without the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels import (
    discard,
    measure,
    selfplay,
    show,
    winning,
)
from games.analysis.kernels import (
    policy as policy_kernel,
)

Array = NDArray[Any]
Report = Callable[[str], None]

HANDS = np.array(list(combinations_with_replacement(range(13), 4)), dtype=np.int64)
"""All hands of four ranks, lowest first: shape (1820, 4)."""
HAND_AT = ((HANDS[:, 0] * 13 + HANDS[:, 1]) * 13 + HANDS[:, 2]) * 13 + HANDS[:, 3]
"""Index of each of `HANDS` in a table of 13**4."""

FIRST_STEPS = ((100_000, 500_000, 100), (150_000, 1_500_000, 300))
"""Steps before the long training: deals made, rounds trained, plays measured per hand."""
FIRST_SEED = 20261121
SEED = 777
POOL = 400_000
ROUNDS = 20_000_000
BLOCK = 2_000_000
SLOTS = 1 << 20
PEG_EACH = 1500
HABIT_SHARE = 0.4
"""Share of rules of thumb in the play, in the table of points in the play with habits."""
HABIT_EACH = 3000
HABIT_POOL = 200_000
CLUB_DEALS = 3_000_000
"""Deals in which the hands that a club player keeps are counted, for each role."""
DEALS = 40_000
LEAST_KEPT = 0.02
"""Added to how often hands are kept, relative to chance: none is impossible."""


@dataclass
class Training:
    """The tables of counterfactual-regret training; ``capacity`` is a power of two."""

    capacity: int = 1 << 23
    rounds: int = 0
    keys: Array = field(init=False)
    regrets: Array = field(init=False)
    sums: Array = field(init=False)

    def __post_init__(self) -> None:
        self.keys = np.zeros(self.capacity, dtype=np.int64)
        self.regrets = np.zeros((self.capacity, 4), dtype=np.float32)
        self.sums = np.zeros((self.capacity, 4), dtype=np.float32)

    def run(self, pool: Array, rounds: int, rng: Array) -> float:
        """Train on ``rounds`` deals drawn from ``pool``; return the dealer's mean gain."""
        gain = policy_kernel.train(
            pool, rounds, self.rounds, self.keys, self.regrets, self.sums, rng
        )
        self.rounds += rounds
        return gain

    def policy(self, slots: int, purify: float = 0.04) -> Array:
        """Return the average strategy of the most visited keys, packed into ``slots`` slots."""
        total = self.sums.sum(axis=1)
        room = int(0.85 * slots)
        least = 0.0
        if int((total > 0).sum()) > room:
            least = float(np.partition(total, -room)[-room])
        out = np.zeros((slots, 2), dtype=np.uint32)
        measure.pack_policy(self.keys, self.sums, least, purify, out)
        return out


def rng_from(*seed: int) -> Array:
    """Return the state of the kernels' random number generator for a seed."""
    mixed = 0
    for part in seed:
        mixed = (mixed * 1_000_003 + part) % (1 << 63)
    return np.array([mixed], dtype=np.uint64)


def deals(throws: Array, pegs: Array, number: int, rng: Array) -> Array:
    """Return ``number`` deals with the tables' discards, in the format of `throw_deals`."""
    out = np.zeros((number, 13), dtype=np.int64)
    selfplay.throw_deals(show.five_table(), throws, pegs, number, rng, out)
    return out


def pool_from_deals(dealt: Array) -> Array:
    """Return the ranks that pone and the dealer keep, eight per row."""
    return np.ascontiguousarray(dealt[:, :8] >> 2)


def pool_from_keeps(keeps: Array, number: int, rng: Array) -> Array:
    """Return ``number`` rows like `pool_from_deals`, weighted by how often each hand is kept."""
    rows = []
    for role in range(2):
        weights = uniform_shares() * keeps[role, HAND_AT]
        draws = [policy_kernel.next_random(rng) for _ in range(number)]
        ends = np.cumsum(weights) / weights.sum()
        rows.append(HANDS[np.minimum(np.searchsorted(ends, draws), len(HANDS) - 1)])
    return np.ascontiguousarray(np.concatenate(rows, axis=1))


def uniform_shares() -> Array:
    """Return the probability that four random cards have the ranks of each of `HANDS`."""
    counts = (HANDS[:, :, None] == np.arange(13)).sum(axis=1)
    ways = np.array([1, 4, 6, 4, 1])[counts].prod(axis=1)
    shares: Array = ways / ways.sum()
    return shares


def measure_throws(dealt: Array) -> Array:
    """Return how often each role discards two ranks, relative to chance: shape (2, 13, 13)."""
    blind = np.full((13, 13), 16.0)
    np.fill_diagonal(blind, 6.0)
    out = np.empty((2, 13, 13))
    for role in range(2):
        ranks = np.sort(dealt[:, 8 + 2 * role : 10 + 2 * role] >> 2, axis=1)
        seen = np.zeros((13, 13))
        np.add.at(seen, (ranks[:, 0], ranks[:, 1]), 1.0)
        seen = np.triu(seen) + np.triu(seen, 1).T
        natural = blind / 1326.0
        shares = seen / len(dealt)
        out[role] = (shares + 0.003 * natural) / natural
    return out


def measure_keeps(dealt: Array) -> Array:
    """Return how often each role keeps four ranks, relative to chance: shape (2, 13**4)."""
    out = np.zeros((2, 13**4))
    natural = uniform_shares()
    for role in range(2):
        ranks = np.sort(dealt[:, 4 * role : 4 * role + 4] >> 2, axis=1)
        at = ((ranks[:, 0] * 13 + ranks[:, 1]) * 13 + ranks[:, 2]) * 13 + ranks[:, 3]
        seen = np.bincount(at, minlength=13**4)[HAND_AT] / len(dealt)
        out[role, HAND_AT] = (seen + LEAST_KEPT * natural) / natural
    return out


def club_keeps(cribs: Array, number: int = CLUB_DEALS) -> Array:
    """Return how often each role of a club player keeps `HANDS`, relative to chance: (2, 1820).

    ``cribs`` is the table of `blind_cribs`.
    """
    out = np.zeros((2, len(HANDS)))
    for role in range(2):
        seen, rng = np.zeros(13**4, dtype=np.int64), rng_from(SEED, 8, role)
        measure.count_kept(show.five_table(), cribs, role, number, rng, seen)
        out[role] = seen[HAND_AT] / number / uniform_shares() + LEAST_KEPT
    return out.astype(np.float32)


def rough_pegs(policy: Array, pool: Array, each: int, rng: Array) -> Array:
    """Return the average pegging of each hand and its opponent, in hundredths of a point.

    Shape (2, 13**4, 2).
    """
    out = np.zeros((2, 13**4, 2), dtype=np.int16)
    for role in range(2):
        sums = np.zeros((len(HANDS), 3))
        measure.peg_hands(HANDS, role, pool, each, policy, rng, sums)
        out[role, HAND_AT] = _hundredths(sums)
    return out


def peg_rows(policy: Array, pool: Array, role: int, rows: Sequence[int]) -> Array:
    """Return the pegging of some of `HANDS` and their opponents, in hundredths of a point.

    Each row has its own seed.
    """
    sums = np.zeros((len(rows), 3))
    for at, row in enumerate(rows):
        measure.peg_hands(
            HANDS[row : row + 1],
            role,
            pool,
            PEG_EACH,
            policy,
            rng_from(SEED, role, row),
            sums[at : at + 1],
        )
    return _hundredths(sums)


def pegs_with_habits(policy: Array, keeps: Array, rows: Sequence[int] = range(len(HANDS))) -> Array:
    """Return the pegging of some of `HANDS`, if both sides play by rules of thumb now and then.

    Shape (2, rows, 2), in hundredths of a point: the average of plays by the strategy and of plays
    by rules of thumb only. Each row has its own seed.
    """
    pool = pool_from_keeps(keeps, HABIT_POOL, rng_from(SEED, 1))
    by_thumb = np.zeros((2, 2), dtype=policy.dtype)  # knows no position
    by_thumb.setflags(write=False)  # as loaded tables are, or the kernels would be compiled again
    out = np.zeros((2, len(rows), 2), dtype=np.int16)
    for role in range(2):
        for at, row in enumerate(rows):
            mean = np.zeros(2)
            for share, plays in ((1 - HABIT_SHARE, policy), (HABIT_SHARE, by_thumb)):
                sums, rng = np.zeros((1, 3)), rng_from(SEED, 7, role, row)
                hand = HANDS[row : row + 1]
                measure.peg_hands(hand, role, pool, HABIT_EACH, plays, rng, sums)
                mean += share * sums[0, :2] / sums[0, 2]
            out[role, at] = np.rint(100 * mean)
    return out


def _hundredths(sums: Array) -> Array:
    means = sums[:, :2] / np.maximum(sums[:, 2:], 1.0)
    rounded: Array = np.rint(100 * means).astype(np.int16)
    return rounded


def measured_pegs(policy: Array, keeps: Array) -> Array:
    """Return the table of `rough_pegs` from more plays, against hands drawn from ``keeps``."""
    pool = pool_from_keeps(keeps, 20_000, rng_from(SEED, 1))
    out = np.zeros((2, 13**4, 2), dtype=np.int16)
    for role in range(2):
        out[role, HAND_AT] = peg_rows(policy, pool, role, range(len(HANDS)))
    return out


def blind_cribs() -> Array:
    """Return the average points of a crib with two given ranks, the rest random: shape (13, 13)."""
    out = np.zeros((13, 13))
    ones = np.ones((13, 13))
    spread = np.zeros(discard.POINTS)
    for a in range(13):
        for b in range(13):
            thrown = np.array([4 * a, 4 * b + 1])
            hidden = np.ones(52, dtype=np.int64)
            hidden[thrown] = 0
            out[a, b] = discard.crib_spread(show.five_table(), thrown, hidden, ones, spread)
    return out.astype(np.float32)


def scored_deals(throws: Array, pegs: Array, policy: Array, number: int) -> Array:
    """Return the scores of ``number`` deals in order, in the format of `play_deals`."""
    rng = rng_from(SEED, 2)
    dealt = deals(throws, pegs, number, rng)
    out = np.full((number, 24), -1, dtype=np.int16)
    selfplay.play_deals(show.five_table(), dealt, policy, rng, out)
    return out


def chances_to_win(scored: Array, least: int = 0) -> Array:
    """Return the dealer's chance to win from each pair of scores whose sum is at least ``least``.

    Shape (121, 121), ``[dealer, pone]``; 0 for all other pairs.
    """
    out = np.zeros((121, 121))
    winning.solve(scored, least, out)
    return out.astype(np.float32)


def spreads(scored: Array) -> Array:
    """Return distributions of points, shape (5, 30): pegging and hands of both roles, the crib.

    Heels are left out of the pegging, since they come from the starter.
    """
    out = np.zeros((5, 30))
    for deal in scored:
        scores = deal[: int(np.argmax(deal < 0))]
        pegs = [0, 0]
        for at, score in enumerate(scores[:-3]):
            if at > 0 or score != 34:
                pegs[score // 32] += score % 32
        for role in range(2):
            out[role, min(winning.PEGS - 1, pegs[role])] += 1
        for row, score in zip((2, 3, 4), scores[-3:], strict=True):
            out[row, score % 32] += 1
    return (out / len(scored)).astype(np.float32)


def train(report: Report, rounds: int = ROUNDS) -> tuple[Array, Array, Array]:
    """Train from scratch; return the tables of discards and kept hands, and the strategy."""
    throws = np.ones((2, 13, 13))
    pegs = np.zeros((2, 13**4, 2), dtype=np.int16)
    rng = rng_from(FIRST_SEED)
    for number, trained, each in FIRST_STEPS:
        dealt = deals(throws, pegs, number, rng)
        throws = measure_throws(dealt)
        training = Training()
        gain = training.run(pool_from_deals(dealt), trained, rng)
        pegs = rough_pegs(training.policy(1 << 22), pool_from_deals(dealt), each, rng)
        report(f"first steps: {trained} rounds, the dealer gains {gain:.3f} a deal")
    rng = rng_from(SEED)
    dealt = deals(throws, pegs, POOL, rng)
    training = Training()
    while training.rounds < rounds:
        gain = training.run(pool_from_deals(dealt), min(BLOCK, rounds - training.rounds), rng)
        report(f"{training.rounds} rounds, the dealer gains {gain:.3f} a deal")
    throws, keeps = measure_throws(dealt), measure_keeps(dealt)
    return throws.astype(np.float32), keeps.astype(np.float32), training.policy(SLOTS)
