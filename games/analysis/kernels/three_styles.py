"""Kernels for styles of play with three seats: what an opponent of a style plays and discards.

Style 0 plays by rules of thumb; 1 leads the lowest card and looks only at the card before; 2 plays
by a few habits; 3 takes the most points now, with the highest card.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import hand_spread
from games.analysis.kernels.play import (
    FIVE,
    LIMIT,
    heuristic_rank,
    next_leader,
    next_turn,
    pips_of,
    play_points,
)

Array = NDArray[Any]

RULES = 0
DISTRACTED = 1
HABITS = 2
TIE = 1e-9
"""Difference below which two values count as equal."""


@compiled
def unseen_with(hand: Array, past: Array, n: int, starter: int, out: Array) -> None:
    """Write how many cards of each rank a seat has not seen; its discard counts as unseen."""
    for rank in range(13):
        out[rank] = 4 - hand[rank]
    out[starter] = max(0, out[starter] - 1)
    for at in range(n):
        out[past[at]] = max(0, out[past[at]] - 1)


@compiled
def _points_beside(past: Array, start: int, n: int, rank: int, count: int) -> int:
    """Return the points for pairs, and for a fifteen of two cards."""
    same = 1
    at = n - 1
    while at >= start and past[at] == rank:
        same += 1
        at -= 1
    points = same * (same - 1) if same > 1 else 0
    return points + (2 if n - start == 1 and count + pips_of(rank) == 15 else 0)


@compiled
def _value(style: int, past: Array, start: int, n: int, count: int, rank: int) -> float:
    """Return how much a style likes to play ``rank``."""
    pips = pips_of(rank)
    if style == DISTRACTED:
        if n == start:
            return -float(rank)
        return _points_beside(past, start, n, rank, count) + 0.01 * pips
    points = float(play_points(past, start, n, rank, count))
    if style == HABITS:
        if n == start:
            if rank == FIVE or pips == 10:
                return points + 0.1
            return points + (0.8 if pips < 5 else 0.5)
        total = count + pips
        return points + 0.02 * pips - (0.6 if total == 5 or total == 21 else 0.0)
    return points + 0.01 * pips


@compiled
def style_rank(
    style: int,
    hand: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    starter: int,
    next_cards: int,
) -> int:
    """Return the rank that a seat of this style plays, the lowest on a tie."""
    if style == RULES:
        unseen = np.empty(13, dtype=np.int64)
        unseen_with(hand, past, n, starter, unseen)
        return int(heuristic_rank(hand, past, start, n, count, unseen, next_cards))
    best = -1
    best_value = -1000.0
    for rank in range(13):
        if hand[rank] > 0 and count + pips_of(rank) <= LIMIT:
            value = _value(style, past, start, n, count, rank)
            if value > best_value + TIE:
                best = rank
                best_value = value
    return best


@compiled
def chance_of_card(
    style: int,
    deviation: float,
    hand: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    starter: int,
    next_cards: int,
    played: int,
) -> float:
    """Return how likely a seat of this style plays the rank ``played``.

    A share of ``deviation`` of its plays are any card that fits.
    """
    number = 0
    for rank in range(13):
        if hand[rank] > 0 and count + pips_of(rank) <= LIMIT:
            number += 1
    if number < 2:
        return 1.0
    chance = deviation / number
    if style_rank(style, hand, past, start, n, count, starter, next_cards) == played:
        chance += 1.0 - deviation
    return chance


@compiled
def add_evidence(past: Array, who: Array, starters: Array, styles: Array, out: Array) -> None:
    """Add to ``out[seat, style]`` how likely finished hands were played so (a logarithm).

    `past[i]` and `who[i]` are the ranks and seats of all cards of a hand, in the order played;
    `styles[style]` is its number and its share of deviations.
    """
    hands = np.zeros((3, 13), dtype=np.int64)
    for deal in range(past.shape[0]):
        hands[:] = 0
        line = past[deal].copy()
        for at in range(past.shape[1]):
            hands[who[deal, at], line[at]] += 1
        start = 0
        count = 0
        for at in range(past.shape[1]):
            rank = past[deal, at]
            seat = who[deal, at]
            if count == LIMIT or count + pips_of(rank) > LIMIT:
                start = at
                count = 0
            after = hands[(seat + 1) % 3].sum()
            for style in range(styles.shape[0]):
                chance = chance_of_card(
                    int(styles[style, 0]),
                    styles[style, 1],
                    hands[seat],
                    line,
                    start,
                    at,
                    count,
                    starters[deal],
                    after,
                    rank,
                )
                out[seat, style] += np.log(chance)
            hands[seat, rank] -= 1
            count += pips_of(rank)


@compiled
def play_out_styles(
    hands: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    turn: int,
    forced: int,
    starter: int,
    styles: Array,
    log: Array,
) -> int:
    """Play to the end of the hand, each role in its style, starting with ``forced`` (-1: none).

    Writes the role and points of each score to `log`, in order; returns the number of scores.
    """
    scored = 0
    while turn >= 0:
        if forced >= 0:
            rank = forced
            forced = -1
        else:
            after = hands[(turn + 1) % 3].sum()
            rank = style_rank(styles[turn], hands[turn], past, start, n, count, starter, after)
        points = play_points(past, start, n, rank, count)
        count += pips_of(rank)
        hands[turn, rank] -= 1
        past[n] = rank
        n += 1
        following = next_turn(hands, turn, count)
        if following < 0 and count != LIMIT:
            points += 1
        if points > 0:
            log[scored, 0] = turn
            log[scored, 1] = points
            scored += 1
        if following < 0:
            following = next_leader(hands, turn)
            start = n
            count = 0
        turn = following
    return scored


@compiled
def usual_throw(five: Array, cards: Array, hidden: Array, role: int, cribs: Array) -> int:
    """Return which of five cards opponents are assumed to discard: that with the best averages.

    The hand is averaged over every starter; `cribs[rank]` is the average crib with that rank, half
    of which counts against a seat that does not deal. `hidden` is overwritten.
    """
    hidden[:] = 1
    for at in range(5):
        hidden[cards[at]] = 0
    kept = np.empty(4, dtype=np.int64)
    spread = np.empty(30, dtype=np.int64)
    best = 0
    best_value = -1000.0
    for throw in range(5):
        at = 0
        for index in range(5):
            if index != throw:
                kept[at] = cards[index]
                at += 1
        crib = cribs[cards[throw] >> 2]
        value = hand_spread(five, kept, hidden, spread) + (crib if role == 2 else -0.5 * crib)
        if value > best_value + TIE:
            best = throw
            best_value = value
    return best
