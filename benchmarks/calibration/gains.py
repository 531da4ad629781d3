"""Kernels of the experiment: what one choice gains over another, averaged over hidden hands.

A *world* is what the player to move can't see: the other's six cards, of which its style keeps four
(and the starter, for throws). Worlds come from a *pool* of random hands that the style has thrown
from. Those that share no card with the player, and from which the style would have played just the
cards seen, are draws from the true distribution, as is the real world. So the average over all of
them has the expectation of the real world's gain alone, and a fraction of its variance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.worlds import TARGET, count_ranks, play_on
from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.policy import mix, next_random
from games.analysis.kernels.show import count_cards

Array = NDArray[Any]

NONE: Any = np.int64(-1)
"""No card and no replay; Numba would compile `play_on` once more for a written -1."""


@compiled
def chance_after(
    scores: Array,
    winner: int,
    me: int,
    kept: Array,
    thrown: Array,
    starter: int,
    five: Array,
    chances: Array,
) -> float:
    """Return role ``me``'s chance to win after the play: counts pone, the dealer, the crib.

    ``kept[role]`` and ``thrown[role]`` are cards; ``chances[dealer, pone]`` is before a deal.
    """
    if winner >= 0:
        return 1.0 if winner == me else 0.0
    pone = scores[0] + count_cards(five, kept[0], starter, False)
    if pone >= TARGET:
        return 1.0 if me == 0 else 0.0
    crib = np.empty(4, dtype=np.int64)
    crib[:2] = thrown[0]
    crib[2:] = thrown[1]
    dealer = scores[1] + count_cards(five, kept[1], starter, False)
    dealer += count_cards(five, crib, starter, True)
    if dealer >= TARGET:
        return 1.0 if me == 1 else 0.0
    won = chances[pone, dealer]
    return float(won if me == 0 else 1.0 - won)


@compiled
def gain_of_card(
    style: int,
    me: int,
    mine: Array,
    theirs: Array,
    starter: int,
    past: Array,
    who: Array,
    line: Array,
    better: int,
    own: int,
    scores: Array,
    deal_seeds: Array,
    pool: Array,
    masks: Array,
    pool_seeds: Array,
    first: int,
    most: int,
    looks: int,
    five: Array,
    chances: Array,
    policy: Array,
    out: Array,
) -> int:
    """Write what playing ``better`` instead of ``own`` gains; return the number of worlds.

    ``mine`` and ``theirs`` are four cards kept and two thrown; all that follows is played by the
    style. ``out`` gets points and chance to win: of the real world, then averages. At most ``most``
    worlds are taken from ``looks`` hands of the pool, from number ``first``.
    """
    kept = np.empty((2, 4), dtype=np.int64)
    thrown = np.empty((2, 2), dtype=np.int64)
    known = np.zeros((2, 13), dtype=np.int64)
    full = np.zeros((2, 13), dtype=np.int64)
    hands = np.zeros((2, 13), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    seeds = deal_seeds.copy()
    mask = 1 << starter
    for at in range(6):
        mask |= 1 << mine[at]
    kept[me] = mine[:4]
    thrown[me] = mine[4:]
    count_ranks(mine[:4], -1, full[me])
    count_ranks(mine, starter, known[me])
    n = line[1]
    begin = np.array([0, 0, 0, 0, -1])
    played = past.copy()
    by = who.copy()
    won = scores.copy()
    out[:] = 0.0
    found = 0
    for look in range(-1, looks):
        if look < 0:
            cards = theirs
        else:
            at = (first + look) % pool.shape[0]
            if masks[at] & mask:
                continue
            cards = pool[at]
            seeds[1 - me] = pool_seeds[at]
            seeds[me] = mix(pool_seeds[at], 1)
        count_ranks(cards[:4], -1, full[1 - me])
        fits = True
        hands[:] = full
        for at in range(n):
            hands[who[at], past[at]] -= 1
            if hands[who[at], past[at]] < 0:
                fits = False
        if not fits:
            continue
        count_ranks(cards, starter, known[1 - me])
        if look >= 0:
            hands[:] = full
            sizes[:] = 4
            played[:] = past
            by[:] = who
            if (
                play_on(style, hands, sizes, known, played, by, begin, me, won, seeds, policy, n)
                != -1
            ):
                continue
        kept[1 - me] = cards[:4]
        thrown[1 - me] = cards[4:]
        points = 0.0
        chance = 0.0
        for choice in range(2):
            hands[:] = full
            for at in range(n):
                hands[who[at], past[at]] -= 1
            sizes[0] = hands[0].sum()
            sizes[1] = hands[1].sum()
            played[:] = past
            by[:] = who
            won[:] = scores
            rank = better if choice == 0 else own
            winner = play_on(
                style, hands, sizes, known, played, by, line, rank, won, seeds, policy, NONE
            )
            sign = 1.0 if choice == 0 else -1.0
            points += sign * (won[me] - won[1 - me])
            chance += sign * chance_after(won, winner, me, kept, thrown, starter, five, chances)
        if look < 0:
            out[0] = points
            out[1] = chance
        out[2] += points
        out[3] += chance
        found += 1
        if found > most:
            break
    out[2:] /= found
    return found


@compiled
def gain_of_throw(
    style: int,
    me: int,
    better: Array,
    own: Array,
    theirs: Array,
    starter: int,
    scores: Array,
    deal_seeds: Array,
    pool: Array,
    masks: Array,
    pool_seeds: Array,
    first: int,
    most: int,
    cuts: int,
    rng: Array,
    five: Array,
    chances: Array,
    policy: Array,
    out: Array,
) -> int:
    """Write what throwing by ``better`` instead of ``own`` gains; return the number of worlds.

    Both are four cards kept, then two thrown. ``out`` is as in `gain_of_card`. In each world the
    points of hand and crib are averaged over all starters, the rest over ``cuts`` of them.
    """
    mask = 0
    for at in range(6):
        mask |= 1 << own[at]
    seeds = deal_seeds.copy()
    out[:] = 0.0
    found = 0
    look = -1
    result = np.zeros(2)
    while found <= most and look < pool.shape[0]:
        if look < 0:
            cards = theirs
        else:
            at = (first + look) % pool.shape[0]
            if masks[at] & mask:
                look += 1
                continue
            cards = pool[at]
            seeds[1 - me] = pool_seeds[at]
            seeds[me] = mix(pool_seeds[at], 1)
        look += 1
        taken = mask
        for at in range(6):
            taken |= 1 << cards[at]
        if found == 0:
            _throw_with(
                style, me, better, own, cards, starter, scores, seeds, five, chances, policy, result
            )
            out[0] = result[0]
            out[1] = result[1]
            out[0] += _shown(better, own, cards, me, starter, five)
        points = 0.0
        number = 0
        for cut in range(52):
            if not taken >> cut & 1:
                points += _shown(better, own, cards, me, cut, five)
                number += 1
        points /= number
        chance = 0.0
        for again in range(cuts):
            cut = starter
            if found > 0 or again > 0:
                cut = int(next_random(rng) * 52)
                while taken >> cut & 1:
                    cut = int(next_random(rng) * 52)
            _throw_with(
                style, me, better, own, cards, cut, scores, seeds, five, chances, policy, result
            )
            points += result[0] / cuts
            chance += result[1] / cuts
        out[2] += points
        out[3] += chance
        found += 1
    out[2:] /= found
    return found


@compiled
def _shown(better: Array, own: Array, cards: Array, me: int, starter: int, five: Array) -> float:
    """Return the points that a throw gains over another in hand and crib."""
    crib = np.empty(4, dtype=np.int64)
    sign = 1.0 if me == 1 else -1.0
    crib[2:] = cards[4:]
    crib[:2] = better[4:]
    points = count_cards(five, better[:4], starter, False) - count_cards(
        five, own[:4], starter, False
    )
    crib_points = count_cards(five, crib, starter, True)
    crib[:2] = own[4:]
    crib_points -= count_cards(five, crib, starter, True)
    return float(points + sign * crib_points)


@compiled
def _throw_with(
    style: int,
    me: int,
    better: Array,
    own: Array,
    cards: Array,
    starter: int,
    scores: Array,
    seeds: Array,
    five: Array,
    chances: Array,
    policy: Array,
    result: Array,
) -> None:
    """Write what a throw gains over another with all cards known: points in the play, and chance.

    The play is followed to its end for the points, and to the end of the game for the chance.
    """
    hands = np.zeros((2, 13), dtype=np.int64)
    known = np.zeros((2, 13), dtype=np.int64)
    kept = np.empty((2, 4), dtype=np.int64)
    thrown = np.empty((2, 2), dtype=np.int64)
    begin = np.array([0, 0, 0, 0, -1])
    past = np.zeros(9, dtype=np.int64)
    who = np.zeros(9, dtype=np.int64)
    won = np.zeros(2, dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    kept[1 - me] = cards[:4]
    thrown[1 - me] = cards[4:]
    count_ranks(cards, starter, known[1 - me])
    count_ranks(own, starter, known[me])
    result[:] = 0.0
    for choice in range(2):
        throw = better if choice == 0 else own
        sign = 1.0 if choice == 0 else -1.0
        kept[me] = throw[:4]
        thrown[me] = throw[4:]
        for even in range(2):
            count_ranks(kept[0], -1, hands[0])
            count_ranks(kept[1], -1, hands[1])
            sizes[:] = 4
            won[:] = 0
            winner = -1
            if even == 0:
                won[:] = scores
                if starter >> 2 == 10:
                    won[1] += 2
                    if won[1] >= TARGET:
                        winner = 1
            if winner < 0:
                winner = play_on(
                    style, hands, sizes, known, past, who, begin, NONE, won, seeds, policy, NONE
                )
            if even == 1:
                result[0] += sign * (won[me] - won[1 - me])
            else:
                result[1] += sign * chance_after(
                    won, winner, me, kept, thrown, starter, five, chances
                )
