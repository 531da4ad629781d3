"""How the tables for three seats are made: by throws and rules of thumb that feed themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import show_kernel, three_kernel, three_search_kernel
from games.analysis.making import HAND_AT, HANDS, Say, rng_from

Array = NDArray[Any]

SEED = 9
DEALS = 60_000
STEPS = (100, 100, 400)
"""Plays of each hand measured, in each step of feeding back."""
EACH = 100
"""Deals that each state of the chance to win looks at."""
KEPT = 600
"""Deals kept for the throws near the end."""


def make(say: Say) -> dict[str, Array]:
    """Return the tables for three seats by name."""
    five = show_kernel.five_table()
    rng = rng_from(SEED)
    cribs = np.zeros((3, 13))
    pegs = np.zeros((3, 13**4, 2), dtype=np.int16)
    dealt = np.zeros((DEALS, 17), dtype=np.int64)
    for each in STEPS:
        three_kernel.throw_deals(five, cribs, pegs, DEALS, rng, dealt)
        for role in range(3):
            three_kernel.crib_means(five, dealt, role, rng, cribs[role])
            sums = np.zeros((len(HANDS), 3))
            three_kernel.peg_hands(HANDS, role, dealt, each, rng, sums)
            means = sums[:, :2] / np.maximum(1.0, sums[:, 2:])
            pegs[role, HAND_AT] = np.rint(100 * means)
        say(f"three seats: {DEALS} deals, {each} plays of each hand")
    scored = np.full((DEALS, 32), -1, dtype=np.int16)
    three_kernel.play_deals(five, dealt, scored)
    return {
        "crib_3": cribs.astype(np.float32),
        "pegs_3": pegs,
        "deals_3": scored[:KEPT].copy(),
        "spreads_3": _cribs(scored),
        "wins_3": grid(scored),
    }


def _cribs(scored: Array) -> Array:
    """Return the chances of a crib's points, the last score of each deal."""
    ends = np.argmax(scored < 0, axis=1) - 1
    points = scored[np.arange(len(scored)), ends] % 32
    shares: Array = np.bincount(points, minlength=30) / len(scored)
    return shares.astype(np.float32)


def grid(scored: Array) -> Array:
    """Return pone's and the next's chance to win in 65,535ths for every other score of each."""
    out = np.zeros((121, 121, 121, 2), dtype=np.float32)
    three_search_kernel.solve(scored, EACH, out)
    coarse: Array = np.rint(out[::2, ::2, ::2] * 65535).astype(np.uint16)
    return coarse
