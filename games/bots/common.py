"""Helpers shared by the levels: possible discards, cards by rank, marking of translatable text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from games.engine.cards import PIPS, RANK, Card
from games.engine.pegging import score_play

if TYPE_CHECKING:
    from games.engine.scoring import Part
    from games.engine.view import View

Cards = tuple[Card, ...]

FIVE = 4
"""The rank of fives."""


def gettext_noop(text: str) -> str:
    """Mark text for translation, like Django's function of the same name.

    The text stays English here; the page that shows it translates it.
    """
    return text


def throws(view: View) -> Iterator[tuple[Cards, Cards]]:
    """Yield each possible discard as (kept, thrown), both sorted."""
    cards = tuple(sorted(view.cards))
    for thrown in combinations(cards, len(cards) - 4):
        yield tuple(card for card in cards if card not in thrown), thrown


def best_throw(view: View, value: Callable[[Cards, Cards], float]) -> Cards:
    """Return the discard with the highest ``value(kept, thrown)``; the first on a tie."""
    return max(throws(view), key=lambda throw: round(value(*throw), 9))[1]


def best_card(view: View, value: Callable[[Card], float]) -> Card:
    """Return the legal card with the highest ``value``; the lowest on a tie."""
    return max(sorted(view.legal.cards), key=lambda card: round(value(card), 9))


def lowest_of_rank(view: View, rank: int) -> Card:
    """Return the lowest legal card of a rank."""
    return min(card for card in view.legal.cards if RANK[card] == rank)


def crib_sign(view: View) -> float:
    """Return the weight of a point in the crib: 1.0 for the dealer, -1.0 for a single opponent.

    With three seats it is -0.5 for each opponent, since the point costs the other one as well.
    """
    if view.seat == view.dealer:
        return 1.0
    return -1.0 if view.ruleset.players == 2 else -0.5


def parts_now(view: View, card: Card) -> tuple[Part, ...]:
    """Return what a card would score in the play."""
    return score_play((*(other for _, other in view.pile), card))


def points_now(view: View, card: Card) -> int:
    """Return the points that a card would score in the play."""
    return sum(part.points for part in parts_now(view, card))


def highest_of_most_points(view: View) -> Card:
    """Return the card with the most points now, the highest on a tie."""
    return best_card(view, lambda card: points_now(view, card) + 0.01 * PIPS[card])


def habitual_card(view: View) -> Card:
    """Return the card with the most points now; habits break ties.

    The habits: to lead a low card and neither a five nor a ten-card, and not to bring the count to
    5 or 21.
    """
    return best_card(view, lambda card: points_now(view, card) + _habit(view, card))


def _habit(view: View, card: Card) -> float:
    count = view.count + PIPS[card]
    if not view.pile:
        if RANK[card] == FIVE or PIPS[card] == 10:
            return 0.1
        return 0.5 + (0.3 if PIPS[card] < 5 else 0.0)
    return 0.02 * PIPS[card] - (0.6 if count in (5, 21) else 0.0)
