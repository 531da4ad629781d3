"""Builds the tables for three seats by repeated self-play with rules of thumb."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables
from games.analysis.build_tables import HAND_AT, HANDS, Report, rng_from
from games.analysis.kernels import show, three, three_search, three_throws
from games.analysis.three_opponents import FIFTHS

Array = NDArray[Any]

SEED = 9
DEALS = 60_000
STEPS = (100, 100, 400)
"""Plays measured per hand in each iteration."""
EACH = 100
"""Deals sampled for each combination of scores in the table of chances to win."""
KEPT = 600
"""Deals kept for evaluating discards near the end of a game."""
FINE_STEP = 1600
"""Plays measured per hand for reviews, whose discards must be exact."""
FINE_KEPT = 2400
"""Deals kept for reviews."""


def make(report: Report) -> dict[str, Array]:
    """Return the tables for three seats by name."""
    five = show.five_table()
    rng = rng_from(SEED)
    cribs = np.zeros((3, 13))
    pegs = np.zeros((3, 13**4, 2), dtype=np.int16)
    dealt = np.zeros((DEALS, 17), dtype=np.int64)
    for each in STEPS:
        three.throw_deals(five, cribs, pegs, DEALS, rng, dealt)
        for role in range(3):
            three.crib_means(five, dealt, role, rng, cribs[role])
            sums = np.zeros((len(HANDS), 3))
            three.peg_hands(HANDS, role, dealt, each, rng, sums)
            means = sums[:, :2] / np.maximum(1.0, sums[:, 2:])
            pegs[role, HAND_AT] = np.rint(100 * means)
        report(f"three seats: {DEALS} deals, {each} plays of each hand")
    scored = np.full((DEALS, 32), -1, dtype=np.int16)
    three.play_deals(five, dealt, scored)
    return {
        "crib_3": cribs.astype(np.float32),
        "pegs_3": pegs,
        "deals_3": scored[:KEPT].copy(),
        "spreads_3": _cribs(scored),
        "wins_3": grid(scored),
        "keeps_3_club": keeps(cribs.astype(np.float32)),
    }


def make_fine(report: Report) -> dict[str, Array]:
    """Return the tables by which reviews value discards: those of the play from more samples.

    They need `crib_3` and `pegs_3`, by which the deals are discarded.
    """
    dealt = fine_deals()
    pegs = np.zeros((3, len(HANDS), 2), dtype=np.int16)
    for role in range(3):
        pegs[role] = fine_pegs(role, dealt, HANDS)
        report(f"three seats, role {role}: {FINE_STEP} plays of each hand")
    scored = np.full((FINE_KEPT, 32), -1, dtype=np.int16)
    three.play_deals(show.five_table(), dealt[:FINE_KEPT], scored)
    return {"pegs_3_fine": pegs, "deals_3_fine": scored.astype(np.int8)}


def fine_deals(seed: int = SEED) -> Array:
    """Return new deals after the discards, in the format of the kernel's `throw_deals`."""
    cribs = np.asarray(tables.load("crib_3"), dtype=np.float64)
    dealt = np.zeros((DEALS, 17), dtype=np.int64)
    pegs = np.asarray(tables.load("pegs_3"))
    three.throw_deals(show.five_table(), cribs, pegs, DEALS, rng_from(seed, 3), dealt)
    return dealt


def fine_pegs(role: int, dealt: Array, hands: Array, seed: int = SEED) -> Array:
    """Return own and the others' points in the play of each of ``hands``, in hundredths."""
    sums = np.zeros((len(hands), 3))
    three.peg_hands(hands, role, dealt, FINE_STEP, rng_from(seed, 4 + role), sums)
    means: Array = np.rint(100 * sums[:, :2] / np.maximum(1.0, sums[:, 2:]))
    return means


def keeps(cribs: Array) -> Array:
    """Return with how many of `FIFTHS` fifth cards a club player keeps each hand of four ranks.

    The first row is for those who don't deal, the second for the dealer: shape (2, 1820).
    """
    counts = np.zeros((2, len(HANDS)))
    usual = np.asarray(cribs, dtype=np.float64).mean(axis=0)
    three_throws.keep_counts(show.five_table(), HANDS, usual, FIFTHS, rng_from(SEED, 2), counts)
    return counts.astype(np.uint8)


def _cribs(scored: Array) -> Array:
    """Return the distribution of a crib's points (the last score of each deal)."""
    ends = np.argmax(scored < 0, axis=1) - 1
    points = scored[np.arange(len(scored)), ends] % 32
    shares: Array = np.bincount(points, minlength=30) / len(scored)
    return shares.astype(np.float32)


def grid(scored: Array) -> Array:
    """Return the chance to win of roles 0 and 1 in 65,535ths, for every second score of each."""
    out = np.zeros((121, 121, 121, 2), dtype=np.float32)
    three_search.solve(scored, EACH, out)
    coarse: Array = np.rint(out[::2, ::2, ::2] * 65535).astype(np.uint16)
    return coarse
