"""Kernels that play whole games to compute par: the fast house player, with random noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels import discard, three
from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import POINTS, split
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.selfplay import play_out
from games.analysis.kernels.show import count_cards
from games.analysis.kernels.three import play_out_three

Array = NDArray[Any]

NOISE = 0.5
"""Range, in points, of the random bonus that each discard gets so that play-outs differ."""

value_two = discard.value_throws
value_three = three.value_throws


@compiled
def _noisy_best(values: Array, crib_sign: float, others: float, rng: Array) -> int:
    best = 0
    best_value = -1000.0
    for throw in range(values.shape[0]):
        value = values[throw, 0] + crib_sign * values[throw, 1]
        value += values[throw, 2] - others * values[throw, 3] + NOISE * next_random(rng)
        if value > best_value:
            best = throw
            best_value = value
    return best


@compiled
def _score(scores: Array, seat: int, points: int, target: int) -> bool:
    """Add points, capped at the target; return whether the seat has won."""
    scores[seat] = min(target, scores[seat] + points)
    return bool(scores[seat] >= target)


@compiled
def play_two(
    five: Array,
    packs: Array,
    first: int,
    target: int,
    throws: Array,
    pegs: Array,
    policy: Array,
    rng: Array,
    scores: Array,
) -> int:
    """Play a game on packs (a row for each hand) and write the final scores; return the winner.

    Pone gets the first six cards of a pack, the dealer the next six; the starter follows. Returns
    -1 if there are too few packs.
    """
    cards = np.empty(6, dtype=np.int64)
    kept = np.empty((2, 4), dtype=np.int64)
    crib = np.empty(4, dtype=np.int64)
    thrown = np.empty(2, dtype=np.int64)
    spreads = np.empty((15, POINTS), dtype=np.int64)
    cribs = np.empty((15, POINTS))
    values = np.empty((15, 4))
    hands = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    past = np.zeros(9, dtype=np.int64)
    log = np.zeros((16, 2), dtype=np.int64)
    seats = np.zeros(2, dtype=np.int64)
    scores[:] = 0
    dealer = first
    for deal in range(packs.shape[0]):
        seats[0] = 1 - dealer
        seats[1] = dealer
        hands[:] = 0
        sizes[:] = 4
        for role in range(2):
            cards[:] = packs[deal, 6 * role : 6 * role + 6]
            cards.sort()
            value_two(five, cards, role, throws, pegs, spreads, cribs, values)
            sign = 1.0 if role == 1 else -1.0
            split(cards, _noisy_best(values, sign, 1.0, rng), kept[role], thrown)
            crib[2 * role : 2 * role + 2] = thrown
            for at in range(4):
                hands[role, kept[role, at] >> 2] += 1
        starter = packs[deal, 12]
        if starter >> 2 == 10 and _score(scores, dealer, 2, target):
            return dealer
        for at in range(play_out(hands, sizes, past, policy, rng, log)):
            seat = seats[log[at, 0]]
            if _score(scores, seat, log[at, 1], target):
                return int(seat)
        for role in range(2):
            points = count_cards(five, kept[role], starter, False)
            if _score(scores, seats[role], points, target):
                return int(seats[role])
        if _score(scores, dealer, count_cards(five, crib, starter, True), target):
            return dealer
        dealer = 1 - dealer
    return -1


@compiled
def play_three(
    five: Array,
    packs: Array,
    first: int,
    target: int,
    crib_means: Array,
    pegs: Array,
    rng: Array,
    scores: Array,
) -> int:
    """Play a game with three seats like `play_two`, with plays by rules of thumb.

    Each role gets five cards from the pack, pone first; the crib card and the starter follow.
    """
    cards = np.empty(5, dtype=np.int64)
    kept = np.empty((3, 4), dtype=np.int64)
    crib = np.empty(4, dtype=np.int64)
    values = np.empty((5, 4))
    hidden = np.empty(52, dtype=np.int64)
    hands = np.zeros((3, 13), dtype=np.int64)
    past = np.zeros(14, dtype=np.int64)
    log = np.zeros((24, 2), dtype=np.int64)
    scores[:] = 0
    dealer = first
    for deal in range(packs.shape[0]):
        hands[:] = 0
        for role in range(3):
            cards[:] = packs[deal, 5 * role : 5 * role + 5]
            hidden[:] = 1
            for at in range(5):
                hidden[cards[at]] = 0
            value_three(five, cards, hidden, role, crib_means, pegs, values)
            best = _noisy_best(values, 1.0 if role == 2 else -0.5, 0.5, rng)
            crib[role] = cards[best]
            place = 0
            for at in range(5):
                if at != best:
                    kept[role, place] = cards[at]
                    hands[role, cards[at] >> 2] += 1
                    place += 1
        crib[3] = packs[deal, 15]
        starter = packs[deal, 16]
        if starter >> 2 == 10 and _score(scores, dealer, 2, target):
            return dealer
        for at in range(play_out_three(hands, past, 0, 0, 0, 0, -1, log)):
            seat = (dealer + 1 + log[at, 0]) % 3
            if _score(scores, seat, log[at, 1], target):
                return int(seat)
        for role in range(3):
            seat = (dealer + 1 + role) % 3
            if _score(scores, seat, count_cards(five, kept[role], starter, False), target):
                return int(seat)
        if _score(scores, dealer, count_cards(five, crib, starter, True), target):
            return dealer
        dealer = (dealer + 1) % 3
    return -1
