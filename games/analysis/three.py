"""Evaluation with three seats: discards and plays, by sampling and an approximate chance to win.

The chance to win comes from dynamic programming over deals played by rules of thumb, a hundred for
each combination of scores; it is stored for every second score and interpolated in between.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import tables, three_opponents
from games.analysis.discard_value import DiscardValue, Role
from games.analysis.positions import by_rank, hidden_from
from games.engine.cards import RANK, Card
from games.engine.scoring import count_hand

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

Position = tuple[Array, Array, Array, Array, int, int, int, int, Array, Array, Array, int, int]
"""The first arguments of the rating kernels: cards, plays, turn, hidden cards, scores, starter."""

FULL = 121
SAMPLES = 600
"""Number of random deals of the hidden cards for one play."""
WORLDS = 1000
"""The most pairs of hidden hands that a belief considers."""
DEALS = 470
"""Deals played for each candidate discard: ten with each hidden card as the starter."""
CANDIDATE = 1.5
"""Maximum number of points by which a discard that is played out trails the best one."""


@cache
def crib_means() -> Array:
    """Return the average points of a crib by role and rank discarded: shape (3, 13)."""
    return np.asarray(tables.load("crib_3"), dtype=np.float64)


@cache
def _crib_chances() -> Array:
    return np.asarray(tables.load("spreads_3"), dtype=np.float64)


@cache
def _wins() -> Array:
    return np.asarray(tables.load("wins_3"))


@cache
def peg_means(*, exact: bool = False) -> Array:
    """Return each hand's points in the play and the opponents', by role, in hundredths.

    The table for reviews (``exact``) is from more plays of each hand.
    """
    if not exact:
        return np.asarray(tables.load("pegs_3"))
    hands = np.array(list(combinations_with_replacement(range(13), 4)))
    means = np.zeros((3, 13**4, 2), dtype=np.int16)
    means[:, hands @ (13**3, 13**2, 13, 1)] = tables.load("pegs_3_fine")
    means.flags.writeable = False  # as tables are: kernels are compiled for them
    return means


@cache
def recorded_deals(*, exact: bool = False) -> Array:
    """Return the scores of some deals in order, in the format of the kernel's `play_deals`.

    Reviews take more of them (``exact``) than the computers, whose answers must not change.
    """
    return np.asarray(tables.load("deals_3_fine" if exact else "deals_3")).astype(np.int64)


def role_of(seat: int, dealer: int) -> int:
    """Return the role of a seat: 0 pone, 1 the next seat, 2 the dealer."""
    return (seat - dealer - 1) % 3


def _by_role(values: tuple[int, ...], dealer: int) -> list[int]:
    return [values[(dealer + 1 + role) % 3] for role in range(3)]


def win_probability(scores: tuple[int, ...], dealer: int, target: int = FULL) -> tuple[float, ...]:
    """Return each seat's approximate chance to win before a deal."""
    from games.analysis.kernels import three_search

    a, b, c = (score + FULL - target for score in _by_role(scores, dealer))
    return tuple(
        float(three_search.chance_of(_wins(), a, b, c, role_of(seat, dealer))) for seat in range(3)
    )


def value_throws(
    cards: tuple[Card, ...], role: int, known: Collection[Card] = (), *, exact: bool = False
) -> tuple[Array, Array]:
    """Return the values of the five discards of sorted cards: averages, and spreads of the hand.

    ``known`` are cards seen elsewhere, none of which can be the starter; ``exact`` is as in
    `peg_means`.

    ``averages[throw]`` is hand, crib, the player's pegging and both opponents' pegging together;
    ``spreads[throw, points]`` counts starters.
    """
    from games.analysis.kernels import discard, show, three

    hidden = np.ones(52, dtype=np.int64)
    hidden[[*cards, *known]] = 0
    out = np.zeros((5, 4))
    five = show.five_table()
    held = np.array(cards, dtype=np.int64)
    three.value_throws(five, held, hidden, role, crib_means(), peg_means(exact=exact), out)
    spreads = np.zeros((5, 30), dtype=np.int64)
    for throw in range(5):
        discard.hand_spread(five, np.delete(held, throw), hidden, spreads[throw])
    return out, spreads


def totals(averages: Array, role: int) -> Array:
    """Return the points of each discard, less half the points of the two opponents."""
    sign = 1.0 if role == 2 else -0.5
    found: Array = averages[:, 0] + sign * averages[:, 1] + averages[:, 2] - 0.5 * averages[:, 3]
    return found


def chances(
    averages: Array, spreads: Array, role: int, scores: list[int], deals: Array | None = None
) -> Array:
    """Return the chance to win of each discard; ``scores`` are by role, in a game to 121.

    ``deals`` are the recorded deals to replay, by default all.
    """
    from games.analysis.kernels import three_search

    recorded = recorded_deals() if deals is None else deals
    usual = np.array([crib_means()[role].mean(), PEGGED[role]])
    out = np.zeros(len(averages))
    three_search.win_throws(
        np.array(scores, dtype=np.int64), role, spreads, averages, usual, recorded, _wins(), out
    )
    return out


PEGGED = (1.95, 2.93, 3.57)
"""Average points in the play by role."""


def best_throw(view: View, *, by_chance: bool) -> tuple[Card, ...]:
    """Return the discard with the most points, or with the best chance to win."""
    dealer, seat = view.dealer or 0, view.seat or 0
    role = role_of(seat, dealer)
    cards = tuple(sorted(view.cards))
    averages, spreads = value_throws(cards, role)
    values = totals(averages, role)
    scores = scores_by_role(view)
    if by_chance and max(scores) >= NEAR_END:
        values = chances(averages, spreads, role, scores)
    return (cards[int(np.argmax(np.round(values, 9)))],)


def throw_by_deals(view: View) -> tuple[Card, ...]:
    """Return the discard with the best chance to win, by playing whole deals with each good one."""
    role = role_of(view.seat or 0, view.dealer or 0)
    cards = tuple(sorted(view.cards))
    throws = _good_throws(totals(value_throws(cards, role)[0], role))
    if len(throws) == 1:
        return (cards[int(throws[0])],)
    return (cards[int(throws[np.argmax(np.round(_play_deals(view, throws), 9))])],)


def evaluate_by_deals(view: View) -> list[DiscardValue]:
    """Return the values of the discards that `throw_by_deals` compares, or of the best two.

    Their chances to win are those by which it chooses.
    """
    role = role_of(view.seat or 0, view.dealer or 0)
    cards = tuple(sorted(view.cards))
    averages, spreads = value_throws(cards, role)
    points = totals(averages, role)
    throws = _good_throws(points)
    if len(throws) == 1:
        throws = np.argsort(-points)[:2]
    won = np.zeros(len(cards))
    won[throws] = _play_deals(view, throws)
    values = discard_values(cards, averages, spreads, points, won)
    return [values[at] for at in throws]


def _good_throws(points: Array) -> Array:
    found: Array = np.flatnonzero(points >= points.max() - CANDIDATE)
    return found


def _play_deals(view: View, throws: Array) -> Array:
    """Return the chance to win of each of ``throws``, places among the view's sorted cards."""
    from games.analysis.kernels import show, three_throws

    out = np.zeros(len(throws))
    three_throws.rate_throws(
        show.five_table(),
        np.array(sorted(view.cards), dtype=np.int64),
        role_of(view.seat or 0, view.dealer or 0),
        np.array(scores_by_role(view), dtype=np.int64),
        throws,
        three_opponents.usual_cribs(),
        three_opponents.STYLES,
        three_opponents.trust(view),
        _wins(),
        DEALS,
        np.array([_seed(view)], dtype=np.uint64),
        out,
    )
    return out


NEAR_END = 85
"""From this score on (of 121) discards are ranked by the chance to win."""


def scores_by_role(view: View) -> list[int]:
    """Return the scores by role, converted to those of a game to 121."""
    ahead = FULL - view.ruleset.target
    return [score + ahead for score in _by_role(view.scores, view.dealer or 0)]


def rate(
    view: View, samples: int = SAMPLES, *, part: int = 0, known: Collection[Card] = ()
) -> tuple[Array, Array]:
    """Return the legal ranks, and for each the points to come and the chance to win.

    Each ``part`` samples other deals of the hidden cards; ``known`` is as in `hidden_from`.
    """
    from games.analysis.kernels import three_search

    legal, position = _position(view, known)
    out = np.zeros((len(legal), 2))
    three_search.rate_plays(
        *position,
        _crib_chances(),
        _wins(),
        legal,
        samples,
        np.array([_seed(view) + part], dtype=np.uint64),
        out,
    )
    return legal, out


def rate_by_belief(view: View, worlds: int = WORLDS) -> tuple[Array, Array]:
    """Return the same as `rate`, weighing hidden hands by how likely they are kept and played.

    The opponents are assumed as in `games.analysis.three_opponents`.
    """
    from games.analysis.kernels import three_belief

    legal, position = _position(view, ())
    out = np.zeros((len(legal), 2))
    fits = three_belief.rate_believed(
        *position,
        _crib_chances(),
        _wins(),
        three_opponents.keeps(),
        three_opponents.STYLES,
        three_opponents.trust(view),
        legal,
        worlds,
        np.array([_seed(view)], dtype=np.uint64),
        out,
    )
    return (legal, out) if fits else rate(view)


def _position(view: View, known: Collection[Card]) -> tuple[Array, Position]:
    """Return the legal ranks, and what the kernels' ratings take first, up to the starter."""
    from games.analysis.kernels import show

    dealer, seat, starter = view.dealer or 0, view.seat or 0, view.starter or 0
    number = len(view.plays)
    past = np.zeros(14, dtype=np.int64)
    who = np.zeros(14, dtype=np.int64)
    for at, (player, card) in enumerate(view.plays):
        past[at] = RANK[card]
        who[at] = role_of(player, dealer)
    legal = np.array(sorted({RANK[card] for card in view.legal.cards}), dtype=np.int64)
    return legal, (
        show.five_table(),
        by_rank(view.cards),
        past,
        who,
        number - len(view.pile),
        number,
        view.count,
        role_of(seat, dealer),
        by_rank(hidden_from(view, known)),
        np.array(_by_role(view.hand_sizes, dealer), dtype=np.int64),
        np.array(scores_by_role(view), dtype=np.int64),
        count_hand((*view.cards, *view.played[seat]), starter),
        RANK[starter],
    )


def _seed(view: View) -> int:
    """Return the seed of the sampling, which depends on the view only."""
    seed = 1
    for card in (*view.dealt, *(card for _, card in view.plays), view.starter or 0):
        seed = (seed * 53 + card + 1) % (1 << 63)
    return seed


def best_rank(view: View, *, by_chance: bool, samples: int = SAMPLES) -> int:
    """Return the rank with the best chance to win, or the most points; the lowest on a tie."""
    if len({RANK[card] for card in view.legal.cards}) == 1:
        return RANK[view.legal.cards[0]]
    legal, values = rate(view, samples)
    return int(legal[np.argmax(np.round(values[:, int(by_chance)], 9))])


def rank_by_belief(view: View) -> int:
    """Return the rank with the best chance to win over believed hands; the lowest on a tie."""
    if len({RANK[card] for card in view.legal.cards}) == 1:
        return RANK[view.legal.cards[0]]
    legal, values = rate_by_belief(view)
    return int(legal[np.argmax(np.round(values[:, 1], 9))])


def evaluate_discards(
    cards: tuple[Card, ...],
    role: Role,
    scores: tuple[int, ...] | None = None,
    *,
    target: int = FULL,
) -> tuple[DiscardValue, ...]:
    """Return every discard of five cards with its value, best first; three seats.

    ``scores`` are the player's, then the others' to the left. Discards are sorted by the chance to
    win if scores are given, otherwise by points; the two opponents' points count half. A seat that
    does not deal is treated as pone.

    Raises:
        ValueError: if these are not five different cards, or the scores are invalid.
    """
    held = tuple(sorted(set(cards)))
    if len(held) != 5 or len(cards) != 5:
        raise ValueError(f"five different cards are needed, not {len(held)}")
    own, *others = scores or (0, 0, 0)
    if len(others) != 2 or not all(0 <= score < target for score in (own, *others)):
        raise ValueError(f"three scores from 0 to {target - 1} are needed, not {scores}")
    ahead = FULL - target
    number = 2 if role == "dealer" else 0
    by_role = [score + ahead for score in ((*others, own) if number == 2 else (own, *others))]
    averages, spreads = value_throws(held, number, exact=True)
    points = totals(averages, number)
    won = chances(averages, spreads, number, by_role, recorded_deals(exact=True))
    values = discard_values(held, averages, spreads, points, won)
    if scores is None:
        return tuple(sorted(values, key=lambda value: (-value.total, value.thrown)))
    return tuple(sorted(values, key=lambda value: (-value.chance, value.thrown)))


def discard_values(
    held: tuple[Card, ...], averages: Array, spreads: Array, points: Array, won: Array
) -> list[DiscardValue]:
    """Return the value of throwing each of five cards.

    Args:
        held: the cards, sorted.
        averages, spreads: from `value_throws`.
        points: from `totals`.
        won: from `chances`.
    """
    return [
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
