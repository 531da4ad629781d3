"""Helpers shared by the levels: possible discards, cards by rank, marking of translatable text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from games.analysis import heuristics
from games.engine.cards import PIPS, RANK, Card
from games.engine.pegging import score_play
from games.engine.scoring import PAIR_KINDS

if TYPE_CHECKING:
    from games.engine.scoring import Part
    from games.engine.view import View

Cards = tuple[Card, ...]

FIVE = 4
"""The rank of fives."""
PAIRS = frozenset(kind for kind, _ in PAIR_KINDS.values())
"""Kinds of points for two to four cards of a rank."""


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


def hidden_cards(view: View) -> list[Card]:
    """Return the cards that a player does not hold at the discard: the possible starters."""
    return [card for card in range(52) if card not in view.cards]


def best_average_throw(view: View) -> Cards:
    """Return the discard with the best hand average, whatever it brings in the crib."""
    hidden = hidden_cards(view)
    return best_throw(view, lambda kept, _: heuristics.hand_average(kept, hidden))


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


def distracted_card(view: View) -> Card:
    """Return the card of a player whom a second opponent distracts.

    They lead their lowest card and look only at the card before theirs: of the points, they see
    pairs, and fifteens of two cards. The highest card on a tie.
    """
    if not view.pile:
        return min(view.legal.cards)
    return best_card(view, lambda card: _points_beside(view, card) + 0.01 * PIPS[card])


def _points_beside(view: View, card: Card) -> int:
    parts = parts_now(view, card)
    return sum(part.points for part in parts if part.kind in PAIRS or len(part.cards) == 2)


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
