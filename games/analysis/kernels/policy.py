"""Kernels that train the strategy for the play with two seats.

The method is counterfactual-regret minimisation with external sampling (Lanctot, Waugh, Zinkevich
and Bowling, 2009) over realistically kept hands, by ranks only. An information set is a 64-bit
key: with three or four cards in hand, of the whole play so far; with two or fewer, of the cards,
the count, the last three cards and the number of the opponent's cards. Regrets are clipped at zero
and weighted by the round's number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled, compiled_uncached
from games.analysis.kernels.play import (
    LIMIT,
    next_leader,
    next_turn,
    pips_of,
    play_points,
)

Array = NDArray[Any]

ACTIONS = 4
"""The highest number of different ranks to choose from."""


@compiled
def mix(value: int, more: int) -> int:
    """Return a 64-bit hash of ``value`` and ``more`` (the finalizer of splitmix64)."""
    mixed = np.uint64(value) ^ (np.uint64(more) + np.uint64(0x9E3779B97F4A7C15))
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(mixed ^ (mixed >> np.uint64(31)))  # type: ignore[return-value]


@compiled
def infoset_key(
    hand: Array, past: Array, start: int, n: int, count: int, theirs: int, passed: bool
) -> int:
    """Return the key of the information set of the seat to play.

    `theirs` is the number of cards that the opponent holds, `passed` whether it said go in this
    count.
    """
    held = 0
    size = 0
    for rank in range(13):
        for _ in range(hand[rank]):
            held = held * 16 + rank + 1
            size += 1
    key = mix(held, theirs * 2 + (1 if passed else 0))
    begin = 0
    if size <= 2:
        begin = max(start, n - 3)
        key = mix(key, 64 + count)
    else:
        key = mix(key, start)
    line = 0
    for at in range(begin, n):
        line = line * 16 + past[at] + 1
    return mix(key, line)


@compiled
def next_random(state: Array) -> float:
    """Return a random number in [0, 1) and advance ``state[0]`` (splitmix64)."""
    value = np.uint64(state[0]) + np.uint64(0x9E3779B97F4A7C15)
    state[0] = value
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    return float(value >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def choices(hand: Array, count: int, out: Array) -> int:
    """Write the playable ranks, lowest first, to ``out``; return their number."""
    found = 0
    for rank in range(13):
        if hand[rank] > 0 and count + pips_of(rank) <= LIMIT:
            out[found] = rank
            found += 1
    return found


@compiled
def _slot(keys: Array, key: int) -> int:
    """Return the slot of ``key``, allocating one if it is new; -1 if the table is full."""
    mask = keys.shape[0] - 1
    at = key & mask
    for _ in range(64):
        if keys[at] == key:
            return int(at)
        if keys[at] == 0:
            keys[at] = key
            return int(at)
        at = (at + 1) & mask
    return -1


@compiled
def _match_regrets(regrets: Array, slot: int, number: int, out: Array) -> None:
    """Write the probability of each choice, in proportion to its regret (regret matching)."""
    total = 0.0
    for at in range(number):
        out[at] = regrets[slot, at]
        total += out[at]
    for at in range(number):
        out[at] = out[at] / total if total > 0.0 else 1.0 / number


@compiled_uncached
def traverse(
    hands: Array,
    sizes: Array,
    past: Array,
    who: Array,
    start: int,
    n: int,
    count: int,
    turn: int,
    passed: int,
    me: int,
    weight: float,
    keys: Array,
    regrets: Array,
    sums: Array,
    rng: Array,
) -> float:
    """Return a sample of the points that seat ``me`` gains over the other from here.

    At `me`'s choices, all cards are tried and the regrets updated. At the other seat's choices, one
    card is drawn from its strategy and the average strategy updated. `passed` is the seat that said
    go in this count, or -1.
    """
    ranks = np.empty(ACTIONS, dtype=np.int64)
    number = choices(hands[turn], count, ranks)
    chance = np.empty(ACTIONS)
    slot = -1
    if number > 1:
        key = infoset_key(hands[turn], past, start, n, count, sizes[1 - turn], passed == 1 - turn)
        slot = _slot(keys, key)
        if slot >= 0:
            _match_regrets(regrets, slot, number, chance)
        else:
            chance[:] = 1.0 / number
    else:
        chance[0] = 1.0
    first = 0
    last = number
    if turn != me and number > 1:
        if slot >= 0:
            for at in range(number):
                sums[slot, at] += weight * chance[at]
        draw = next_random(rng)
        first = 0
        while first < number - 1 and draw >= chance[first]:
            draw -= chance[first]
            first += 1
        last = first + 1
    values = np.zeros(ACTIONS)
    mean = 0.0
    for at in range(first, last):
        rank = ranks[at]
        sign = 1.0 if turn == me else -1.0
        value = sign * play_points(past, start, n, rank, count)
        total = count + pips_of(rank)
        hands[turn, rank] -= 1
        sizes[turn] -= 1
        past[n] = rank
        who[n] = turn
        following = next_turn(hands, turn, total)
        if following >= 0:
            gone = passed
            if following == turn and sizes[1 - turn] > 0:
                gone = 1 - turn
            value += traverse(
                hands,
                sizes,
                past,
                who,
                start,
                n + 1,
                total,
                following,
                gone,
                me,
                weight,
                keys,
                regrets,
                sums,
                rng,
            )
        else:
            if total != LIMIT:
                value += sign
            leader = next_leader(hands, turn)
            if leader >= 0:
                value += traverse(
                    hands,
                    sizes,
                    past,
                    who,
                    n + 1,
                    n + 1,
                    0,
                    leader,
                    -1,
                    me,
                    weight,
                    keys,
                    regrets,
                    sums,
                    rng,
                )
        hands[turn, rank] += 1
        sizes[turn] += 1
        values[at] = value
        mean += value * (chance[at] if turn == me else 1.0)
    if turn == me and slot >= 0:
        for at in range(number):
            regrets[slot, at] = max(0.0, regrets[slot, at] + weight * (values[at] - mean))
    return mean


@compiled_uncached
def train(
    pool: Array, rounds: int, first: int, keys: Array, regrets: Array, sums: Array, rng: Array
) -> float:
    """Train on ``rounds`` deals of ``pool`` and return the dealer's mean gain in points.

    `pool[i]` is eight ranks: four kept by pone, four by the dealer. `first` is the number of
    earlier rounds (the weight of a round grows with its number).
    """
    hands = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    past = np.zeros(9, dtype=np.int64)
    who = np.zeros(9, dtype=np.int64)
    gain = 0.0
    for number in range(rounds):
        deal = pool[int(next_random(rng) * pool.shape[0])]
        weight = (first + number + 1) / 1.0e6
        for me in range(2):
            hands[:] = 0
            for at in range(8):
                hands[at // 4, deal[at]] += 1
            sizes[:] = 4
            value = traverse(
                hands, sizes, past, who, 0, 0, 0, 0, -1, me, weight, keys, regrets, sums, rng
            )
            gain += value if me == 1 else -value
    return gain / (2 * rounds)
