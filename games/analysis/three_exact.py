"""Values with three seats that are exact enough to be stated in a review.

Cards are valued over random deals of the hidden cards, all choices over the same deals, until the
standard error of every difference from the best choice is at most `EXACT`, or `MOST` parts have
been dealt. How many that takes depends on the view only. Discards are valued by tables of their
own, which take more deals than those by which the computers play.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import three
from games.analysis.review_verdicts import POINT
from games.engine.cards import RANK

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.view import View

Array = NDArray[Any]

EXACT = 0.0025
"""Standard error of a loss, in chance to win, at which no more deals are needed.

Nineteen of twenty losses are then right to half a game in a hundred.
"""
PART = 100
"""Deals in each part: the errors are estimated from the differences between parts."""
LEAST, MOST = 10, 80
"""Parts dealt at least and at most."""


def is_by_chance(view: View) -> bool:
    """Return whether losses are differences in the chance to win, as they are near the end."""
    return max(three.scores_by_role(view)) >= three.NEAR_END


def worth(view: View, values: Array) -> Array:
    """Return the chance to win by which losses are measured; the last axis is points and chance."""
    found: Array = values[..., 1] if is_by_chance(view) else POINT * values[..., 0]
    return found


@lru_cache(maxsize=8)
def rate_parts(view: View, known: frozenset[Card] = frozenset(), first: int = 0) -> Array:
    """Return points to come and chance to win by part and legal rank: shape (parts, ranks, 2).

    Parts are counted from ``first``; others have other deals. ``known`` is as in `hidden_from`.
    """
    parts: list[Array] = []
    wanted = LEAST
    while len(parts) < wanted:
        parts += [
            three.rate(view, PART, part=first + number, known=known)[1]
            for number in range(len(parts), wanted)
        ]
        largest = errors(view, np.array(parts)).max()
        wanted = min(MOST, int(np.ceil(len(parts) * (largest / EXACT) ** 2)))
    found = np.array(parts)
    found.setflags(write=False)  # all who ask for this view share it
    return found


def errors(view: View, parts: Array) -> Array:
    """Return the standard error of each choice's loss against the best one, from `rate_parts`."""
    worths = worth(view, parts)
    best = int(np.argmax(worths.mean(axis=0)))
    losses = worths[:, [best]] - worths
    found: Array = losses.std(axis=0, ddof=1) / np.sqrt(len(losses))
    return found


def rate(view: View, known: Collection[Card] = ()) -> tuple[list[int], Array]:
    """Return the legal ranks, and for each the points to come and the chance to win."""
    ranks = sorted({RANK[card] for card in view.legal.cards})
    return ranks, rate_parts(view, frozenset(known)).mean(axis=0)


def value_throws(
    view: View, known: Collection[Card] = (), deals: Array | None = None
) -> tuple[Array, Array, Array]:
    """Return the averages, spreads and chances to win of the discards of a view's sorted cards.

    The first two are as in `three.value_throws`; ``deals`` are the recorded deals for the chances,
    by default all.
    """
    cards, role = tuple(sorted(view.cards)), three.role_of(view.seat or 0, view.dealer or 0)
    averages, spreads = three.value_throws(cards, role, known, exact=True)
    recorded = three.recorded_deals(exact=True) if deals is None else deals
    won = three.chances(averages, spreads, role, three.scores_by_role(view), recorded)
    return averages, spreads, won
