"""Luck and skill with three seats: each seat's chance to win, with all cards known.

The play continues by rules of thumb, which are deterministic, and scores are valued by the
approximate chance to win from `games.analysis.three`.
"""

from __future__ import annotations

import numpy as np

from games.analysis import three
from games.engine.cards import JACK, RANK, Card
from games.engine.scoring import count_hand
from games.engine.state import Hand, State

FULL = 121
Chances = tuple[float, ...]
Cards = tuple[tuple[Card, ...], ...]


def open_value(state: State, previous: State) -> Chances:
    """Return each seat's chance to win; ``previous`` is the state before ``state``."""
    if len(state.results) > len(previous.results):
        return only(state.results[-1].winner)
    hand = state.hand
    if hand is None:
        return three.win_probability(state.scores, state.dealer or 0, state.ruleset.target)
    kept, thrown = zip(*(_kept_and_thrown(hand, seat) for seat in range(3)), strict=True)
    scores = full_scores(state)
    if hand.starter is None:
        return _before_starter(state, hand, kept, thrown)
    return open_play(state, hand, kept, thrown, hand.starter, scores)


def only(winner: int) -> Chances:
    """Return the chances after ``winner`` has won."""
    return tuple(float(seat == winner) for seat in range(3))


def full_scores(state: State) -> tuple[int, ...]:
    """Return the scores, converted to those of a game to 121."""
    return tuple(score + FULL - state.ruleset.target for score in state.scores)


def open_play(
    state: State, hand: Hand, kept: Cards, thrown: Cards, starter: Card, scores: tuple[int, ...]
) -> Chances:
    """Return each seat's chance to win if the play continues by rules of thumb.

    ``kept`` and ``thrown`` are each seat's cards, ``scores`` those of a game to 121.
    """
    now = list(scores)
    for seat, points in _pegged(state, hand, kept):
        now[seat] += points
        if now[seat] >= FULL:
            return only(seat)
    crib = [card for cards in thrown for card in cards]
    if hand.crib_card is not None:
        crib.append(hand.crib_card)
    for seat, item in hand.show_order[hand.counted :]:
        is_crib = item == "crib"
        now[seat] += count_hand(crib if is_crib else kept[seat], starter, is_crib)
        if now[seat] >= FULL:
            return only(seat)
    return three.win_probability(tuple(now), (hand.dealer + 1) % 3)


def _pegged(state: State, hand: Hand, kept: Cards) -> list[tuple[int, int]]:
    """Return the remaining scores of the play in order, as (seat, points)."""
    from games.analysis.kernels import three as three_kernel

    number = len(hand.plays)
    if number == sum(map(len, kept)):
        return []
    hands = np.zeros((3, 13), dtype=np.int64)
    past = np.zeros(14, dtype=np.int64)
    for seat in range(3):
        for card in kept[seat]:
            hands[three.role_of(seat, hand.dealer), RANK[card]] += 1
    for at, (seat, card) in enumerate(hand.plays):
        past[at] = RANK[card]
        hands[three.role_of(seat, hand.dealer), RANK[card]] -= 1
    turn = 0 if state.turn is None else three.role_of(state.turn, hand.dealer)
    log = np.zeros((24, 2), dtype=np.int64)
    scored = three_kernel.play_out_three(
        hands, past, number - len(state.pile), number, state.count, turn, -1, log
    )
    return [((hand.dealer + 1 + int(role)) % 3, int(points)) for role, points in log[:scored]]


def _kept_and_thrown(hand: Hand, seat: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return a seat's kept and discarded cards; before its discard, the house player's choice."""
    if hand.discards[seat]:
        return hand.kept(seat), hand.discards[seat]
    cards = tuple(sorted(hand.dealt[seat]))
    role = three.role_of(seat, hand.dealer)
    averages, _ = three.value_throws(cards, role)
    at = int(np.argmax(np.round(three.totals(averages, role), 9)))
    return cards[:at] + cards[at + 1 :], (cards[at],)


def _before_starter(state: State, hand: Hand, kept: Cards, thrown: Cards) -> Chances:
    """Return the mean over all starters."""
    gone = {card for cards in (*kept, *thrown) for card in cards} | {hand.crib_card}
    total = np.zeros(3)
    starters = [card for card in range(52) if card not in gone]
    for starter in starters:
        scores = list(full_scores(state))
        if RANK[starter] == JACK:
            scores[hand.dealer] += 2
        if scores[hand.dealer] >= FULL:
            total += only(hand.dealer)
        else:
            total += open_play(state, hand, kept, thrown, starter, tuple(scores))
    return tuple(float(chance) for chance in total / len(starters))
