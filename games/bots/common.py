"""What several levels share: ways to throw, cards by rank, texts for translators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from games.engine.cards import RANK, Card

if TYPE_CHECKING:
    from games.engine.view import View

Cards = tuple[Card, ...]


def gettext_noop(text: str) -> str:
    """Mark a text for translators, as Django's function of this name does.

    It is said in English here, and translated by whoever shows it.
    """
    return text


def throws(view: View) -> Iterator[tuple[Cards, Cards]]:
    """Yield each way to part the hand into (kept, thrown), both sorted."""
    cards = tuple(sorted(view.cards))
    for thrown in combinations(cards, len(cards) - 4):
        yield tuple(card for card in cards if card not in thrown), thrown


def best_throw(view: View, value: Callable[[Cards, Cards], float]) -> Cards:
    """Return the throw for which ``value(kept, thrown)`` is highest; the first of equals."""
    return max(throws(view), key=lambda parted: round(value(*parted), 9))[1]


def best_card(view: View, value: Callable[[Card], float]) -> Card:
    """Return the legal card for which ``value`` is highest; the lowest of equals."""
    return max(sorted(view.legal.cards), key=lambda card: round(value(card), 9))


def lowest_of_rank(view: View, rank: int) -> Card:
    """Return the lowest legal card of that rank."""
    return min(card for card in view.legal.cards if RANK[card] == rank)


def crib_sign(view: View) -> float:
    """Return what a point in the crib counts: 1.0 for the dealer, -1.0 for the one opponent.

    With three seats -0.5: the other opponent suffers as well.
    """
    if view.seat == view.dealer:
        return 1.0
    return -1.0 if view.ruleset.players == 2 else -0.5
