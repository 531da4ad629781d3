"""A club player's heuristics: averages of hands and cribs, and rules of thumb for the play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from games.analysis import tables
from games.analysis.positions import by_rank, hidden_from
from games.engine.cards import RANK, Card
from games.engine.scoring import count_hand

if TYPE_CHECKING:
    from games.engine.view import View


def hand_average(kept: Sequence[Card], hidden: Sequence[Card]) -> float:
    """Return the exact average points of four cards, with every hidden card as the starter."""
    return sum(count_hand(kept, starter) for starter in hidden) / len(hidden)


def crib_average(thrown: Sequence[Card]) -> float:
    """Return the average points of a crib with these cards (two, or one with three seats).

    Only ranks are considered; the other cards of the crib are random.
    """
    ranks = [RANK[card] for card in thrown]
    if len(ranks) == 1:
        return float(tables.load("crib_3")[:, ranks[0]].mean())
    return float(tables.load("crib_2")[ranks[0], ranks[1]])


def rank_to_play(view: View) -> int:
    """Return the rank to play by rules of thumb, for two and three seats."""
    from games.analysis.kernels import play

    seat = view.seat or 0
    pile = np.zeros(14, dtype=np.int64)
    for at, (_, card) in enumerate(view.pile):
        pile[at] = RANK[card]
    return play.heuristic_rank(
        by_rank(view.cards),
        pile,
        0,
        len(view.pile),
        view.count,
        by_rank(hidden_from(view)),
        view.hand_sizes[(seat + 1) % len(view.hand_sizes)],
    )
