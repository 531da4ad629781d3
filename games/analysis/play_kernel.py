"""Kernels of the play, by ranks: points, whose turn, and rules of thumb.

A play in progress is three arrays and a few numbers. `hands[seat, rank]` counts the cards still
held; `past[i]` is the rank of the i-th card played in this hand and `who[i]` its seat; the current
count began with card `start` of the `n` played so far. Suits never matter in the play.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.compiled import compiled

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

    Fifteen, thirty-one, pairs and runs; the point of a go is earned when the count ends.
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
    """Return whether a hand (by rank) has a card that fits."""
    room = LIMIT - count
    top = 13 if room >= 10 else room
    for rank in range(top):
        if hand[rank] > 0:
            return True
    return False


@compiled
def next_turn(hands: Array, seat: int, count: int) -> int:
    """Return who plays after ``seat`` played and made ``count``, or -1 when the count has ended."""
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
    """Return who leads after ``seat`` played the last card of a count, or -1 when all are out."""
    return next_turn(hands, seat, 0)


@compiled
def thumb_rank(
    hand: Array, past: Array, start: int, n: int, count: int, unseen: Array, next_cards: int
) -> int:
    """Return the rank that rules of thumb play, the lowest of equals.

    `unseen[rank]` counts the cards hidden from the player, `next_cards` what the next seat holds.
    """
    best = -1
    best_value = -1000.0
    for rank in range(13):
        if hand[rank] > 0 and count + pips_of(rank) <= LIMIT:
            value = thumb_value(hand, past, start, n, count, unseen, next_cards, rank)
            if value > best_value + 1e-9:
                best = rank
                best_value = value
    return best


@compiled
def thumb_value(
    hand: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    unseen: Array,
    next_cards: int,
    rank: int,
) -> float:
    """Return what playing ``rank`` looks worth, in points, by rules of thumb.

    Points now, less what the next seat probably makes of it, plus the chance that it cannot go on,
    plus small preferences: lead low or from a pair, keep small cards and fives, do not leave a
    count of 5 or 21.
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
    """Return the next seat's probable points at once, less 0.8 for its chance of having to pass.

    Each rank is held with the chance that cards drawn blindly would give; the best held is played.
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
    """Write how many cards of each rank a seat has not seen, throw and starter left out."""
    for rank in range(13):
        out[rank] = 4 - hand[rank]
    for at in range(n):
        out[past[at]] = max(0, out[past[at]] - 1)
