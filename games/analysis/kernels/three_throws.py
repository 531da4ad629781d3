"""Kernels for the discard with three seats: whole deals are played for each candidate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis.kernels.compiled import compiled
from games.analysis.kernels.policy import next_random
from games.analysis.kernels.show import JACK, count_cards
from games.analysis.kernels.three_search import TARGET, value_of
from games.analysis.kernels.three_styles import play_out_styles, usual_throw

Array = NDArray[Any]

HIDDEN = 47
"""Cards that a player does not hold at the discard."""


@compiled
def keep_counts(five: Array, hands: Array, cribs: Array, each: int, rng: Array, out: Array) -> None:
    """Write in how many of ``each`` deals the usual discard keeps each of ``hands`` (four ranks).

    The suits and the fifth card are random. `out[dealer, hand]` counts those in which a card of the
    fifth's rank is thrown; `dealer` is 1 for the dealer.
    """
    cards = np.empty(5, dtype=np.int64)
    hidden = np.empty(52, dtype=np.int64)
    for dealer in range(2):
        for hand in range(hands.shape[0]):
            made = 0
            while made < each:
                hidden[:] = 1
                for at in range(4):
                    cards[at] = 4 * hands[hand, at] + int(next_random(rng) * 4)
                    hidden[cards[at]] = 0
                cards[4] = int(next_random(rng) * 52)
                hidden[cards[4]] = 0
                if hidden.sum() != HIDDEN:
                    continue
                made += 1
                rank = cards[4] >> 2
                cards.sort()
                throw = usual_throw(five, cards, hidden, 2 * dealer, cribs)
                out[dealer, hand] += cards[throw] >> 2 == rank


@compiled
def _draw_style(styles: Array, trust: Array, rng: Array) -> int:
    """Return a random style's number, each as likely as ``trust`` says."""
    spot = next_random(rng) * trust.sum()
    style = 0
    while style < styles.shape[0] - 1 and spot >= trust[style]:
        spot -= trust[style]
        style += 1
    return int(styles[style, 0])


@compiled
def _deal(
    five: Array,
    hidden: Array,
    starter: int,
    role: int,
    cribs: Array,
    rng: Array,
    kept: Array,
    crib: Array,
) -> None:
    """Deal the hidden cards but the starter to the other roles, who discard as usual.

    Writes `kept[other]`, and to `crib` the discard of each other role and the card from the pack.
    """
    pool = np.empty(HIDDEN, dtype=np.int64)
    size = 0
    for at in range(HIDDEN):
        if hidden[at] != starter:
            pool[size] = hidden[at]
            size += 1
    for at in range(11):
        other = at + int(next_random(rng) * (size - at))
        pool[at], pool[other] = pool[other], pool[at]
    cards = np.empty(5, dtype=np.int64)
    unseen = np.empty(52, dtype=np.int64)
    place = 0
    for other in range(3):
        if other == role:
            continue
        cards[:] = pool[place : place + 5]
        place += 5
        cards.sort()
        throw = usual_throw(five, cards, unseen, other, cribs)
        crib[other] = cards[throw]
        at = 0
        for index in range(5):
            if index != throw:
                kept[other, at] = cards[index]
                at += 1
    crib[3] = pool[place]


@compiled
def rate_throws(
    five: Array,
    cards: Array,
    role: int,
    scores: Array,
    throws: Array,
    cribs: Array,
    styles: Array,
    trust: Array,
    wins: Array,
    deals: int,
    rng: Array,
    out: Array,
) -> None:
    """Write the chance to win of each of ``throws`` (places of the five sorted cards) to ``out``.

    The hidden cards are dealt ``deals`` times, with each of them as the starter in turn; the other
    roles discard as `usual_throw` does and play in styles drawn from `trust[role, style]`, the
    player by rules of thumb. All candidates meet the same deals.
    """
    hidden = np.empty(HIDDEN, dtype=np.int64)
    size = 0
    for card in range(52):
        held = False
        for at in range(5):
            held = held or cards[at] == card
        if not held:
            hidden[size] = card
            size += 1
    kept = np.zeros((3, 4), dtype=np.int64)
    crib = np.zeros(4, dtype=np.int64)
    manner = np.zeros(3, dtype=np.int64)
    hands = np.zeros((3, 13), dtype=np.int64)
    past = np.zeros(14, dtype=np.int64)
    shows = np.zeros(3, dtype=np.int64)
    before = np.zeros(3, dtype=np.int64)
    after = np.zeros(3, dtype=np.int64)
    log = np.zeros((24, 2), dtype=np.int64)
    out[:] = 0.0
    for deal in range(deals):
        starter = hidden[deal % HIDDEN]
        _deal(five, hidden, starter, role, cribs, rng, kept, crib)
        before[:] = scores
        if starter >> 2 == JACK:
            before[2] += 2
        for other in range(3):
            manner[other] = 0
            if other != role:
                manner[other] = _draw_style(styles, trust[other], rng)
                shows[other] = count_cards(five, kept[other], starter, False)
        for choice in range(throws.shape[0]):
            if before[2] >= TARGET:
                out[choice] += 1.0 if role == 2 else 0.0
                continue
            at = 0
            for index in range(5):
                if index != throws[choice]:
                    kept[role, at] = cards[index]
                    at += 1
            crib[role] = cards[throws[choice]]
            shows[role] = count_cards(five, kept[role], starter, False)
            hands[:] = 0
            for other in range(3):
                for index in range(4):
                    hands[other, kept[other, index] >> 2] += 1
            scored = play_out_styles(hands, past, 0, 0, 0, 0, -1, starter >> 2, manner, log)
            found = count_cards(five, crib, starter, True)
            out[choice] += value_of(log, scored, before, shows, found, wins, role, after)[1]
    out /= deals
