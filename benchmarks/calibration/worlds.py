"""Kernels of the experiment: a pool of hands that a style has thrown from, and the play of a deal.

`line` is start, number of cards played, count, turn and the role that said go, as in
`games.analysis.kernels.search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.styles import card_of, throw_of
from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.discard import split
from games.analysis.kernels.play import LIMIT, next_leader, next_turn, pips_of, play_points
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.selfplay import deal_cards

Array = NDArray[Any]

TARGET = 121


@compiled
def fill_pool(
    style: int,
    dealer: int,
    five: Array,
    cribs: Array,
    throws: Array,
    pegs: Array,
    rng: Array,
    pool: Array,
    masks: Array,
    seeds: Array,
) -> None:
    """Write random hands: ``pool[i]`` is four cards kept and two thrown, ``masks[i]`` their set."""
    pack = np.arange(52)
    for at in range(pool.shape[0]):
        deal_cards(pack, 6, rng)
        cards = np.sort(pack[:6])
        seeds[at] = int(next_random(rng) * 2.0**62)
        number = throw_of(style, cards, dealer, seeds[at], five, cribs, throws, pegs)
        split(cards, number, pool[at, :4], pool[at, 4:])
        mask = 0
        for place in range(6):
            mask |= 1 << cards[place]
        masks[at] = mask


@compiled
def count_ranks(cards: Array, starter: int, out: Array) -> None:
    """Write how often each rank occurs in some cards and the starter (-1: none)."""
    out[:] = 0
    for at in range(cards.shape[0]):
        out[cards[at] >> 2] += 1
    if starter >= 0:
        out[starter >> 2] += 1


@compiled
def play_on(
    style: int,
    hands: Array,
    sizes: Array,
    known: Array,
    past: Array,
    who: Array,
    line: Array,
    forced: int,
    scores: Array,
    seeds: Array,
    policy: Array,
    replay: int,
) -> int:
    """Play from ``line`` to the end; return the winner or -1.

    The first card is ``forced`` (-1: none). Changes hands, sizes, scores, past and who.

    With ``replay`` at least 0, it only checks that the first so many cards are those that the style
    of role ``1 - forced`` would play, and that it is then the turn of role ``forced``: it returns
    -1 or, if not, -2.
    """
    start, n, count, turn, passed = line
    while turn >= 0:
        checked = replay >= 0 and n < replay
        if replay >= 0 and n >= replay:
            return -1 if turn == forced else -2
        if checked and turn != who[n]:
            return -2
        if checked and turn == forced:
            rank = past[n]
        elif replay < 0 and forced >= 0:
            rank = forced
            forced = -1
        else:
            rank = card_of(
                style,
                hands,
                sizes,
                known,
                past,
                who,
                start,
                n,
                count,
                turn,
                passed,
                seeds[turn],
                policy,
            )
            if checked and rank != past[n]:
                return -2
        points = 0 if checked else play_points(past, start, n, rank, count)
        count += pips_of(rank)
        hands[turn, rank] -= 1
        sizes[turn] -= 1
        past[n] = rank
        who[n] = turn
        n += 1
        following = next_turn(hands, turn, count)
        if following < 0 and count != LIMIT:
            points += 1
        if not checked:
            scores[turn] += points
            if scores[turn] >= TARGET:
                return int(turn)
        if following < 0:
            following = next_leader(hands, turn)
            start = n
            count = 0
            passed = -1
        elif following == turn and sizes[1 - turn] > 0:
            passed = 1 - turn
        turn = following
    return -2 if replay >= 0 else -1


@compiled
def play_one(
    hands: Array, sizes: Array, past: Array, who: Array, line: Array, scores: Array, rank: int
) -> int:
    """Play a card and bring ``line`` up to date; return the winner or -1."""
    start, n, count, turn, _ = line
    points = play_points(past, start, n, rank, count)
    count += pips_of(rank)
    hands[turn, rank] -= 1
    sizes[turn] -= 1
    past[n] = rank
    who[n] = turn
    following = next_turn(hands, turn, count)
    if following < 0 and count != LIMIT:
        points += 1
    scores[turn] += points
    line[1] = n + 1
    line[2] = count
    if following < 0:
        following = next_leader(hands, turn)
        line[0] = n + 1
        line[2] = 0
        line[4] = -1
    elif following == turn and sizes[1 - turn] > 0:
        line[4] = 1 - turn
    line[3] = following
    return int(turn) if scores[turn] >= TARGET else -1
