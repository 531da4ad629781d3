"""Kernels for playing with three seats by a belief about the hidden hands.

Each opponent's possible hands are weighted by the number of ways to hold them, how often they are
kept, and the likelihood of the cards played so far; a go rules out hands that could have played.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.belief import MOST, hidden_hands
from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.play import LIMIT, can_play, pips_of
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.show import rank_index
from games.analysis.kernels.three_search import crib_at, show_points, value_of
from games.analysis.kernels.three_styles import chance_of_card, play_out_styles

Array = NDArray[Any]

TRUSTED = 0.01
"""Minimum probability of a style that is considered."""


@compiled
def likelihood(
    rest: Array,
    left: int,
    past: Array,
    who: Array,
    n: int,
    start: int,
    seat: int,
    me: int,
    starter: int,
    style: int,
    deviation: float,
) -> float:
    """Return the likelihood of a seat's plays if it now holds ``rest``, 0 if a go rules it out.

    It plays in this ``style`` (see `three_styles`), except for a share of ``deviation``.
    """
    hand = np.zeros(13, dtype=np.int64)
    for at in range(left):
        hand[rest[at]] += 1
    sizes = np.zeros(3, dtype=np.int64)
    sizes[:] = 4
    for at in range(n):
        if who[at] == seat:
            hand[past[at]] += 1
    found = 1.0
    first = 0
    count = 0
    for at in range(n):
        turn = who[at]
        if turn == seat:
            found *= chance_of_card(
                style,
                deviation,
                hand,
                past,
                first,
                at,
                count,
                starter,
                sizes[(seat + 1) % 3],
                past[at],
            )
            hand[past[at]] -= 1
        sizes[turn] -= 1
        count += pips_of(past[at])
        if at + 1 < n:
            ended = count == LIMIT or count + pips_of(past[at + 1]) > LIMIT
            following = who[at + 1]
        else:
            ended = start == n
            following = me
        if ended:
            if count != LIMIT and can_play(hand, count):
                return 0.0
            first = at + 1
            count = 0
            continue
        step = 1
        while (turn + step) % 3 != following:
            if (turn + step) % 3 == seat and can_play(hand, count):
                return 0.0
            step += 1
            if step > 3:
                break
    return found


@compiled
def believe(
    unseen: Array,
    left: int,
    past: Array,
    who: Array,
    n: int,
    start: int,
    seat: int,
    me: int,
    starter: int,
    keeps: Array,
    styles: Array,
    trust: Array,
    hands: Array,
    manner: Array,
    weights: Array,
) -> int:
    """Write a seat's possible hands and their weights, which add up to 1; return their number.

    `hands` has four columns, of which the first ``left`` are ranks; `manner` holds the style. A
    hand occurs once for each style that is possible. `weights[1]` holds the numbers of ways alone.
    `keeps[role, hand]` is how likely a role is to keep four ranks; `styles[style]` is its number
    and its share of deviations; `trust[role, style]` is how likely the role has this style.
    """
    possible = np.zeros((MOST, 4), dtype=np.int64)
    ways = np.zeros(MOST)
    number = hidden_hands(unseen, left, possible, ways)
    four = np.empty(4, dtype=np.int64)
    total = 0.0
    kept = 0
    for at in range(number):
        place = 0
        for index in range(left):
            four[place] = possible[at, index]
            place += 1
        for index in range(n):
            if who[index] == seat:
                four[place] = past[index]
                place += 1
        four.sort()
        usual = ways[at] * keeps[seat, rank_index(four[0], four[1], four[2], four[3]) // 13]
        for style in range(styles.shape[0]):
            if trust[seat, style] < TRUSTED:
                continue
            chance = likelihood(
                possible[at],
                left,
                past,
                who,
                n,
                start,
                seat,
                me,
                starter,
                int(styles[style, 0]),
                styles[style, 1],
            )
            if chance > 0.0:
                hands[kept] = possible[at]
                manner[kept] = int(styles[style, 0])
                weights[1, kept] = ways[at]
                weights[0, kept] = usual * trust[seat, style] * chance
                total += weights[0, kept]
                kept += 1
    if total > 0.0:
        weights[0, :kept] /= total
    return kept


@compiled
def ways_left(unseen: Array, taken: Array, taken_size: int, hand: Array, size: int) -> float:
    """Return in how many ways unseen cards make ``hand`` when ``taken`` are gone."""
    number = 1.0
    run = 0
    for at in range(size):
        rank = hand[at]
        run = run + 1 if at > 0 and hand[at - 1] == rank else 1
        there = unseen[rank]
        for index in range(taken_size):
            if taken[index] == rank:
                there -= 1
        number *= max(0, there - run + 1) / run
    return number


@compiled
def draw_worlds(
    unseen: Array,
    sizes: Array,
    past: Array,
    who: Array,
    n: int,
    start: int,
    me: int,
    starter: int,
    keeps: Array,
    styles: Array,
    trust: Array,
    most: int,
    rng: Array,
    worlds: Array,
    manners: Array,
    weights: Array,
) -> int:
    """Write pairs of hidden hands, their styles and weights; return their number.

    `worlds[pair, role, rank]` is a number of cards; the player's own stay 0. `manners[pair, role]`
    is the role's style. All pairs are written if they are at most ``most``, otherwise a sample.
    `styles` and `trust` are as in `believe`.
    """
    one, two = (me + 1) % 3, (me + 2) % 3
    rows = MOST * styles.shape[0]
    hands = np.zeros((2, rows, 4), dtype=np.int64)
    manner = np.zeros((2, rows), dtype=np.int64)
    chances = np.zeros((2, 2, rows))
    first = believe(
        unseen,
        sizes[one],
        past,
        who,
        n,
        start,
        one,
        me,
        starter,
        keeps,
        styles,
        trust,
        hands[0],
        manner[0],
        chances[0],
    )
    second = believe(
        unseen,
        sizes[two],
        past,
        who,
        n,
        start,
        two,
        me,
        starter,
        keeps,
        styles,
        trust,
        hands[1],
        manner[1],
        chances[1],
    )
    if first == 0 or second == 0:
        return 0
    worlds[:] = 0
    found = 0
    if first * second <= most:
        for a in range(first):
            for b in range(second):
                ways = ways_left(unseen, hands[0, a], sizes[one], hands[1, b], sizes[two])
                if ways > 0.0:
                    weights[found] = chances[0, 0, a] * chances[1, 0, b] * ways / chances[1, 1, b]
                    manners[found, one] = manner[0, a]
                    manners[found, two] = manner[1, b]
                    for at in range(sizes[one]):
                        worlds[found, one, hands[0, a, at]] += 1
                    for at in range(sizes[two]):
                        worlds[found, two, hands[1, b, at]] += 1
                    found += 1
        return found
    sums = np.cumsum(chances[0, 0, :first])
    others = np.cumsum(chances[1, 0, :second])
    offset = next_random(rng)
    for sample in range(most):
        # Stratified for the first hand; the second follows the golden ratio.
        spot = (sample + 0.5) / most * sums[-1]
        a = min(first - 1, int(np.searchsorted(sums, spot)))
        for attempt in range(20):
            spot = (
                (offset + 0.6180339887498949 * (sample + 1)) % 1.0
                if attempt == 0
                else next_random(rng)
            )
            b = min(second - 1, int(np.searchsorted(others, spot * others[-1])))
            ways = ways_left(unseen, hands[0, a], sizes[one], hands[1, b], sizes[two])
            if next_random(rng) * chances[1, 1, b] < ways:
                weights[found] = 1.0
                manners[found, one] = manner[0, a]
                manners[found, two] = manner[1, b]
                for at in range(sizes[one]):
                    worlds[found, one, hands[0, a, at]] += 1
                for at in range(sizes[two]):
                    worlds[found, two, hands[1, b, at]] += 1
                found += 1
                break
    return found


@compiled
def rate_believed(
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
    keeps: Array,
    styles: Array,
    trust: Array,
    legal: Array,
    most: int,
    rng: Array,
    out: Array,
) -> bool:
    """Rate each rank of ``legal`` as `rate_plays`, but over at most ``most`` believed worlds.

    The opponents play in the world's styles, the player by rules of thumb; `styles` and `trust` are
    as in `believe`. Returns whether any world fits; if none does, `out` stays as it is.
    """
    worlds = np.zeros((most, 3, 13), dtype=np.int64)
    manners = np.zeros((most, 3), dtype=np.int64)
    weights = np.zeros(most)
    number = draw_worlds(
        unseen,
        sizes,
        past,
        who,
        n,
        start,
        me,
        starter,
        keeps,
        styles,
        trust,
        most,
        rng,
        worlds,
        manners,
        weights,
    )
    if number == 0:
        return False
    trial = np.zeros((3, 13), dtype=np.int64)
    line = past.copy()
    shows = np.zeros(3, dtype=np.int64)
    after = np.zeros(3, dtype=np.int64)
    log = np.zeros((24, 2), dtype=np.int64)
    out[:] = 0.0
    total = 0.0
    for world in range(number):
        worlds[world, me] = mine
        show_points(five, worlds[world], past, who, n, starter, shows)
        shows[me] = show
        crib = crib_at(cribs, (world * 0.7548776662466927) % 1.0)  # spread evenly
        for choice in range(legal.shape[0]):
            trial[:] = worlds[world]
            scored = play_out_styles(
                trial, line, start, n, count, me, legal[choice], starter, manners[world], log
            )
            points, won = value_of(log, scored, scores, shows, crib, wins, me, after)
            out[choice, 0] += weights[world] * points
            out[choice, 1] += weights[world] * won
        total += weights[world]
    out /= total
    return True
