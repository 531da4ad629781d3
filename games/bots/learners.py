"""The first levels: people who are still learning, and what they see and overlook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from games.bots.common import Cards, best_card, best_throw, crib_sign, gettext_noop
from games.bots.dice import chance
from games.engine.cards import PIPS, RANK, SUIT, Card
from games.engine.pegging import score_play
from games.engine.scoring import Part, count_hand

if TYPE_CHECKING:
    from games.engine.view import View

FIVE = 4


def _pile_with(view: View, card: Card) -> Cards:
    return (*(other for _, other in view.pile), card)


def seen_points(cards: Cards) -> Iterator[tuple[str, Cards, int]]:
    """Yield what a look at some cards finds, as (kind, cards, points): no starter is imagined."""
    for size in range(2, len(cards) + 1):
        for some in combinations(cards, size):
            if sum(PIPS[card] for card in some) == 15:
                yield "fifteen", some, 2
            ranks = [RANK[card] for card in some]
            if size == 2 and ranks[0] == ranks[1]:
                yield "pair", some, 2
            if size >= 3 and ranks == list(range(ranks[0], ranks[0] + size)):
                yield "run", some, size if size == 3 else 1
    if len(cards) >= 4 and len({SUIT[card] for card in cards}) == 1:
        yield "flush", cards, len(cards)


def crib_look(thrown: Cards) -> float:
    """Return what the thrown cards look like in a crib: points, fives, neighbours."""
    worth = float(sum(points for _, _, points in seen_points(thrown)))
    worth += sum(1.0 for card in thrown if RANK[card] == FIVE)
    if len(thrown) == 2 and RANK[thrown[1]] - RANK[thrown[0]] == 1:
        worth += 0.5
    return worth


class Poppy:
    """A beginner: sees pairs and plain fifteens, overlooks much else, and never thinks ahead."""

    name = "poppy"
    version = 1
    description = gettext_noop(
        "A beginner: sees pairs and simple fifteens, overlooks fifteens of three cards and many "
        "runs, and thinks neither of the crib nor of what you may play next."
    )

    def discard(self, view: View) -> Cards:
        """Return the throw that leaves the most points that she notices in her hand."""
        return best_throw(view, lambda kept, thrown: self._noticed(view, kept))

    def _noticed(self, view: View, kept: Cards) -> float:
        worth = 0.0
        for kind, some, points in seen_points(kept):
            if chance(view, *some) < self._eye(kind, len(some)):
                worth += points
        return worth + 0.4 * chance(view, *kept)

    @staticmethod
    def _eye(kind: str, size: int) -> float:
        """Return the chance that she notices something of this kind and size."""
        if kind == "fifteen":
            return 0.9 if size == 2 else 0.25
        return 0.7 if kind == "run" else 1.0

    def play(self, view: View) -> Card:
        """Return a card that makes points she notices, or else a high one."""
        return best_card(view, lambda card: self._tempting(view, card))

    def _tempting(self, view: View, card: Card) -> float:
        worth = 0.02 * PIPS[card] + 0.1 * chance(view, card)
        for part in score_play(_pile_with(view, card)):
            if chance(view, RANK[card], part.points) < self._quick_eye(part):
                worth += part.points
        return worth

    @staticmethod
    def _quick_eye(part: Part) -> float:
        return {"pair": 0.95, "fifteen": 0.8, "thirty_one": 0.85}.get(part.kind, 0.45)


class Alfie:
    """Counts what he holds correctly, and takes the points that he can see."""

    name = "alfie"
    version = 1
    description = gettext_noop(
        "A casual player: counts what he holds without mistakes but does not reckon with the "
        "starter, gives a thought to the crib, and takes whatever points the play offers."
    )

    def discard(self, view: View) -> Cards:
        """Return the throw with the most points in hand, a glance at the crib included."""
        sign = crib_sign(view)
        return best_throw(
            view,
            lambda kept, thrown: (
                sum(points for _, _, points in seen_points(kept))
                + 0.5 * sign * crib_look(thrown)
                + 0.1 * chance(view, *kept)
            ),
        )

    def play(self, view: View) -> Card:
        """Return the card with the most points now, the highest of equals."""
        return best_card(view, lambda card: _points(view, card) + 0.01 * PIPS[card])


class Nora:
    """Reckons with the starter, and knows a few rules of the play."""

    name = "nora"
    version = 1
    description = gettext_noop(
        "A keen player: knows what a hand is worth with every starter, guards the crib by eye, and "
        "has a few habits in the play: no five to lead, no twenty-one to leave."
    )

    def discard(self, view: View) -> Cards:
        """Return the throw with the best hand average, a look at the crib included."""
        sign = crib_sign(view)
        hidden = [card for card in range(52) if card not in view.cards]
        return best_throw(
            view,
            lambda kept, thrown: (
                sum(count_hand(kept, starter) for starter in hidden) / len(hidden)
                + 0.6 * sign * crib_look(thrown)
            ),
        )

    def play(self, view: View) -> Card:
        """Return the card with the most points now, by habit among equals."""
        return best_card(view, lambda card: _points(view, card) + self._habit(view, card))

    @staticmethod
    def _habit(view: View, card: Card) -> float:
        count = view.count + PIPS[card]
        if not view.pile:
            if RANK[card] == FIVE or PIPS[card] == 10:
                return 0.1
            return 0.5 + (0.3 if PIPS[card] < 5 else 0.0)
        worth = 0.02 * PIPS[card]
        return worth - (0.6 if count in (5, 21) else 0.0)


def _points(view: View, card: Card) -> float:
    return float(sum(part.points for part in score_play(_pile_with(view, card))))
