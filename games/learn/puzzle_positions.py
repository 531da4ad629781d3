"""Positions of rated puzzles: what is asked, as one line of text, and the view to answer it from.

The solver always has seat 0. The three forms, with the scores at the start of the hand (the
solver's first) and ``d`` or ``p`` for the solver as dealer or pone::

    d 45-60 5H6H7C8C4DJS                                        which two cards to throw
    p 45-60 5H6H7C8C 4DJS 2C3DTSKH JDQD 9H 6HTS                 which card to play
    hand 5H6H7C8C 4S                                            what the cards score (or "crib")

A play lists the solver's kept cards and throw, the opponent's, the starter and the cards played.
The opponent's hidden cards are there only because the rules need them; no view holds them.
"""

from __future__ import annotations

from games.engine import rules
from games.engine.cards import Card, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.scoring import Breakdown, score_hand
from games.engine.state import Ruleset
from games.engine.view import View, view_for


def view_of(position: str) -> View:
    """Return the solver's view of a position in which cards are thrown or played.

    Raises:
        ValueError: if the text is not such a position.
    """
    role, scores, *words = position.split()
    state = rules.start(_ruleset(role, scores))
    for move in _throw(words) if len(words) == 1 else _play(words):
        state = rules.apply(state, move).state
    return view_for(state, 0)


def cards_of(position: str) -> tuple[tuple[Card, ...], Card]:
    """Return the four cards and the starter of a position that is counted."""
    _kind, hand, starter = position.split()
    return parse_cards(hand), parse_cards(starter)[0]


def is_counted(position: str) -> bool:
    """Whether a position asks what the cards score."""
    return position.startswith(("hand ", "crib "))


def breakdown(position: str) -> Breakdown:
    """Return what the cards of a position that is counted score."""
    hand, starter = cards_of(position)
    return score_hand(hand, starter, is_crib=position.startswith("crib "))


def _ruleset(role: str, scores: str) -> Ruleset:
    own, other = scores.split("-")
    return Ruleset(first_dealer=0 if role == "d" else 1, scores=(int(own), int(other)))


def _throw(words: list[str]) -> list[Move]:
    cards = parse_cards(words[0])
    return [Deal((cards, _others(cards)))]


def _others(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return six cards for the opponent, who has not done anything with theirs yet."""
    return tuple(card for card in range(52) if card not in cards)[:6]


def _play(words: list[str]) -> list[Move]:
    kept, thrown, theirs, their_throw, starter = map(parse_cards, words[:5])
    played = parse_cards(words[5]) if len(words) > 5 else ()
    return [
        Deal((kept + thrown, theirs + their_throw)),
        Discard(0, thrown),
        Discard(1, their_throw),
        Starter(starter[0]),
        *(Play(0 if card in kept else 1, card) for card in played),
    ]
