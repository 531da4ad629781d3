"""Builds the tables for three seats by repeated self-play with rules of thumb."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.build_tables import HAND_AT, HANDS, Report, rng_from
from games.analysis.kernels import show, three, three_search
from games.analysis.three import FIFTHS

Array = NDArray[Any]

SEED = 9
DEALS = 60_000
STEPS = (100, 100, 400)
"""Plays measured per hand in each iteration."""
EACH = 100
"""Deals sampled for each combination of scores in the table of chances to win."""
KEPT = 600
"""Deals kept for evaluating discards near the end of a game."""


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
        "keeps_3": keeps(cribs.astype(np.float32), pegs),
    }


def keeps(cribs: Array, pegs: Array) -> Array:
    """Return with how many of `FIFTHS` fifth cards each role keeps four ranks: shape (3, 13**4)."""
    shares = np.zeros((3, len(HANDS)))
    three.keep_shares(
        show.five_table(),
        HANDS,
        np.asarray(cribs, dtype=np.float64),
        np.asarray(pegs),
        FIFTHS,
        rng_from(SEED, 2),
        shares,
    )
    out = np.zeros((3, 13**4), dtype=np.uint8)
    out[:, HAND_AT] = np.rint(FIFTHS * shares)
    return out


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
