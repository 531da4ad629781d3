"""Hindsight: what a decision would have been worth had all cards been open.

It says nothing about how good a decision was, and no verdict heeds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.analysis import luck, luck_three, review_luck
from games.engine import rules
from games.engine.cards import JACK, RANK, Card
from games.engine.moves import Discard, Move, Play, Starter
from games.engine.pegging import score_play
from games.engine.scoring import count_hand
from games.engine.state import Hand, State

FULL = 121

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What would have been best with all cards open, and its chance to win beside the own one's.

    ``points`` and ``own_points`` are what hand and crib really came to, for a throw.
    """

    cards: Cards
    chance: float
    own_chance: float
    points: int | None = None
    own_points: int | None = None


@dataclass(frozen=True, slots=True)
class Later:
    """What a hand had still to bring: everybody's throws, and the starter if one was cut."""

    thrown: dict[int, Cards]
    starter: Card | None


def later_of(moves: Sequence[Move], sequence: int) -> Later:
    """Return what the hand whose deal is at ``sequence`` has still to bring."""
    thrown: dict[int, Cards] = {}
    for move in moves[sequence + 1 :]:
        if isinstance(move, Discard):
            thrown[move.seat] = move.cards
        else:
            return Later(thrown, move.card if isinstance(move, Starter) else None)
    return Later(thrown, None)


def hindsight(state: State, move: Discard | Play, later: Later) -> Hindsight | None:
    """Return what would have been best with open cards; None for a throw after which none was cut.

    ``later`` is of the hand in progress: `later_of`.
    """
    if isinstance(move, Discard):
        return None if later.starter is None else _throw_in_hindsight(state, move, later)
    own = open_play_chance(state, move.seat, move.card)
    best_card, best = move.card, own
    seen = {RANK[move.card]}
    for card in sorted(rules.legal(state, move.seat).cards):
        if RANK[card] not in seen:
            seen.add(RANK[card])
            chance = open_play_chance(state, move.seat, card)
            if chance > best + 1e-9:
                best_card, best = card, chance
    return Hindsight((best_card,), best, own)


def open_play_chance(state: State, seat: int, card: Card) -> float:
    """Return a seat's chance to win after playing ``card``, all cards known to whoever values."""
    claim = None
    if state.ruleset.counting == "manual":
        pile = (*(other for _, other in state.pile), card)
        claim = sum(part.points for part in score_play(pile))
    after = rules.apply(state, Play(seat, card, claim)).state
    return review_luck.open_chances(after, state)[seat]


def _throw_in_hindsight(state: State, move: Discard, later: Later) -> Hindsight | None:
    hand, starter = state.hand, later.starter
    if hand is None or starter is None or len(later.thrown) < hand.players:
        return None
    own = tuple(sorted(move.cards))
    rated = {
        thrown: _open_throw(state, hand, move.seat, thrown, later.thrown, starter)
        for thrown in _all_throws(hand.dealt[move.seat], len(own))
    }
    best = max(rated, key=lambda thrown: (round(rated[thrown][0], 9), thrown == own, thrown))
    return Hindsight(best, rated[best][0], rated[own][0], rated[best][1], rated[own][1])


def _all_throws(dealt: Cards, number: int) -> list[Cards]:
    cards = tuple(sorted(dealt))
    if number == 1:
        return [(card,) for card in cards]
    return [(low, high) for at, low in enumerate(cards) for high in cards[at + 1 :]]


def _open_throw(
    state: State, hand: Hand, seat: int, own: Cards, others: dict[int, Cards], starter: Card
) -> tuple[float, int]:
    """Return the chance to win, and the points of hand and crib, of a throw with all cards open."""
    thrown = tuple(own if at == seat else others[at] for at in range(hand.players))
    kept = tuple(
        tuple(card for card in hand.dealt[at] if card not in thrown[at])
        for at in range(hand.players)
    )
    crib = [card for cards in thrown for card in cards]
    if hand.crib_card is not None:
        crib.append(hand.crib_card)
    in_crib = count_hand(crib, starter, is_crib=True)
    points = count_hand(kept[seat], starter) + (in_crib if seat == hand.dealer else -in_crib)
    ahead = FULL - state.ruleset.target
    scores = [score + ahead for score in state.scores]
    if RANK[starter] == JACK:
        scores[hand.dealer] += 2
        if scores[hand.dealer] >= FULL:
            return float(seat == hand.dealer), points
    if hand.players == 3:
        return luck_three.open_play(state, hand, kept, thrown, starter, tuple(scores))[seat], points
    won = luck.open_play(state, hand, kept, thrown, starter, (scores[0], scores[1]))
    return (won if seat == 0 else 1.0 - won), points
