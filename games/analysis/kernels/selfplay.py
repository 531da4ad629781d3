"""Kernels for self-play with two seats: discards and plays from tables, for measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import POINTS, best_by_points, split, value_throws
from games.analysis.kernels.play import (
    LIMIT,
    heuristic_rank,
    next_leader,
    next_turn,
    pips_of,
    play_points,
    unseen_by,
)
from games.analysis.kernels.policy import ACTIONS, choices, infoset_key, next_random
from games.analysis.kernels.show import count_cards

Array = NDArray[Any]


@compiled
def look_up(policy: Array, key: int, number: int, chance: Array) -> bool:
    """Write the strategy's probabilities of ``number`` choices; return False for unknown keys.

    `policy[slot]` is a check value (0: free) and four probabilities of 8 bits each; the low bits of
    the key determine the slot.
    """
    mask = policy.shape[0] - 1
    check = np.int64((key >> 32) & 0xFFFFFFFF) | 1
    at = key & mask
    while policy[at, 0] != 0:
        if policy[at, 0] == check:
            packed = np.int64(policy[at, 1])
            total = 0.0
            for index in range(number):
                chance[index] = float((packed >> (8 * index)) & 255)
                total += chance[index]
            if total <= 0.0:
                return False
            for index in range(number):
                chance[index] /= total
            return True
        at = (at + 1) & mask
    return False


@compiled
def chances_of(
    hands: Array,
    sizes: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    turn: int,
    passed: int,
    policy: Array,
    ranks: Array,
    chance: Array,
) -> int:
    """Write the playable ranks and their probabilities; return their number.

    The probabilities come from the solved strategy, or from rules of thumb if it does not know the
    position.
    """
    number = choices(hands[turn], count, ranks)
    if number == 1:
        chance[0] = 1.0
        return number
    other = 1 - turn
    key = infoset_key(hands[turn], past, start, n, count, sizes[other], passed == other)
    if look_up(policy, key, number, chance):
        return number
    unseen = np.empty(13, dtype=np.int64)
    unseen_by(hands[turn], past, n, unseen)
    best = heuristic_rank(hands[turn], past, start, n, count, unseen, sizes[other])
    for at in range(number):
        chance[at] = 1.0 if ranks[at] == best else 0.0
    return number


@compiled
def greedy_rank(ranks: Array, number: int, past: Array, start: int, n: int, count: int) -> int:
    """Return the playable rank with the most points now, the highest on a tie."""
    best = -1
    most = -1
    for at in range(number):
        points = play_points(past, start, n, ranks[at], count)
        if points > most or (points == most and ranks[at] > best):
            best = ranks[at]
            most = points
    return int(best)


@compiled
def blended_chances(
    hands: Array,
    sizes: Array,
    past: Array,
    start: int,
    n: int,
    count: int,
    turn: int,
    passed: int,
    policy: Array,
    heuristic_share: float,
    greedy_share: float,
    ranks: Array,
    chance: Array,
) -> int:
    """Write `chances_of` blended with rules of thumb and with `greedy_rank`, by both shares."""
    number = chances_of(hands, sizes, past, start, n, count, turn, passed, policy, ranks, chance)
    if number == 1 or heuristic_share + greedy_share <= 0.0:
        return number
    unseen = np.empty(13, dtype=np.int64)
    unseen_by(hands[turn], past, n, unseen)
    best = heuristic_rank(hands[turn], past, start, n, count, unseen, sizes[1 - turn])
    greedy = greedy_rank(ranks, number, past, start, n, count)
    solved = 1.0 - heuristic_share - greedy_share
    for at in range(number):
        chance[at] = (
            solved * chance[at]
            + (heuristic_share if ranks[at] == best else 0.0)
            + (greedy_share if ranks[at] == greedy else 0.0)
        )
    return number


@compiled
def play_out(hands: Array, sizes: Array, past: Array, policy: Array, rng: Array, log: Array) -> int:
    """Play eight cards by the strategy, seat 0 leading; return the number of scores.

    `log[i]` is the seat and points of the i-th score.
    """
    ranks = np.empty(ACTIONS, dtype=np.int64)
    chance = np.empty(ACTIONS)
    start = 0
    n = 0
    count = 0
    turn = 0
    passed = -1
    scored = 0
    while turn >= 0:
        number = chances_of(
            hands, sizes, past, start, n, count, turn, passed, policy, ranks, chance
        )
        pick = 0
        draw = next_random(rng)
        while pick < number - 1 and draw >= chance[pick]:
            draw -= chance[pick]
            pick += 1
        rank = ranks[pick]
        points = play_points(past, start, n, rank, count)
        count += pips_of(rank)
        hands[turn, rank] -= 1
        sizes[turn] -= 1
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
            passed = -1
        elif following == turn and sizes[1 - turn] > 0:
            passed = 1 - turn
        turn = following
    return scored


@compiled
def deal_cards(pack: Array, number: int, rng: Array) -> None:
    """Draw random cards into the first ``number`` places of ``pack``."""
    for at in range(number):
        other = at + int(next_random(rng) * (52 - at))
        pack[at], pack[other] = pack[other], pack[at]


@compiled
def throw_deals(
    five: Array, throws: Array, pegs: Array, deals: int, rng: Array, out: Array
) -> None:
    """Deal and discard: ``out[i]`` is pone's four cards, the dealer's, the crib's, the starter."""
    pack = np.arange(52)
    cards = np.empty(6, dtype=np.int64)
    kept = np.empty(4, dtype=np.int64)
    thrown = np.empty(2, dtype=np.int64)
    hands = np.empty((15, POINTS), dtype=np.int64)
    cribs = np.empty((15, POINTS))
    values = np.empty((15, 4))
    for deal in range(deals):
        deal_cards(pack, 13, rng)
        for seat in range(2):
            cards[:] = pack[6 * seat : 6 * seat + 6]
            cards.sort()
            value_throws(five, cards, seat, throws, pegs, hands, cribs, values)
            split(cards, best_by_points(values, seat), kept, thrown)
            out[deal, 4 * seat : 4 * seat + 4] = kept
            out[deal, 8 + 2 * seat : 10 + 2 * seat] = thrown
        out[deal, 12] = pack[12]


@compiled
def play_deals(five: Array, dealt: Array, policy: Array, rng: Array, out: Array) -> None:
    """Play and count deals from `throw_deals`: ``out[i]`` is up to 24 scores in order.

    A score is 32 * seat + points (seat 0 is pone, 1 the dealer); -1 ends the list. The order is
    heels, the play, pone's hand, the dealer's hand, the crib.
    """
    hands = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    past = np.zeros(9, dtype=np.int64)
    log = np.zeros((16, 2), dtype=np.int64)
    for deal in range(dealt.shape[0]):
        cards = dealt[deal]
        starter = cards[12]
        at = 0
        if starter >> 2 == 10:
            out[deal, at] = 32 + 2
            at += 1
        hands[:] = 0
        for index in range(8):
            hands[index // 4, cards[index] >> 2] += 1
        sizes[:] = 4
        scored = play_out(hands, sizes, past, policy, rng, log)
        for index in range(scored):
            out[deal, at] = 32 * log[index, 0] + log[index, 1]
            at += 1
        out[deal, at] = count_cards(five, cards[0:4], starter, False)
        out[deal, at + 1] = 32 + count_cards(five, cards[4:8], starter, False)
        out[deal, at + 2] = 32 + count_cards(five, cards[8:12], starter, True)
        out[deal, at + 3] = -1
