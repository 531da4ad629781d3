"""Par: what a seat of a standard game is worth, by play-outs of the fast house player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.analysis import discards, plays, tables
from games.engine.cards import Card

VERSION = 1
"""Goes up whenever a par may come out otherwise; stored beside it."""
TIMES = 16
"""Play-outs."""
SEED = 16


@dataclass(frozen=True, slots=True)
class Par:
    """What the seats of a standard game are worth.

    `margins`: per seat the mean of its points less those of the best other seat. `wins`: per seat
    its share of the wins.
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
    """Return par over ``times`` play-outs on fixed packs, one for each hand, in dealing order.

    A pack holds pone's cards, then those of the seats after it, the card for the crib (three
    seats), the starter. The same packs always have the same par.

    Raises:
        ValueError: if there are too few packs to end a game.
    """
    from games.analysis import par_kernel, show_kernel

    five = show_kernel.five_table()
    rows = np.array([list(cards)[:17] for cards in packs], dtype=np.int64)
    rng = np.array([SEED], dtype=np.uint64)
    final = np.zeros(seats, dtype=np.int64)
    margins, wins = np.zeros(seats), np.zeros(seats)
    for _ in range(times):
        if seats == 2:
            winner = par_kernel.play_two(
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
            winner = par_kernel.play_three(
                five, rows, first_dealer, target, crib_means, tables.load("pegs_3"), rng, final
            )
        if winner < 0:
            raise ValueError(f"{len(rows)} packs do not suffice to end a game to {target}")
        wins[winner] += 1
        for seat in range(seats):
            margins[seat] += final[seat] - max(np.delete(final, seat))
    return Par(
        tuple(float(margin) for margin in margins / times),
        tuple(float(won) for won in wins / times),
    )
