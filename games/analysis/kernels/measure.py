"""Kernels that turn self-play into tables: the packed strategy, and the points that hands peg."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import best_by_average, peg_index, split
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.selfplay import deal_cards, play_out

Array = NDArray[Any]


@compiled
def pack_policy(keys: Array, sums: Array, least: float, purify: float, out: Array) -> int:
    """Write the average strategy of the keys with a weight above ``least``; return their number.

    Probabilities below ``purify`` are dropped. ``out`` must be empty and has the format of
    `look_up`.
    """
    mask = out.shape[0] - 1
    written = 0
    for slot in range(keys.shape[0]):
        total = 0.0
        for at in range(4):
            total += sums[slot, at]
        if keys[slot] == 0 or total <= least or written > 0.9 * mask:
            continue
        packed = 0
        for at in range(4):
            share = sums[slot, at] / total
            if share >= purify:
                packed |= max(1, int(share * 255.0 + 0.5)) << (8 * at)
        place = keys[slot] & mask
        while out[place, 0] != 0:
            place = (place + 1) & mask
        out[place, 0] = np.int64((keys[slot] >> 32) & 0xFFFFFFFF) | 1
        out[place, 1] = packed
        written += 1
    return written


@compiled
def peg_hands(
    hands: Array, role: int, pool: Array, each: int, policy: Array, rng: Array, out: Array
) -> None:
    """Play each of ``hands`` (four ranks per row) against ``each`` hands of the other role.

    `role` is 0 for pone; `pool[i]` holds pone's four ranks, then the dealer's. Writes to
    ``out[hand]`` the sum of its points, the sum of the opponent's, and the number of possible
    plays.
    """
    held = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    past = np.zeros(9, dtype=np.int64)
    log = np.zeros((16, 2), dtype=np.int64)
    other = 1 - role
    for hand in range(hands.shape[0]):
        for _ in range(each):
            deal = pool[int(next_random(rng) * pool.shape[0])]
            held[:] = 0
            possible = True
            for at in range(4):
                held[role, hands[hand, at]] += 1
                held[other, deal[4 * other + at]] += 1
            for rank in range(13):
                if held[0, rank] + held[1, rank] > 4:
                    possible = False
            if not possible:
                continue
            sizes[:] = 4
            scored = play_out(held, sizes, past, policy, rng, log)
            for at in range(scored):
                if log[at, 0] == role:
                    out[hand, 0] += log[at, 1]
                else:
                    out[hand, 1] += log[at, 1]
            out[hand, 2] += 1


@compiled
def count_kept(five: Array, cribs: Array, dealer: int, deals: int, rng: Array, out: Array) -> None:
    """Count the four ranks that a club player keeps of random cards: ``out[peg_index]``."""
    pack = np.arange(52)
    kept = np.empty(4, dtype=np.int64)
    thrown = np.empty(2, dtype=np.int64)
    for _ in range(deals):
        deal_cards(pack, 6, rng)
        cards = np.sort(pack[:6])
        split(cards, best_by_average(five, cards, dealer, cribs), kept, thrown)
        out[peg_index(kept)] += 1
