"""The chance to win a game with two seats, with all cards known.

It is seat 0's chance if both players continue like the fast house player. A decision is therefore
judged against the cards that the opponent really holds; over many games that evens out.
`games.analysis.review_luck` adds up how much each step of a match changes it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.analysis import discards, plays, winning
from games.engine.cards import RANK, Card
from games.engine.scoring import count_hand
from games.engine.state import Hand, State

JACK = 10
FULL = 121


def full_scores(state: State) -> tuple[int, int]:
    """Return both scores, converted to those of a game to 121."""
    ahead = FULL - state.ruleset.target
    return state.scores[0] + ahead, state.scores[1] + ahead


def _before_deal(state: State) -> float:
    target = state.ruleset.target
    return winning.win_probability(state.scores, state.dealer or 0, target=target)[0]


def open_value(state: State, previous: State) -> float:
    """Return seat 0's chance to win with all cards known; ``previous`` is the state before."""
    if len(state.results) > len(previous.results):
        return 1.0 if state.results[-1].winner == 0 else 0.0
    if state.hand is None or not state.hand.held[0] + state.hand.held[1]:
        hand = state.hand or previous.hand
        if hand is None:
            return _before_deal(state)
        return _after_play(state, hand)
    hand = state.hand
    kept, thrown = zip(*(_kept_and_thrown(hand, seat) for seat in (0, 1)), strict=True)
    if hand.starter is None:
        return _before_starter(state, hand, kept, thrown)
    return open_play(state, hand, kept, thrown, hand.starter, full_scores(state))


def _kept_and_thrown(hand: Hand, seat: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return a seat's kept and discarded cards; before its discard, the house player's choice."""
    if hand.discards[seat]:
        return hand.kept(seat), hand.discards[seat]
    throws = discards.value_throws(hand.dealt[seat], seat == hand.dealer, habits=False)
    thrown = throws.thrown[int(np.argmax(np.round(throws.totals, 9)))]
    return tuple(card for card in hand.dealt[seat] if card not in thrown), thrown


def _before_starter(
    state: State,
    hand: Hand,
    kept: tuple[tuple[Card, ...], ...],
    thrown: tuple[tuple[Card, ...], ...],
) -> float:
    """Return the mean over all starters."""
    gone = {card for cards in (*kept, *thrown) for card in cards}
    values = []
    for starter in range(52):
        if starter in gone:
            continue
        scores = list(full_scores(state))
        if RANK[starter] == JACK:
            scores[hand.dealer] += 2
        if scores[hand.dealer] >= FULL:
            values.append(1.0 if hand.dealer == 0 else 0.0)
        else:
            values.append(open_play(state, hand, kept, thrown, starter, (scores[0], scores[1])))
    return sum(values) / len(values)


def open_play(
    state: State,
    hand: Hand,
    kept: tuple[tuple[Card, ...], ...],
    thrown: tuple[tuple[Card, ...], ...],
    starter: Card,
    scores: tuple[int, int],
) -> float:
    """Return seat 0's chance to win if the play continues with the solved strategy.

    ``kept`` and ``thrown`` are each seat's cards, ``scores`` those of a game to 121.
    """
    from games.analysis.kernels import search

    dealer = hand.dealer
    order = (1 - dealer, dealer)
    hands = np.zeros((2, 13), dtype=np.int64)
    past = np.zeros(9, dtype=np.int64)
    for role, seat in enumerate(order):
        for card in kept[seat]:
            hands[role, RANK[card]] += 1
    for at, (seat, card) in enumerate(hand.plays):
        past[at] = RANK[card]
        hands[order.index(seat), RANK[card]] -= 1
    number = len(hand.plays)
    turn = order.index(state.turn) if hand.plays and state.turn is not None else 0
    passed = order.index(state.gos.index(True)) if any(state.gos) else -1
    line = np.array([number - len(state.pile), number, state.count, turn, passed], dtype=np.int64)
    shows = [count_hand(kept[seat], starter) for seat in order]
    crib = count_hand((*thrown[0], *thrown[1]), starter, is_crib=True)
    result = np.zeros(2)
    search.expect(
        hands,
        hands.sum(axis=1),
        past,
        line,
        -1,
        np.array([scores[seat] for seat in order], dtype=np.int64),
        np.array(shows, dtype=np.int64),
        _known_crib(crib),
        plays.strategy(),
        0.0,
        0.0,
        1,
        result,
    )
    return float(result[1]) if dealer == 0 else 1.0 - float(result[1])


def _known_crib(points: int) -> NDArray[np.float64]:
    """Return the dealer's chance to win before counting a known crib: ``[pone, dealer]``."""
    chances = winning.dealer_chances()
    out = np.ones((FULL, FULL))
    out[:, : FULL - points] = 1.0 - chances[:, points:]
    return out


def _after_play(state: State, hand: Hand) -> float:
    """Return seat 0's chance to win when only the show is left, or has just been counted."""
    if hand.starter is None or state.hand is None:
        return _before_deal(state)
    scores = list(full_scores(state))
    for seat, item in hand.show_order[hand.counted :]:
        scores[seat] += count_hand(hand.item_cards(seat, item), hand.starter, item == "crib")
        if scores[seat] >= FULL:
            return 1.0 if seat == 0 else 0.0
    ahead = FULL - state.ruleset.target
    left = (scores[0] - ahead, scores[1] - ahead)
    return winning.win_probability(left, 1 - hand.dealer, target=state.ruleset.target)[0]
