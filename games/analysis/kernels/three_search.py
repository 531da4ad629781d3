"""Kernels for searching with three seats: chances to win, sampled hands, endgame discards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.play import next_leader, next_turn, pips_of
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.show import rank_index
from games.analysis.kernels.three import play_out_three

Array = NDArray[Any]

TARGET = 121


@compiled
def solve(deals: Array, each: int, out: Array) -> None:
    """Write the chances to win before a deal, for all scores.

    `out[pone, next, dealer]` holds the chances of roles 0 and 1; the dealer has the rest. Each
    combination of scores uses the next ``each`` deals in turn, so that luck evens out.
    """
    at = 0
    for total in range(3 * (TARGET - 1), -1, -1):
        for a in range(max(0, total - 2 * (TARGET - 1)), min(TARGET - 1, total) + 1):
            for b in range(max(0, total - a - TARGET + 1), min(TARGET - 1, total - a) + 1):
                _chances_at(deals, at, each, a, b, total - a - b, out)
                at = (at + each) % deals.shape[0]


@compiled
def _chances_at(deals: Array, first: int, each: int, a: int, b: int, c: int, out: Array) -> None:
    won = np.zeros(3)
    scores = np.empty(3, dtype=np.int64)
    for number in range(each):
        deal = deals[(first + number) % deals.shape[0]]
        scores[0] = a
        scores[1] = b
        scores[2] = c
        at = 0
        while True:
            if deal[at] < 0:
                after = out[scores[1], scores[2], scores[0]]
                won[1] += after[0]
                won[2] += after[1]
                won[0] += 1.0 - after[0] - after[1]
                break
            role = deal[at] // 32
            scores[role] += deal[at] % 32
            if scores[role] >= TARGET:
                won[role] += 1.0
                break
            at += 1
    out[a, b, c, 0] = won[0] / each
    out[a, b, c, 1] = won[1] / each


@compiled
def chance_of(wins: Array, a: int, b: int, c: int, role: int) -> float:
    """Return a role's chance to win before a deal, interpolated from a grid of every second score.

    `wins[i, j, k]` holds the chances of roles 0 and 1 for scores 2i, 2j, 2k, in 65,535ths.
    """
    total = 0.0
    for corner in range(8):
        i = a // 2 + (a & 1) * (corner & 1)
        j = b // 2 + (b & 1) * (corner >> 1 & 1)
        k = c // 2 + (c & 1) * (corner >> 2 & 1)
        first = wins[i, j, k, 0] / 65535.0
        second = wins[i, j, k, 1] / 65535.0
        if role == 0:
            total += first
        elif role == 1:
            total += second
        else:
            total += 1.0 - first - second
    return total / 8.0


@compiled
def end_chance(scores: Array, shows: Array, crib: int, wins: Array, role: int) -> float:
    """Return a role's chance to win when the play has ended, by counting the hands and crib."""
    counted = np.empty(3, dtype=np.int64)
    for at in range(3):
        counted[at] = scores[at] + shows[at]
        if counted[at] >= TARGET:
            return 1.0 if at == role else 0.0
    counted[2] += crib
    if counted[2] >= TARGET:
        return 1.0 if role == 2 else 0.0
    return chance_of(wins, counted[1], counted[2], counted[0], (role + 2) % 3)


@compiled
def _consistent(hands: Array, past: Array, who: Array, n: int) -> bool:
    """Return whether the order of turns so far is possible with these cards still in hand."""
    full = hands.copy()
    for at in range(n):
        full[who[at], past[at]] += 1
    count = 0
    turn = 0
    for at in range(n):
        if turn != who[at]:
            return False
        count += pips_of(past[at])
        full[turn, past[at]] -= 1
        following = next_turn(full, turn, count)
        if following < 0:
            following = next_leader(full, turn)
            count = 0
        turn = following
    return True


@compiled
def crib_at(cribs: Array, share: float) -> int:
    """Return the points of a crib at a ``share`` (from 0 to 1) of its distribution."""
    points = 0
    while points < 29 and share >= cribs[points]:
        share -= cribs[points]
        points += 1
    return points


@compiled
def value_of(
    log: Array,
    scored: int,
    scores: Array,
    shows: Array,
    crib: int,
    wins: Array,
    me: int,
    after: Array,
) -> tuple[float, float]:
    """Return a line's points (own less half the others') and role ``me``'s chance to win after it.

    `log` holds ``scored`` scores as roles and points; `shows` and `crib` are the points to be
    counted then. `after` is overwritten.
    """
    after[:] = scores
    won = -1.0
    points = 0.0
    for at in range(scored):
        role = log[at, 0]
        points += log[at, 1] if role == me else -0.5 * log[at, 1]
        after[role] += log[at, 1]
        if after[role] >= TARGET and won < 0.0:
            won = 1.0 if role == me else 0.0
    if won < 0.0:
        won = end_chance(after, shows, crib, wins, me)
    return points, won


@compiled
def add_values(
    hands: Array,
    line: Array,
    start: int,
    n: int,
    count: int,
    me: int,
    scores: Array,
    shows: Array,
    crib: int,
    wins: Array,
    legal: Array,
    weight: float,
    trial: Array,
    after: Array,
    log: Array,
    out: Array,
) -> None:
    """Play each rank of ``legal`` and on by rules of thumb, and add its values times ``weight``.

    `line` holds the ``n`` ranks played, with room for the rest; `shows` and `crib` are the points
    to be counted. `trial`, `after` and `log` are overwritten. `out` is as in `rate_plays`.
    """
    for choice in range(legal.shape[0]):
        trial[:] = hands
        scored = play_out_three(trial, line, start, n, count, me, legal[choice], log)
        points, won = value_of(log, scored, scores, shows, crib, wins, me, after)
        out[choice, 0] += weight * points
        out[choice, 1] += weight * won


@compiled
def rate_plays(
    five: Array,
    mine: Array,
    past: Array,
    who: Array,
    start: int,
    n: int,
    count: int,
    me: int,
    unseen: Array,
    sizes: Array,
    scores: Array,
    show: int,
    starter: int,
    cribs: Array,
    wins: Array,
    legal: Array,
    samples: int,
    rng: Array,
    out: Array,
) -> None:
    """Rate each rank of ``legal``: ``out[i]`` is points (own less half the others'), chance to win.

    Hidden cards are redealt ``samples`` times, consistent with the goes; all seats then play by
    rules of thumb. `sizes[role]` is the number of cards held, `cribs[points]` the distribution of
    a crib's points.
    """
    pool = np.empty(52, dtype=np.int64)
    size = 0
    for rank in range(13):
        for _ in range(unseen[rank]):
            pool[size] = rank
            size += 1
    hands = np.zeros((3, 13), dtype=np.int64)
    trial = np.zeros((3, 13), dtype=np.int64)
    line = past.copy()
    shows = np.zeros(3, dtype=np.int64)
    after = np.zeros(3, dtype=np.int64)
    log = np.zeros((24, 2), dtype=np.int64)
    out[:] = 0.0
    done = 0
    for attempt in range(samples * 6):
        if done == samples:
            break
        hands[:] = 0
        hands[me] = mine
        place = 0
        for role in range(3):
            if role == me:
                continue
            for _ in range(sizes[role]):
                other = place + int(next_random(rng) * (size - place))
                pool[place], pool[other] = pool[other], pool[place]
                hands[role, pool[place]] += 1
                place += 1
        if not _consistent(hands, past, who, n) and attempt < samples * 5:
            continue
        done += 1
        show_points(five, hands, past, who, n, starter, shows)
        shows[me] = show
        crib = crib_at(cribs, next_random(rng))
        add_values(
            hands,
            line,
            start,
            n,
            count,
            me,
            scores,
            shows,
            crib,
            wins,
            legal,
            1.0,
            trial,
            after,
            log,
            out,
        )
    out /= max(1, done)


@compiled
def show_points(
    five: Array, hands: Array, past: Array, who: Array, n: int, starter: int, out: Array
) -> None:
    """Write the points of each role's four ranks with the starter's rank."""
    four = np.zeros(4, dtype=np.int64)
    for role in range(3):
        at = 0
        for rank in range(13):
            for _ in range(hands[role, rank]):
                four[at] = rank
                at += 1
        for index in range(n):
            if who[index] == role:
                four[at] = past[index]
                at += 1
        out[role] = five[rank_index(four[0], four[1], four[2], four[3]) + starter]


@compiled
def win_throws(
    scores: Array,
    role: int,
    spreads: Array,
    averages: Array,
    usual: Array,
    deals: Array,
    wins: Array,
    out: Array,
) -> None:
    """Write the chance to win of each discard, by replaying recorded deals with the player's hand.

    `spreads[throw, points]` counts the starters for each number of points of the player's hand;
    `averages[throw]` is hand, crib, the player's and the others' pegging; `usual` is the role's
    average crib and pegging in `deals` (scores in order, in the format of `play_deals`).
    """
    after = np.empty(3, dtype=np.int64)
    number = deals.shape[0]
    for throw in range(spreads.shape[0]):
        starters = spreads[throw].sum()
        crib_more = averages[throw, 1] - usual[0]
        peg_more = averages[throw, 2] - usual[1]
        won = 0.0
        for index in range(number):
            spot = (index * 0.6180339887498949) % 1.0
            due = int(spot * starters)
            points = 0
            passed = spreads[throw, 0]
            while passed <= due:
                points += 1
                passed += spreads[throw, points]
            shade = (index * 0.7548776662466927) % 1.0
            points += int(np.floor(peg_more + shade))
            won += _replay(
                deals[index], scores, role, points, int(np.floor(crib_more + shade)), wins, after
            )
        out[throw] = won / number


@compiled
def _replay(
    deal: Array, scores: Array, role: int, points: int, crib_more: int, wins: Array, after: Array
) -> float:
    """Return the chance to win after a deal in which ``points`` replace the role's hand."""
    size = 0
    while deal[size] >= 0:
        size += 1
    after[:] = scores
    for at in range(size):
        who = deal[at] // 32
        earned = deal[at] % 32
        if at == size - 1:
            earned = max(0, earned + crib_more)
        elif who == role and at >= size - 4:
            earned = max(0, points)
        after[who] += earned
        if after[who] >= TARGET:
            return 1.0 if who == role else 0.0
    return chance_of(wins, after[1], after[2], after[0], (role + 2) % 3)
