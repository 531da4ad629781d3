"""Kernels for games with three seats: deals, discards, and the play by rules of thumb.

Role 0 is pone, who leads; role 1 is the next seat; role 2 is the dealer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import hand_spread, peg_index
from games.analysis.kernels.play import (
    LIMIT,
    heuristic_rank,
    next_leader,
    next_turn,
    pips_of,
    play_points,
    unseen_by,
)
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.selfplay import deal_cards
from games.analysis.kernels.show import count_cards

Array = NDArray[Any]


@compiled
def value_throws(
    five: Array, cards: Array, hidden: Array, role: int, cribs: Array, pegs: Array, out: Array
) -> None:
    """Value the five discards of five cards: ``out[throw]`` is hand, crib, own and others' pegging.

    All cards but card `throw` are kept. `cribs[role, rank]` is the crib's average; `pegs[role,
    hand]` is the hand's points in the play and those of the two opponents together, in hundredths.
    """
    kept = np.empty(4, dtype=np.int64)
    spread = np.empty(30, dtype=np.int64)
    for throw in range(5):
        at = 0
        for index in range(5):
            if index != throw:
                kept[at] = cards[index]
                at += 1
        out[throw, 0] = hand_spread(five, kept, hidden, spread)
        out[throw, 1] = cribs[role, cards[throw] >> 2]
        index = peg_index(kept)
        out[throw, 2] = pegs[role, index, 0] / 100.0
        out[throw, 3] = pegs[role, index, 1] / 100.0


@compiled
def _best_throw(values: Array, role: int) -> int:
    """Return the discard with the most points, the two opponents' counting half."""
    best = 0
    best_value = -1000.0
    for throw in range(5):
        crib = values[throw, 1] if role == 2 else -0.5 * values[throw, 1]
        value = values[throw, 0] + crib + values[throw, 2] - 0.5 * values[throw, 3]
        if value > best_value:
            best = throw
            best_value = value
    return best


@compiled
def throw_deals(five: Array, cribs: Array, pegs: Array, deals: int, rng: Array, out: Array) -> None:
    """Deal and discard: ``out[i]`` is four cards of each role, the crib's four, the starter.

    The crib's cards are the discards of roles 0, 1 and 2, then the one from the pack. The points of
    the two opponents count half.
    """
    pack = np.arange(52)
    cards = np.empty(5, dtype=np.int64)
    values = np.empty((5, 4))
    hidden = np.empty(52, dtype=np.int64)
    for deal in range(deals):
        deal_cards(pack, 17, rng)
        for role in range(3):
            cards[:] = pack[5 * role : 5 * role + 5]
            hidden[:] = 1
            for at in range(5):
                hidden[cards[at]] = 0
            value_throws(five, cards, hidden, role, cribs, pegs, values)
            best = _best_throw(values, role)
            at = 4 * role
            for index in range(5):
                if index == best:
                    out[deal, 12 + role] = cards[index]
                else:
                    out[deal, at] = cards[index]
                    at += 1
        out[deal, 15] = pack[15]
        out[deal, 16] = pack[16]


@compiled
def play_out_three(
    hands: Array, past: Array, start: int, n: int, count: int, turn: int, forced: int, log: Array
) -> int:
    """Play to the end of the hand by rules of thumb, starting with rank ``forced`` (-1: none).

    Writes the role and points of each score to `log`, in order; returns the number of scores.
    """
    unseen = np.empty(13, dtype=np.int64)
    scored = 0
    while turn >= 0:
        if forced >= 0:
            rank = forced
            forced = -1
        else:
            unseen_by(hands[turn], past, n, unseen)
            rank = heuristic_rank(
                hands[turn], past, start, n, count, unseen, hands[(turn + 1) % 3].sum()
            )
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
def play_deals(five: Array, dealt: Array, out: Array) -> None:
    """Play and count deals from `throw_deals`: ``out[i]`` is up to 32 scores in order.

    A score is 32 * role + points; -1 ends the list.
    """
    hands = np.zeros((3, 13), dtype=np.int64)
    past = np.zeros(14, dtype=np.int64)
    log = np.zeros((24, 2), dtype=np.int64)
    for deal in range(dealt.shape[0]):
        cards = dealt[deal]
        starter = cards[16]
        at = 0
        if starter >> 2 == 10:
            out[deal, at] = 64 + 2
            at += 1
        hands[:] = 0
        for index in range(12):
            hands[index // 4, cards[index] >> 2] += 1
        scored = play_out_three(hands, past, 0, 0, 0, 0, -1, log)
        for index in range(scored):
            out[deal, at] = 32 * log[index, 0] + log[index, 1]
            at += 1
        for role in range(3):
            out[deal, at] = 32 * role + count_cards(
                five, cards[4 * role : 4 * role + 4], starter, False
            )
            at += 1
        out[deal, at] = 64 + count_cards(five, cards[12:16], starter, True)
        out[deal, at + 1] = -1


@compiled
def peg_hands(hands: Array, role: int, dealt: Array, each: int, rng: Array, out: Array) -> None:
    """Play each of ``hands`` (four ranks per row) against the other roles' hands of ``each`` deals.

    Writes to ``out[hand]`` the sum of its points, the sum of both opponents' points, and the number
    of possible plays.
    """
    held = np.zeros((3, 13), dtype=np.int64)
    past = np.zeros(14, dtype=np.int64)
    log = np.zeros((24, 2), dtype=np.int64)
    for hand in range(hands.shape[0]):
        for _ in range(each):
            deal = dealt[int(next_random(rng) * dealt.shape[0])]
            held[:] = 0
            for index in range(12):
                if index // 4 != role:
                    held[index // 4, deal[index] >> 2] += 1
            possible = True
            for at in range(4):
                held[role, hands[hand, at]] += 1
            for rank in range(13):
                if held[0, rank] + held[1, rank] + held[2, rank] > 4:
                    possible = False
            if not possible:
                continue
            scored = play_out_three(held, past, 0, 0, 0, 0, -1, log)
            for at in range(scored):
                if log[at, 0] == role:
                    out[hand, 0] += log[at, 1]
                else:
                    out[hand, 1] += log[at, 1]
            out[hand, 2] += 1


@compiled
def crib_means(five: Array, dealt: Array, role: int, rng: Array, out: Array) -> None:
    """Write the average crib after a role's discard of each rank to ``out[rank]``.

    The other three cards and the starter come from the deals.
    """
    crib = np.empty(4, dtype=np.int64)
    for rank in range(13):
        total = 0.0
        number = 0
        for deal in range(dealt.shape[0]):
            crib[:] = dealt[deal, 12:16]
            card = 4 * rank + int(next_random(rng) * 4)
            crib[role] = card
            taken = card == dealt[deal, 16]
            for at in range(4):
                if at != role and crib[at] == card:
                    taken = True
            if not taken:
                total += count_cards(five, crib, dealt[deal, 16], True)
                number += 1
        out[rank] = total / number
