"""Kernels for the chance to win with two seats: dynamic programming over measured deals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled

Array = NDArray[Any]

TARGET = 121


@compiled
def solve(deals: Array, least: int, out: Array) -> None:
    """Write the dealer's chance to win before a deal, for all pairs of scores.

    `deals` has the format of `play_deals`: scores in order, since near the end the seat that counts
    first wins. The shape of `out[dealer, pone]` is (121, 121). A game to 61 is a game to 121 that
    starts at 60. Only pairs whose sum is at least ``least`` are filled.
    """
    for total in range(2 * TARGET - 2, least - 1, -1):
        for dealer in range(max(0, total - TARGET + 1), min(TARGET - 1, total) + 1):
            out[dealer, total - dealer] = _chance_at(deals, dealer, total - dealer, out)


@compiled
def _chance_at(deals: Array, dealer: int, pone: int, out: Array) -> float:
    won = 0.0
    for index in range(deals.shape[0]):
        theirs = pone
        mine = dealer
        at = 0
        while True:
            score = deals[index, at]
            if score < 0:
                won += 1.0 - out[theirs, mine]
                break
            if score >= 32:
                mine += score - 32
                if mine >= TARGET:
                    won += 1.0
                    break
            else:
                theirs += score
                if theirs >= TARGET:
                    break
            at += 1
    return float(won / deals.shape[0])


@compiled
def before_crib(chances: Array, cribs: Array, out: Array) -> None:
    """Write the dealer's chance to win with only the crib left to count.

    `cribs[points]` is the distribution of a crib; the shape of `out[pone, dealer]` is (121, 121).
    """
    for pone in range(TARGET):
        for dealer in range(TARGET):
            won = 0.0
            for points in range(cribs.shape[0]):
                after = dealer + points
                won += cribs[points] * (1.0 if after >= TARGET else 1.0 - chances[pone, after])
            out[pone, dealer] = won


PEGS = 24
"""Number of classes of points in the play: 0 to 23; higher numbers count as 23."""


@compiled
def tilt(base: Array, mean: float, out: Array) -> None:
    """Write ``base``, a distribution of points, exponentially tilted to have the mean ``mean``."""
    low = -3.0
    high = 3.0
    for _ in range(40):
        middle = (low + high) / 2
        total = 0.0
        first = 0.0
        for points in range(base.shape[0]):
            out[points] = base[points] * np.exp(middle * points)
            total += out[points]
            first += points * out[points]
        if first < mean * total:
            low = middle
        else:
            high = middle
    out /= out.sum()


@compiled
def add_spreads(one: Array, other: Array, out: Array) -> None:
    """Write the distribution of the sum of two independent numbers of points."""
    out[:] = 0.0
    for a in range(one.shape[0]):
        if one[a] > 0.0:
            for b in range(other.shape[0]):
                out[a + b] += one[a] * other[b]


@compiled
def _after_pone(score: int, dealer: int, show: Array, chances: Array) -> float:
    """Return the dealer's chance to win before they count, with pone at ``score``.

    `show` is the distribution of the dealer's hand and crib together.
    """
    won = 0.0
    for points in range(show.shape[0]):
        if show[points] > 0.0:
            after = dealer + points
            won += show[points] * (1.0 if after >= TARGET else 1.0 - chances[score, after])
    return won


@compiled
def deal_value(
    pone: int,
    dealer: int,
    pone_pegs: Array,
    dealer_pegs: Array,
    pone_hand: Array,
    dealer_show: Array,
    chances: Array,
) -> float:
    """Return the dealer's chance to win before the starter is cut.

    The distributions are each seat's pegging, pone's hand, and the dealer's hand and crib together.
    They are treated as independent; if both could win in the play, each is first half the time.
    """
    sums = np.zeros(PEGS + 30)
    out_first = 0.0
    for pegs in range(PEGS):
        if pone + pegs >= TARGET:
            out_first += pone_pegs[pegs]
            continue
        for points in range(30):
            sums[pegs + points] += pone_pegs[pegs] * pone_hand[points]
    total = 0.0
    for pegs in range(PEGS):
        share = dealer_pegs[pegs]
        if share <= 0.0:
            continue
        if dealer + pegs >= TARGET:
            total += share * (1.0 - 0.5 * out_first)
            continue
        value = 0.0
        for points in range(PEGS + 30):
            if sums[points] > 0.0 and pone + points < TARGET:
                value += sums[points] * _after_pone(
                    pone + points, dealer + pegs, dealer_show, chances
                )
        total += share * value
    return total


@compiled
def win_throws(
    scores: Array,
    dealer: int,
    jacks: float,
    hands: Array,
    cribs: Array,
    averages: Array,
    pegs: Array,
    shows: Array,
    chances: Array,
    out: Array,
) -> None:
    """Write the chance to win of each discard.

    `scores` are those of pone and dealer; `dealer` is 1 if the discard is the dealer's; `jacks` is
    the chance of heels. `hands`, `cribs` and `averages` have the format of `value_throws`;
    `pegs[role]` and `shows[role]` are the usual distributions of points in the play and of a hand.
    """
    own = np.zeros(PEGS)
    theirs = np.zeros(PEGS)
    heels = np.zeros(PEGS)
    show = np.zeros(60)
    hand = np.zeros(30)
    for throw in range(hands.shape[0]):
        hand[:] = hands[throw]
        hand /= hand.sum()
        tilt(pegs[dealer], averages[throw, 2], own)
        tilt(pegs[1 - dealer], averages[throw, 3], theirs)
        dealer_pegs = own if dealer == 1 else theirs
        heels[:] = (1.0 - jacks) * dealer_pegs
        for points in range(2, PEGS):
            heels[points] += jacks * dealer_pegs[points - 2]
        if dealer == 1:
            add_spreads(hand, cribs[throw], show[:59])
            won = deal_value(scores[0], scores[1], theirs, heels, shows[0], show, chances)
            out[throw] = won
        else:
            add_spreads(shows[1], cribs[throw], show[:59])
            won = deal_value(scores[0], scores[1], own, heels, hand, show, chances)
            out[throw] = 1.0 - won
