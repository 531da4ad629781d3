"""Kernels of the endgame solver: the tree in sequence form, and CFR+ on it.

A *symbol* is a rank, or `NOBS` for the jack of the starter's suit. A *set* is an information set:
what a role holds and all plays since the root. A *sequence* is a role's type with its choices so
far; the first sequences of a role are its types without a choice. Role 0 is pone, 1 the dealer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.play import LIMIT, next_leader, next_turn, pips_of, play_points

Array = NDArray[Any]

JACK = 10
NOBS = 13
SYMBOLS = 14
TARGET = 121
DEEPEST = 8
"""Depth of the stack: at most six cards are hidden, and the level after the last is written."""
MOST_CHOICES = 4


@compiled
def rank_of(symbol: int) -> int:
    """Return the rank of a symbol."""
    return JACK if symbol == NOBS else symbol


@compiled
def _ways(held: Array, hidden: Array, less: Array) -> float:
    """Return the number of sets of cards with these symbols, from `hidden` without `less`."""
    ways = 1.0
    for symbol in range(SYMBOLS):
        there = hidden[symbol] - less[symbol]
        for taken in range(held[symbol]):
            ways *= max(0, there - taken) / (taken + 1)
    return ways


@compiled
def joint_ways(
    held0: Array,
    flags0: Array,
    held1: Array,
    flags1: Array,
    same_suit: bool,
    hidden: Array,
    out: Array,
) -> None:
    """Write the number of pairs of hands without a common card, for each pair of types.

    The flags are 2 for a flush (which is one set of cards), 1 for other cards of the same symbols,
    0 if these symbols can't be a flush; ``same_suit`` is whether both roles' flush is of one suit.
    """
    none = np.zeros(SYMBOLS, dtype=np.int64)
    for i in range(held0.shape[0]):
        ways = _ways(held0[i], hidden, none)
        for j in range(held1.shape[0]):
            both = _ways(held1[j], hidden, held0[i])
            clash = False
            for symbol in range(SYMBOLS):
                if same_suit and held0[i, symbol] > 0 and held1[j, symbol] > 0:
                    clash = True
            first = both if flags0[i] > 0 else 0.0
            second = _ways(held0[i], hidden, held1[j]) if flags1[j] > 0 else 0.0
            flushes = 1.0 if flags0[i] > 0 and flags1[j] > 0 and not clash else 0.0
            if flags0[i] == 2 and flags1[j] == 2:
                out[i, j] = flushes
            elif flags0[i] == 2:
                out[i, j] = first - flushes
            elif flags1[j] == 2:
                out[i, j] = second - flushes
            else:
                out[i, j] = ways * both - first - second + flushes


@compiled
def crib_spread(hidden: Array, entries: Array, shares: Array, out: Array) -> None:
    """Write the chance of each number of points of a crib of which two cards are hidden.

    `hidden[symbol]` counts the cards that may be in it. Each of ``entries`` is two symbols and
    points, and its share the part of the pairs of these symbols that make these points.
    """
    out[:] = 0.0
    total = 0.0
    for at in range(entries.shape[0]):
        a, b, points = entries[at]
        ways = hidden[a] * (hidden[a] - 1) / 2 if a == b else hidden[a] * hidden[b] * 1.0
        out[points] += ways * shares[at]
        total += ways * shares[at]
    if total > 0.0:
        out /= total


@compiled
def end_chance(scores: Array, shown: Array, crib: Array, wins: Array) -> float:
    """Return pone's chance to win after the play: pone's hand, the dealer's hand, the crib.

    `shown[role]` are the points of the hands, `crib[points]` the chances of a crib's points, and
    `wins[dealer, pone]` is the dealer's chance before the next deal, whose dealer is this pone.
    """
    pone = scores[0] + shown[0]
    if pone >= TARGET:
        return 1.0
    dealer = scores[1] + shown[1]
    if dealer >= TARGET:
        return 0.0
    won = 0.0
    for points in range(crib.shape[0]):
        if crib[points] > 0.0 and dealer + points < TARGET:
            won += crib[points] * wins[pone, dealer + points]
    return won


@compiled
def _find(keys: Array, key: int) -> int:
    """Return the slot of a key, or the free slot where it belongs."""
    mask = keys.shape[0] - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    at = np.int64(mixed >> np.uint64(20)) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return int(at)


@compiled
def grow(
    held0: Array,
    held1: Array,
    shown0: Array,
    shown1: Array,
    joint: Array,
    hidden: Array,
    entries: Array,
    shares: Array,
    wins: Array,
    past: Array,
    line: Array,
    scores: Array,
    keys: Array,
    slots: Array,
    sets: Array,
    sizes: Array,
    leaves: Array,
    values: Array,
) -> int:
    """Write the tree of all pairs of types in sequence form; return the number of leaves.

    `held[type, symbol]` and `shown[type]` are cards and points of each role's types; `joint` is the
    chance of each pair of types. `line` is start, number of cards played, count and turn. Writes
    `sets[role, set]` (parent sequence, first sequence, number of choices, type, choices as symbols
    of four bits, plays since the root), `sizes[role]` (sets, sequences), `leaves[leaf]` (sequence
    of each role) and `values[leaf]`: pone's chance to win times the chance of the pair. ``keys``
    must be filled with -1.
    """
    number = np.zeros(DEEPEST, dtype=np.int64)
    tried = np.zeros(DEEPEST, dtype=np.int64)
    symbols = np.zeros((DEEPEST, MOST_CHOICES), dtype=np.int64)
    earned = np.zeros(DEEPEST, dtype=np.int64)
    place = np.zeros((DEEPEST, 4), dtype=np.int64)
    story = np.zeros(DEEPEST, dtype=np.int64)
    at_sequence = np.zeros((DEEPEST, 2), dtype=np.int64)
    first = np.zeros(DEEPEST, dtype=np.int64)
    cards = np.zeros((2, SYMBOLS), dtype=np.int64)
    hands = np.zeros((2, 13), dtype=np.int64)
    rest = np.zeros(SYMBOLS, dtype=np.int64)
    after = np.zeros(2, dtype=np.int64)
    shown = np.zeros(2, dtype=np.int64)
    crib = np.zeros(30)
    sizes[0, 0] = 0
    sizes[1, 0] = 0
    sizes[0, 1] = held0.shape[0]
    sizes[1, 1] = held1.shape[0]
    found = 0
    for i in range(held0.shape[0]):
        for j in range(held1.shape[0]):
            if joint[i, j] <= 0.0:
                continue
            cards[0] = held0[i]
            cards[1] = held1[j]
            rest[:] = hidden - cards[0] - cards[1]
            crib_spread(rest, entries, shares, crib)
            for role in range(2):
                hands[role] = cards[role, :13]
                hands[role, JACK] += cards[role, NOBS]
            shown[0] = shown0[i]
            shown[1] = shown1[j]
            after[:] = scores
            level = 0
            place[0] = line
            story[0] = 1
            at_sequence[0, 0] = i
            at_sequence[0, 1] = j
            number[0] = -1
            while level >= 0:
                start, n, count, turn = place[level]
                if number[level] < 0:
                    number[level] = 0
                    tried[level] = 0
                    for symbol in range(SYMBOLS):
                        if cards[turn, symbol] > 0 and count + pips_of(rank_of(symbol)) <= LIMIT:
                            symbols[level, number[level]] = symbol
                            number[level] += 1
                    first[level] = -1
                    if number[level] > 1:
                        mine = i if turn == 0 else j
                        key = ((story[level] << 12) + mine) * 2 + turn
                        slot = _find(keys, key)
                        if keys[slot] == -1:
                            keys[slot] = key
                            slots[slot] = sizes[turn, 0]
                            one = sets[turn, sizes[turn, 0]]
                            one[0] = at_sequence[level, turn]
                            one[1] = sizes[turn, 1]
                            one[2] = number[level]
                            one[3] = mine
                            one[4] = 0
                            for at in range(number[level]):
                                one[4] |= symbols[level, at] << (4 * at)
                            one[5] = story[level]
                            sizes[turn, 0] += 1
                            sizes[turn, 1] += number[level]
                        first[level] = sets[turn, slots[slot], 1]
                if tried[level] == number[level]:
                    level -= 1
                    if level >= 0:
                        turn = place[level, 3]
                        symbol = symbols[level, tried[level] - 1]
                        cards[turn, symbol] += 1
                        hands[turn, rank_of(symbol)] += 1
                        after[turn] -= earned[level]
                    continue
                at = tried[level]
                tried[level] += 1
                symbol = symbols[level, at]
                rank = rank_of(symbol)
                points = play_points(past, start, n, rank, count)
                total = count + pips_of(rank)
                cards[turn, symbol] -= 1
                hands[turn, rank] -= 1
                past[n] = rank
                following = next_turn(hands, turn, total)
                if following < 0 and total != LIMIT:
                    points += 1
                after[turn] += points
                below = place[level + 1]
                below[0] = start
                below[1] = n + 1
                below[2] = total
                if following < 0:
                    following = next_leader(hands, turn)
                    below[0] = n + 1
                    below[2] = 0
                below[3] = following
                at_sequence[level + 1] = at_sequence[level]
                if first[level] >= 0:
                    at_sequence[level + 1, turn] = first[level] + at
                if after[turn] >= TARGET or following < 0:
                    if after[turn] >= TARGET:
                        won = 1.0 if turn == 0 else 0.0
                    else:
                        won = end_chance(after, shown, crib, wins)
                    leaves[found, 0] = at_sequence[level + 1, 0]
                    leaves[found, 1] = at_sequence[level + 1, 1]
                    values[found] = won * joint[i, j]
                    found += 1
                    cards[turn, symbol] += 1
                    hands[turn, rank] += 1
                    after[turn] -= points
                    continue
                earned[level] = points
                story[level + 1] = (story[level] * SYMBOLS + symbol) * 2 + turn
                level += 1
                number[level] = -1
    return found


@compiled
def collect(leaves: Array, values: Array, role: int, reach: Array, out: Array) -> None:
    """Write the value of each sequence of ``role`` against the other role's ``reach``."""
    out[:] = 0.0
    other = 1 - role
    sign = 1.0 if role == 0 else -1.0
    for leaf in range(leaves.shape[0]):
        out[leaves[leaf, role]] += sign * values[leaf] * reach[leaves[leaf, other]]


@compiled
def spread(sets: Array, chances: Array, reach: Array) -> None:
    """Write how likely the role's own choices make each sequence."""
    for number in range(sets.shape[0]):
        parent, first, choices = sets[number, 0], sets[number, 1], sets[number, 2]
        for at in range(choices):
            reach[first + at] = reach[parent] * chances[first + at]


@compiled
def best_reply(sets: Array, values: Array, types: int) -> float:
    """Add to each sequence's value those of the best later choices; return the sum of the types."""
    for number in range(sets.shape[0] - 1, -1, -1):
        parent, first, choices = sets[number, 0], sets[number, 1], sets[number, 2]
        best = values[first]
        for at in range(1, choices):
            best = max(best, values[first + at])
        values[parent] += best
    return float(values[:types].sum())


@compiled
def improve(
    leaves: Array,
    values: Array,
    sets: Array,
    regrets: Array,
    chances: Array,
    reach: Array,
    other: Array,
    role: int,
    weight: float,
    sums: Array,
) -> None:
    """Make one round of CFR+ for a role: clipped regrets, averages weighted by the round."""
    worth = np.zeros(reach.shape[0])
    collect(leaves, values, role, other, worth)
    for number in range(sets.shape[0] - 1, -1, -1):
        parent, first, choices = sets[number, 0], sets[number, 1], sets[number, 2]
        mean = 0.0
        for at in range(first, first + choices):
            mean += chances[at] * worth[at]
        worth[parent] += mean
        total = 0.0
        for at in range(first, first + choices):
            regrets[at] = max(0.0, regrets[at] + worth[at] - mean)
            total += regrets[at]
        for at in range(first, first + choices):
            chances[at] = regrets[at] / total if total > 0.0 else 1.0 / choices
    spread(sets, chances, reach)
    for at in range(reach.shape[0]):
        sums[at] += weight * reach[at]
