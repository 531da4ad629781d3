"""Hindsight: the value of a decision with all cards known.

It does not measure the quality of a decision, and verdicts do not use it.
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
    """The best choice with all cards known, its chance to win, and that of the choice made.

    For a discard, ``points`` and ``own_points`` are the actual points of hand and crib.
    """

    cards: Cards
    chance: float
    own_chance: float
    points: int | None = None
    own_points: int | None = None


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The rest of a hand after its deal: all discards, and the starter if one was cut."""

    thrown: dict[int, Cards]
    starter: Card | None


def upcoming_of(moves: Sequence[Move], sequence: int) -> Upcoming:
    """Return the discards and starter of the hand whose deal is at ``sequence``."""
    thrown: dict[int, Cards] = {}
    for move in moves[sequence + 1 :]:
        if isinstance(move, Discard):
            thrown[move.seat] = move.cards
        else:
            return Upcoming(thrown, move.card if isinstance(move, Starter) else None)
    return Upcoming(thrown, None)


def hindsight(state: State, move: Discard | Play, upcoming: Upcoming) -> Hindsight | None:
    """Return the best choice with all cards known; None for a discard if no starter was cut.

    ``upcoming`` is the result of `upcoming_of` for the hand in progress.
    """
    if isinstance(move, Discard):
        return None if upcoming.starter is None else _throw_in_hindsight(state, move, upcoming)
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
    """Return a seat's chance to win after playing ``card``, with all cards known."""
    claim = None
    if state.ruleset.counting == "manual":
        pile = (*(other for _, other in state.pile), card)
        claim = sum(part.points for part in score_play(pile))
    after = rules.apply(state, Play(seat, card, claim)).state
    return review_luck.open_chances(after, state)[seat]


def _throw_in_hindsight(state: State, move: Discard, upcoming: Upcoming) -> Hindsight | None:
    hand, starter = state.hand, upcoming.starter
    if hand is None or starter is None or len(upcoming.thrown) < hand.players:
        return None
    own = tuple(sorted(move.cards))
    rated = {
        thrown: _open_throw(state, hand, move.seat, thrown, upcoming.thrown, starter)
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
    """Return a discard's chance to win, and its points of hand and crib, with all cards known."""
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
