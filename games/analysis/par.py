"""Par: the expected result of each seat of a standard game, from play-outs by the house player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.analysis import discards, plays, tables
from games.engine.cards import Card

VERSION = 1
"""Increased whenever the result may change; stored with each par."""
TIMES = 16
"""Number of play-outs."""
SEED = 16


@dataclass(frozen=True, slots=True)
class Par:
    """The expected result of each seat of a standard game.

    `margins` is each seat's mean score less that of the best other seat; `wins` is its share of
    the wins.
    """

    margins: tuple[float, ...]
    wins: tuple[float, ...]


def par(
    packs: Sequence[Sequence[Card]],
    *,
    first_dealer: int = 0,
    seats: int = 2,
    target: int = 121,
    times: int = TIMES,
) -> Par:
    """Return the par of fixed packs, one per hand in dealing order, over ``times`` play-outs.

    A pack holds pone's cards, then those of the following seats, the crib card (three seats), and
    the starter. The same packs always have the same par.

    Raises:
        ValueError: if there are too few packs to finish a game.
    """
    from games.analysis.kernels import par, show

    five = show.five_table()
    rows = np.array([list(cards)[:17] for cards in packs], dtype=np.int64)
    rng = np.array([SEED], dtype=np.uint64)
    final = np.zeros(seats, dtype=np.int64)
    margins, wins = np.zeros(seats), np.zeros(seats)
    for _ in range(times):
        if seats == 2:
            winner = par.play_two(
                five,
                rows,
                first_dealer,
                target,
                discards.throw_weights(),
                discards.peg_means(),
                plays.strategy(),
                rng,
                final,
            )
        else:
            crib_means = np.asarray(tables.load("crib_3"), dtype=np.float64)
            winner = par.play_three(
                five, rows, first_dealer, target, crib_means, tables.load("pegs_3"), rng, final
            )
        if winner < 0:
            raise ValueError(f"{len(rows)} packs are too few to finish a game to {target}")
        wins[winner] += 1
        for seat in range(seats):
            margins[seat] += final[seat] - max(np.delete(final, seat))
    return Par(
        tuple(float(margin) for margin in margins / times),
        tuple(float(won) for won in wins / times),
    )
