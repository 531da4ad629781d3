"""Three seats: what throws and plays are worth, by sampling and an approximate chance to win.

The chance to win comes from dynamic programming over deals played by rules of thumb, each state
looking at a hundred of them, kept for every other score and interpolated between.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables
from games.analysis.discards import DiscardValue, Role
from games.analysis.positions import by_rank, hidden_from
from games.engine.cards import RANK, Card
from games.engine.scoring import count_hand

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

FULL = 121
SAMPLES = 600
"""How often the hidden cards are dealt anew for one play."""


@cache
def crib_means() -> Array:
    """Return the crib's average by the thrower's role and the rank thrown: shape (3, 13)."""
    return np.asarray(tables.load("crib_3"), dtype=np.float64)


@cache
def _crib_chances() -> Array:
    return np.asarray(tables.load("spreads_3"), dtype=np.float64)


@cache
def _wins() -> Array:
    return np.asarray(tables.load("wins_3"))


@cache
def peg_means() -> Array:
    """Return own and the others' points in the play by role and hand, in hundredths."""
    return np.asarray(tables.load("pegs_3"))


@cache
def _deals() -> Array:
    return np.asarray(tables.load("deals_3")).astype(np.int64)


def role_of(seat: int, dealer: int) -> int:
    """Return 0 for pone, 1 for the next, 2 for the dealer."""
    return (seat - dealer - 1) % 3


def _by_role(values: tuple[int, ...], dealer: int) -> list[int]:
    return [values[(dealer + 1 + role) % 3] for role in range(3)]


def win_probability(scores: tuple[int, ...], dealer: int, target: int = FULL) -> tuple[float, ...]:
    """Return each of three seats' chance to win before a deal: an approximation (see above)."""
    from games.analysis import three_search_kernel

    a, b, c = (score + FULL - target for score in _by_role(scores, dealer))
    return tuple(
        float(three_search_kernel.chance_of(_wins(), a, b, c, role_of(seat, dealer)))
        for seat in range(3)
    )


def value_throws(cards: tuple[Card, ...], role: int) -> tuple[Array, Array]:
    """Return what the five throws of sorted cards are worth: averages, and spreads of the hand.

    ``averages[throw]`` is hand, crib, own pegging, the others' pegging together;
    ``spreads[throw, points]`` counts starters.
    """
    from games.analysis import discard_kernel, show_kernel, three_kernel

    hidden = np.ones(52, dtype=np.int64)
    hidden[list(cards)] = 0
    out = np.zeros((5, 4))
    five = show_kernel.five_table()
    held = np.array(cards, dtype=np.int64)
    three_kernel.value_throws(five, held, hidden, role, crib_means(), peg_means(), out)
    spreads = np.zeros((5, 30), dtype=np.int64)
    for throw in range(5):
        discard_kernel.hand_spread(five, np.delete(held, throw), hidden, spreads[throw])
    return out, spreads


def totals(averages: Array, role: int) -> Array:
    """Return points of each throw; what the two others make counts half."""
    sign = 1.0 if role == 2 else -0.5
    found: Array = averages[:, 0] + sign * averages[:, 1] + averages[:, 2] - 0.5 * averages[:, 3]
    return found


def chances(averages: Array, spreads: Array, role: int, scores: list[int]) -> Array:
    """Return each throw's chance to win; ``scores`` by role, of a game to 121."""
    from games.analysis import three_search_kernel

    usual = np.array([crib_means()[role].mean(), PEGGED[role]])
    out = np.zeros(len(averages))
    three_search_kernel.win_throws(
        np.array(scores, dtype=np.int64), role, spreads, averages, usual, _deals(), _wins(), out
    )
    return out


PEGGED = (1.95, 2.93, 3.57)
"""Points in the play by role, on average."""


def best_throw(view: View, *, by_chance: bool) -> tuple[Card, ...]:
    """Return the throw with the most points, or with the best chance to win."""
    dealer, seat = view.dealer or 0, view.seat or 0
    role = role_of(seat, dealer)
    cards = tuple(sorted(view.cards))
    averages, spreads = value_throws(cards, role)
    values = totals(averages, role)
    scores = scores_by_role(view)
    if by_chance and max(scores) >= NEAR_END:
        values = chances(averages, spreads, role, scores)
    return (cards[int(np.argmax(np.round(values, 9)))],)


NEAR_END = 85
"""From this score on (of 121) throws go by the chance to win."""


def scores_by_role(view: View) -> list[int]:
    """Return the scores of pone, the next and the dealer as in a game to 121."""
    ahead = FULL - view.ruleset.target
    return [score + ahead for score in _by_role(view.scores, view.dealer or 0)]


def rate(view: View, samples: int = SAMPLES) -> tuple[Array, Array]:
    """Return the legal ranks, and for each points to come and the chance to win."""
    from games.analysis import show_kernel, three_search_kernel

    dealer, seat, starter = view.dealer or 0, view.seat or 0, view.starter or 0
    number = len(view.plays)
    past = np.zeros(14, dtype=np.int64)
    who = np.zeros(14, dtype=np.int64)
    for at, (player, card) in enumerate(view.plays):
        past[at] = RANK[card]
        who[at] = role_of(player, dealer)
    legal = np.array(sorted({RANK[card] for card in view.legal.cards}), dtype=np.int64)
    out = np.zeros((len(legal), 2))
    three_search_kernel.rate_plays(
        show_kernel.five_table(),
        by_rank(view.cards),
        past,
        who,
        number - len(view.pile),
        number,
        view.count,
        role_of(seat, dealer),
        by_rank(hidden_from(view)),
        np.array(_by_role(view.hand_sizes, dealer), dtype=np.int64),
        np.array(scores_by_role(view), dtype=np.int64),
        count_hand((*view.cards, *view.played[seat]), starter),
        RANK[starter],
        _crib_chances(),
        _wins(),
        legal,
        samples,
        np.array([_seed(view)], dtype=np.uint64),
        out,
    )
    return legal, out


def _seed(view: View) -> int:
    """Return where the sampling begins: the same for the same view."""
    seed = 1
    for card in (*view.dealt, *(card for _, card in view.plays), view.starter or 0):
        seed = (seed * 53 + card + 1) % (1 << 63)
    return seed


def best_rank(view: View, *, by_chance: bool, samples: int = SAMPLES) -> int:
    """Return the rank with the best chance to win, or the most points; the lowest of equals."""
    if len({RANK[card] for card in view.legal.cards}) == 1:
        return RANK[view.legal.cards[0]]
    legal, values = rate(view, samples)
    return int(legal[np.argmax(np.round(values[:, int(by_chance)], 9))])


def evaluate_discards(
    cards: tuple[Card, ...],
    role: Role,
    scores: tuple[int, ...] | None = None,
    *,
    target: int = FULL,
) -> tuple[DiscardValue, ...]:
    """Return every throw of five cards with its value, best first; three seats.

    ``scores`` are one's own, then the others' to the left. Without scores the most points come
    first, the two others' counting half; with them the best chance to win. A thrower who does not
    deal is taken for pone.

    Raises:
        ValueError: if these are not five different cards, or no scores before the end of a game.
    """
    held = tuple(sorted(set(cards)))
    if len(held) != 5 or len(cards) != 5:
        raise ValueError(f"five different cards are parted, not {len(held)}")
    own, *others = scores or (0, 0, 0)
    if len(others) != 2 or not all(0 <= score < target for score in (own, *others)):
        raise ValueError(f"three scores from 0 to {target - 1} are needed, not {scores}")
    ahead = FULL - target
    number = 2 if role == "dealer" else 0
    at_table = [score + ahead for score in ((*others, own) if number == 2 else (own, *others))]
    averages, spreads = value_throws(held, number)
    points = totals(averages, number)
    won = chances(averages, spreads, number, at_table)
    values = [
        DiscardValue(
            thrown=(card,),
            kept=tuple(other for other in held if other != card),
            hand=float(averages[at, 0]),
            spread=tuple(int(found) for found in spreads[at]),
            crib=float(averages[at, 1]),
            pegging=float(averages[at, 2] - 0.5 * averages[at, 3]),
            total=float(points[at]),
            chance=float(won[at]),
        )
        for at, card in enumerate(held)
    ]
    if scores is None:
        return tuple(sorted(values, key=lambda value: (-value.total, value.thrown)))
    return tuple(sorted(values, key=lambda value: (-value.chance, value.thrown)))
