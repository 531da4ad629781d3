"""Luck and skill: how the chance to win moved, and what moved it. Games of two seats.

Every step of a game is valued by the same measure: the chance of seat 0 to win if both go on as
the fast house player does, all cards known to whoever values. A deal, a starter, a throw and a
card each move it, and what they moved adds up, without rest, to the way from the chance before the
first deal to the result. A decision is thus judged by how it fares against the cards that the
other really holds; over many games that evens out. Whole matches, and three seats:
`games.analysis.review_luck`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from games.analysis import discards, plays, winning
from games.engine import rules
from games.engine.cards import RANK, Card
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.scoring import count_hand
from games.engine.state import Hand, Ruleset, State

Kind = Literal["deal", "starter", "discard", "play"]
JACK = 10
FULL = 121


@dataclass(frozen=True, slots=True)
class Shift:
    """One step: the ``number``-th move of the log, its kind, who made it (None: chance).

    `before` and `after` are seat 0's chances to win the game.
    """

    number: int
    kind: Kind
    seat: int | None
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Account:
    """A game's way from the first chance to the result, for seat 0.

    `start` and `end` are chances of seat 0; `deals` and `starters` luck, `decisions[seat]` skill:
    ``start + deals + starters + sum(decisions) == end``.
    """

    start: float
    end: float
    deals: float
    starters: float
    decisions: tuple[float, float]
    shifts: tuple[Shift, ...]


def luck_and_skill(ruleset: Ruleset, moves: Iterable[Move]) -> Account:
    """Return how each step of the first game of a log moved the chance to win.

    Raises:
        ValueError: for other than two seats, or if there is no deal.
        IllegalMove: if the log cannot be replayed.
    """
    if ruleset.players != 2:
        raise ValueError(f"luck and skill are told for two seats, not {ruleset.players}")
    shifts: list[Shift] = []
    state = rules.start(ruleset)
    current = None
    for number, move in enumerate(moves, start=1):
        dealer = state.dealer
        if current is None and isinstance(move, Deal) and dealer is not None:
            current = _before_deal(state)
        was = state
        state = rules.apply(state, move).state
        if current is None:
            continue
        kind = _kind(move)
        if kind is not None:
            after = open_value(state, was)
            seat = getattr(move, "seat", None)
            shifts.append(Shift(number, kind, seat, current, after))
            current = after
        if state.results:
            break
    if current is None:
        raise ValueError("the log has no deal")
    return _account(shifts)


def _account(shifts: list[Shift]) -> Account:
    moved = {"deal": 0.0, "starter": 0.0}
    skill = [0.0, 0.0]
    for shift in shifts:
        if shift.seat is None:
            moved[shift.kind] += shift.after - shift.before
        else:
            skill[shift.seat] += shift.after - shift.before
    return Account(
        shifts[0].before,
        shifts[-1].after,
        moved["deal"],
        moved["starter"],
        (skill[0], skill[1]),
        tuple(shifts),
    )


def _kind(move: Move) -> Kind | None:
    match move:
        case Deal():
            return "deal"
        case Starter():
            return "starter"
        case Discard():
            return "discard"
        case Play():
            return "play"
        case _:
            return None


def full_scores(state: State) -> tuple[int, int]:
    """Return both scores as in a game to 121."""
    ahead = FULL - state.ruleset.target
    return state.scores[0] + ahead, state.scores[1] + ahead


def _before_deal(state: State) -> float:
    target = state.ruleset.target
    return winning.win_probability(state.scores, state.dealer or 0, target=target)[0]


def open_value(state: State, was: State) -> float:
    """Return seat 0's chance to win its game in ``state``, which came from ``was``; open cards."""
    if len(state.results) > len(was.results):
        return 1.0 if state.results[-1].winner == 0 else 0.0
    if state.hand is None or not state.hand.held[0] + state.hand.held[1]:
        hand = state.hand or was.hand
        if hand is None:
            return _before_deal(state)
        return _after_play(state, hand)
    hand = state.hand
    kept, thrown = zip(*(_parted(hand, seat) for seat in (0, 1)), strict=True)
    if hand.starter is None:
        return _before_starter(state, hand, kept, thrown)
    return open_play(state, hand, kept, thrown, hand.starter, full_scores(state))


def _parted(hand: Hand, seat: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return what a seat keeps and throws; before it has thrown, what the house would."""
    if hand.discards[seat]:
        return hand.kept(seat), hand.discards[seat]
    throws = discards.value_throws(hand.dealt[seat], seat == hand.dealer)
    thrown = throws.thrown[int(np.argmax(np.round(throws.totals, 9)))]
    return tuple(card for card in hand.dealt[seat] if card not in thrown), thrown


def _before_starter(
    state: State,
    hand: Hand,
    kept: tuple[tuple[Card, ...], ...],
    thrown: tuple[tuple[Card, ...], ...],
) -> float:
    """Return the mean over every starter."""
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
    """Return seat 0's chance when the play goes on as the strategy plays.

    ``kept`` and ``thrown`` are each seat's cards, ``scores`` those of a game to 121.
    """
    from games.analysis import search_kernel

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
    search_kernel.expect(
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
        1,
        result,
    )
    return float(result[1]) if dealer == 0 else 1.0 - float(result[1])


def _known_crib(points: int) -> NDArray[np.float64]:
    """Return the dealer's chance to win before a crib of known worth: ``[pone, dealer]``."""
    chances = winning.dealer_chances()
    out = np.ones((FULL, FULL))
    out[:, : FULL - points] = 1.0 - chances[:, points:]
    return out


def _after_play(state: State, hand: Hand) -> float:
    """Return seat 0's chance when only the show is left, or has just been counted."""
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
