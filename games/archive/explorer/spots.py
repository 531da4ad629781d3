"""Numbers for situations and choices of the explorer, with suits and order reduced.

What suits can change about a throw is a flush: cards of a suit of which a hand holds four or more
are marked, all others are ranks alone. A jack counts for nobs with 8 to 12 of the 46 starters
whatever the other suits are, so that it needs no mark. In the play only ranks matter.

A *spot* is one of

- a throw: six marked ranks and the role;
- a lead: four ranks, of pone;
- an answer: four ranks, of the dealer, and the rank that pone led.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from games.engine.cards import RANK, SUIT, Card

CODES = 26
"""Marked ranks: twice the rank, plus one in a suit that can make a flush."""
RANKS = 13
FLUSH = 4
"""Cards of a suit that make a flush in hand."""

LEADS = 2 * CODES**6
"""The first number of a lead; those below are throws."""
ANSWERS = LEADS + RANKS**4
"""The first number of an answer."""
END = ANSWERS + RANKS**5


def codes(cards: Sequence[Card]) -> list[int]:
    """Return the marked rank of each of six cards, in their order."""
    suits = Counter(SUIT[card] for card in cards)
    return [2 * RANK[card] + (suits[SUIT[card]] >= FLUSH) for card in cards]


def throw_spot(cards: Sequence[Card], *, dealer: bool) -> int:
    """Return the number of a throw from six cards, for either role."""
    return 2 * _number(sorted(codes(cards)), CODES) + dealer


def throws(cards: Sequence[Card]) -> dict[int, tuple[Card, ...]]:
    """Return the different throws from six cards: their number, and one pair of cards for each."""
    marked = dict(zip(cards, codes(cards), strict=True))
    found: dict[int, tuple[Card, ...]] = {}
    for pair in combinations(sorted(cards), 2):
        found.setdefault(_number(sorted(marked[card] for card in pair), CODES), pair)
    return found


def throw_choice(cards: Sequence[Card], thrown: Iterable[Card]) -> int:
    """Return the number of one throw from six cards."""
    marked = dict(zip(cards, codes(cards), strict=True))
    return _number(sorted(marked[card] for card in thrown), CODES)


def lead_spot(kept: Sequence[Card]) -> int:
    """Return the number of a lead from four cards; the choice is the rank of the card led."""
    return LEADS + _number(sorted(RANK[card] for card in kept), RANKS)


def answer_spot(kept: Sequence[Card], led: int) -> int:
    """Return the number of an answer from four cards to the lead of a rank."""
    return ANSWERS + RANKS * _number(sorted(RANK[card] for card in kept), RANKS) + led


def cards_of(spot: int) -> tuple[tuple[Card, ...], int | None]:
    """Return cards that are at a spot, and for an answer the rank that was led.

    They are one example: any others with the same ranks and possible flush have the same number.

    Raises:
        ValueError: for a number that is no spot.
    """
    if not 0 <= spot < END:
        raise ValueError(f"{spot} is not a spot")
    if spot >= ANSWERS:
        number, led = divmod(spot - ANSWERS, RANKS)
        return _plain(_digits(number, RANKS, 4)), led
    if spot >= LEADS:
        return _plain(_digits(spot - LEADS, RANKS, 4)), None
    return _marked(_digits(spot // 2, CODES, 6)), None


def is_dealer(spot: int) -> bool:
    """Whether it is the dealer who chooses."""
    return bool(spot % 2) if spot < LEADS else spot >= ANSWERS


def _number(digits: Sequence[int], base: int) -> int:
    found = 0
    for digit in digits:
        found = found * base + digit
    return found


def _digits(number: int, base: int, length: int) -> list[int]:
    found = []
    for _ in range(length):
        number, digit = divmod(number, base)
        found.append(digit)
    return found[::-1]


def _plain(ranks: Sequence[int]) -> tuple[Card, ...]:
    """Return cards of these ranks in suits that repeat as late as possible."""
    cards: list[Card] = []
    for at, rank in enumerate(ranks):
        suits = [(at + step) % 4 for step in range(4)]
        cards.append(_free(rank, suits, cards))
    return tuple(cards)


def _marked(codes_of_hand: Sequence[int]) -> tuple[Card, ...]:
    """Return six cards with these marked ranks: the marked ones are spades, none other is."""
    cards: list[Card] = []
    flush = any(code % 2 for code in codes_of_hand)
    for at, code in enumerate(codes_of_hand):
        rank = code // 2
        suits = [(at + step) % (3 if flush else 4) for step in range(4)]
        options = [3] if code % 2 else suits
        cards.append(_free(rank, options, cards))
    return tuple(cards)


def _free(rank: int, suits: Sequence[int], taken: Sequence[Card]) -> Card:
    """Return the first card of a rank, by the order of suits, that is not taken."""
    for suit in suits:
        if 4 * rank + suit not in taken:
            return 4 * rank + suit
    raise ValueError(f"no hand has so many cards of rank {rank}")
