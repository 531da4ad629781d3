"""What each card is worth in the play, with two seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables, winning
from games.analysis.positions import PlayPosition, play_position
from games.engine.cards import RANK, Card

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

THUMB = 0.4
"""How often the opponent is taken to play by rules of thumb instead of the solved strategy."""
MOST_HANDS = 160
"""How many hidden hands are looked at for one decision."""


@dataclass(frozen=True, slots=True)
class PlayValue:
    """What playing ``card`` is worth.

    `points`: own less the opponent's for the rest of the play, this card's included. `chance`: to
    win the game. `share`: how often the solved strategy plays this rank here, None when it does
    not know the position.
    """

    card: Card
    points: float
    chance: float
    share: float | None


@cache
def keeps() -> Array:
    """Return how likely each role keeps four ranks, against blindly: shape (2, 13**4)."""
    return np.asarray(tables.load("keeps_2"), dtype=np.float64)


@cache
def strategy() -> Array:
    """Return the solved strategy, as `games.analysis.selfplay_kernel.look_up` reads it."""
    return np.asarray(tables.load("play_2"))


def evaluate_plays(view: View, most: int = MOST_HANDS) -> tuple[PlayValue, ...]:
    """Return each legal card with its value, the best chance to win first.

    ``most`` bounds the hidden hands looked at, and so the time. Three seats: see
    `games.analysis.three`.

    Raises:
        ValueError: if the view is not of a seat that is to play a card.
    """
    shares: list[float] | None = None
    if view.ruleset.players == 3:
        from games.analysis import three

        legal, rated = three.rate(view, most)
    else:
        position = play_position(view)
        legal, rated = position.legal, rate(position, most)
        shares = strategy_shares(position)
    at = {int(rank): index for index, rank in enumerate(legal)}
    values = [
        PlayValue(
            card,
            float(rated[at[RANK[card]], 0]),
            float(rated[at[RANK[card]], 1]),
            None if shares is None else shares[at[RANK[card]]],
        )
        for card in view.legal.cards
    ]
    return tuple(sorted(values, key=lambda value: (-value.chance, value.card)))


def rate(position: PlayPosition, most: int) -> Array:
    """Return points to come and chance to win for each rank of ``position.legal``."""
    from games.analysis import search_kernel, show_kernel

    out = np.zeros((len(position.legal), 2))
    search_kernel.rate_plays(
        show_kernel.five_table(),
        position.hand,
        position.past,
        position.who,
        position.start,
        position.number,
        position.count,
        position.passed,
        position.me,
        position.unseen,
        position.theirs,
        keeps()[1 - position.me],
        position.scores,
        position.show,
        position.starter,
        winning.before_crib(),
        strategy(),
        THUMB,
        position.legal,
        most,
        out,
    )
    return out


def strategy_shares(position: PlayPosition) -> list[float] | None:
    """Return how often the solved strategy plays each legal rank; None when it does not know."""
    from games.analysis import policy_kernel, selfplay_kernel

    number = len(position.legal)
    if number == 1:
        return [1.0]
    key = policy_kernel.knowledge(
        position.hand,
        position.past,
        position.start,
        position.number,
        position.count,
        position.theirs,
        position.passed >= 0,
    )
    chance = np.zeros(4)
    if not selfplay_kernel.look_up(strategy(), key, number, chance):
        return None
    return [float(share) for share in chance[:number]]


def rank_by_strategy(view: View) -> int | None:
    """Return the rank that the solved strategy plays most often, the lowest of equals; two seats.

    None when it does not know the position.
    """
    position = play_position(view)
    shares = strategy_shares(position)
    return None if shares is None else int(position.legal[shares.index(max(shares))])


def rank_by_search(view: View, most: int = MOST_HANDS) -> int:
    """Return the rank with the best chance to win, the lowest of equals; two seats."""
    position = play_position(view)
    if len(position.legal) == 1:
        return int(position.legal[0])
    return int(position.legal[np.argmax(np.round(rate(position, most)[:, 1], 9))])
