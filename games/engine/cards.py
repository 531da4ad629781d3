"""Cards as small integers, with names.

A `Card` is an int from 0 to 51: ``4 * rank + suit``. Ranks run from 0 (ace, only ever low) to 12
(king), suits are 0 clubs, 1 diamonds, 2 hearts, 3 spades. A card's name is its rank, then its
suit, as in ``5H`` or ``TD``.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.faults import EngineError

Card = int

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SUIT_SIGNS = {"C": "♣♧", "D": "♦♢", "H": "♥♡", "S": "♠♤"}
PACK: tuple[Card, ...] = tuple(range(52))
JACK = 10
"""The rank of a jack."""

RANK: tuple[int, ...] = tuple(card >> 2 for card in PACK)
SUIT: tuple[int, ...] = tuple(card & 3 for card in PACK)
PIPS: tuple[int, ...] = tuple(min(rank + 1, 10) for rank in RANK)
NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)

_BY_NAME: dict[str, Card] = {name: card for card, name in enumerate(NAMES)}


class CardError(EngineError, ValueError):
    """Text that is not a card name; ``found`` quotes it."""


def rank(card: Card) -> int:
    """Return the rank, 0 (ace) to 12 (king)."""
    return RANK[card]


def suit(card: Card) -> int:
    """Return the suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return SUIT[card]


def pips(card: Card) -> int:
    """Return the counting value: ace 1, two to nine their face value, ten to king 10."""
    return PIPS[card]


def card_name(card: Card) -> str:
    """Return the name of a card, such as ``5H``."""
    return NAMES[card]


def parse_card(text: str) -> Card:
    """Return the card named by ``text``; case is ignored and ``10H`` means ``TH``.

    Raises:
        CardError: if ``text`` is not a card name.
    """
    name = text.upper()
    if name.startswith("10"):
        name = "T" + name[2:]
    card = _BY_NAME.get(name)
    if card is None:
        shown = text if len(text) <= 20 else text[:20] + "..."
        raise CardError("no_card", found=repr(shown))
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards named in ``text``, with or without spaces: ``5HTD`` or ``5H TD``.

    Raises:
        CardError: if any part is not a card name.
    """
    cards: list[Card] = []
    for word in text.split():
        if len(word) == 3 and word.startswith("10"):
            cards.append(parse_card(word))
            continue
        cards.extend(parse_card(word[at : at + 2]) for at in range(0, len(word), 2))
    return tuple(cards)


def card_names(cards: Iterable[Card]) -> str:
    """Return the names joined without spaces, such as ``5HTD``; `parse_cards` is the inverse."""
    return "".join(NAMES[card] for card in cards)
