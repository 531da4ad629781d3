"""Kernels for the play by ranks: points, turns, and rules of thumb.

A position consists of three arrays and a few numbers. `hands[seat, rank]` counts the cards held;
`past[i]` is the rank of the i-th card played in this hand and `who[i]` its seat; the current count
began with card `start` of the `n` played so far. Suits never matter in the play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled

Array = NDArray[Any]

LIMIT = 31
FIVE = 4


@compiled
def pips_of(rank: int) -> int:
    """Return the counting value of a rank."""
    return rank + 1 if rank < 9 else 10


@compiled
def play_points(past: Array, start: int, n: int, rank: int, count: int) -> int:
    """Return the points of playing ``rank`` on the cards past[start:n], which add up to ``count``.

    They include fifteen, thirty-one, pairs and runs; the go is scored when the count ends.
    """
    total = count + pips_of(rank)
    points = 2 if total == 15 or total == LIMIT else 0
    same = 1
    at = n - 1
    while at >= start and past[at] == rank:
        same += 1
        at -= 1
    if same > 1:
        return points + same * (same - 1)
    best = 0
    seen = 1 << rank
    low = rank
    high = rank
    length = 1
    at = n - 1
    while at >= start:
        other = past[at]
        if seen >> other & 1:
            break
        seen |= 1 << other
        low = min(low, other)
        high = max(high, other)
        length += 1
        if length >= 3 and high - low == length - 1:
            best = length
        at -= 1
    return points + best


@compiled
def can_play(hand: Array, count: int) -> bool:
    """Return whether a hand, counted by rank, has a playable card."""
    room = LIMIT - count
    top = 13 if room >= 10 else room
    for rank in range(top):
        if hand[rank] > 0:
            return True
    return False


@compiled
def next_turn(hands: Array, seat: int, count: int) -> int:
    """Return the seat to play after ``seat`` brought the count to ``count``; -1 if it has ended."""
    seats = hands.shape[0]
    if count == LIMIT:
        return -1
    for step in range(1, seats + 1):
        other = (seat + step) % seats
        if can_play(hands[other], count):
            return int(other)
    return -1


@compiled
def next_leader(hands: Array, seat: int) -> int:
    """Return the seat that leads after ``seat`` ended a count; -1 if no cards are left."""
    return next_turn(hands, seat, 0)


@compiled
def heuristic_rank(
    hand: Array, past: Array, start: int, n: int, count: int, unseen: Array, next_cards: int
) -> int:
    """Return the rank to play by rules of thumb, the lowest on a tie.

    `unseen[rank]` counts the cards hidden from the player; the next seat holds `next_cards`.
    """
    best = -1
    best_value = -1000.0
    for rank in range(13):
        if hand[rank] > 0 and count + pips_of(rank) <= LIMIT:
            value = heuristic_value(hand, past, start, n, count, unseen, next_cards, rank)
            if value > best_value + 1e-9:
                best = rank
                best_value = value
    return best


@compiled
def heuristic_value(
    hand: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    unseen: Array,
    next_cards: int,
    rank: int,
) -> float:
    """Return the value of playing ``rank`` in points, by rules of thumb.

    The value is the points now, less the expected points of the next seat, plus a bonus for the
    chance that it cannot play, plus small preferences: lead low or from a pair, keep low cards and
    fives, avoid a count of 5 or 21.
    """
    value = float(play_points(past, start, n, rank, count))
    total = count + pips_of(rank)
    if rank <= 3:
        value -= 0.12 * (4 - rank)
    if rank == FIVE:
        value -= 0.3
    if total == LIMIT:
        return value
    if n == start:
        if hand[rank] > 1 and rank != FIVE:
            value += 0.25
        if rank <= 3:
            value += 0.55
        if total == 5 or total == 10:
            value -= 0.4
    elif total == 5 or total == 21:
        value -= 0.15
    if next_cards == 0:
        return value
    return value - _reply(past, start, n, rank, total, unseen, next_cards)


@compiled
def _reply(
    past: Array, start: int, n: int, rank: int, total: int, unseen: Array, next_cards: int
) -> float:
    """Return the next seat's expected points with its next card, less 0.8 times its chance of a go.

    Its cards are assumed to be random, and it plays the card with the most points.
    """
    held_before = past[n]
    past[n] = rank
    hidden = 0
    fitting = 0
    chances = np.zeros(32)
    for other in range(13):
        hidden += unseen[other]
        if total + pips_of(other) <= LIMIT:
            fitting += unseen[other]
    if hidden == 0:
        past[n] = held_before
        return 0.0
    for other in range(13):
        if unseen[other] > 0 and total + pips_of(other) <= LIMIT:
            points = play_points(past, start, n + 1, other, total)
            if points > 0:
                absent = (1.0 - unseen[other] / hidden) ** next_cards
                chances[points] = 1.0 - (1.0 - chances[points]) * absent
    past[n] = held_before
    expected = 0.0
    still = 1.0
    for points in range(31, 0, -1):
        expected += still * chances[points] * points
        still *= 1.0 - chances[points]
    return expected - 0.8 * (1.0 - fitting / hidden) ** next_cards


@compiled
def unseen_by(hand: Array, past: Array, n: int, out: Array) -> None:
    """Write how many cards of each rank a seat has not seen.

    Its discard and the starter are ignored, so they count as unseen.
    """
    for rank in range(13):
        out[rank] = 4 - hand[rank]
    for at in range(n):
        out[past[at]] = max(0, out[past[at]] - 1)
