"""The four weakest levels, modelled on players who overlook combinations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from games.bots.common import Cards, best_card, best_throw, crib_sign, gettext_noop
from games.bots.seeded_choice import seeded_fraction
from games.engine.cards import PIPS, RANK, SUIT, Card
from games.engine.pegging import score_play
from games.engine.scoring import Part, count_hand

if TYPE_CHECKING:
    from games.engine.view import View

FIVE = 4


def _pile_with(view: View, card: Card) -> Cards:
    return (*(other for _, other in view.pile), card)


def visible_points(cards: Cards) -> Iterator[tuple[str, Cards, int]]:
    """Yield the combinations in these cards, without a starter, as (kind, cards, points).

    The cards must be sorted. A run within a longer run doesn't count.
    """
    held = {RANK[card] for card in cards}
    for size in range(2, len(cards) + 1):
        for some in combinations(cards, size):
            if sum(PIPS[card] for card in some) == 15:
                yield "fifteen", some, 2
            ranks = [RANK[card] for card in some]
            if size == 2 and ranks[0] == ranks[1]:
                yield "pair", some, 2
            run = size >= 3 and ranks == list(range(ranks[0], ranks[0] + size))
            if run and not held & {ranks[0] - 1, ranks[-1] + 1}:
                yield "run", some, size
    if len(cards) >= 4 and len({SUIT[card] for card in cards}) == 1:
        yield "flush", cards, len(cards)


def crib_estimate(thrown: Cards) -> float:
    """Return a rough value of the discards in a crib: points, fives, adjacent ranks."""
    worth = float(sum(points for _, _, points in visible_points(thrown)))
    worth += sum(1.0 for card in thrown if RANK[card] == FIVE)
    if len(thrown) == 2 and RANK[thrown[1]] - RANK[thrown[0]] == 1:
        worth += 0.5
    return worth


def _own_crib(view: View, thrown: Cards) -> float:
    """Return the crib points of a discard, to a player who minds only their own crib."""
    return 0.5 * crib_estimate(thrown) if view.seat == view.dealer else 0.0


class Poppy:
    """A beginner: sees pairs and simple fifteens, misses much else, and never plans ahead."""

    name = "poppy"
    version = 3
    description = gettext_noop("A beginner: misses many runs and forgets the crib.")

    def discard(self, view: View) -> Cards:
        """Return the discard that keeps the most points that she notices."""
        return best_throw(view, lambda kept, thrown: self._noticed(view, kept))

    def _noticed(self, view: View, kept: Cards) -> float:
        found = visible_points(kept)
        worth = float(sum(points for kind, some, points in found if self._sees(view, kind, some)))
        return worth + 0.4 * seeded_fraction(view, *kept)

    @staticmethod
    def _sees(view: View, kind: str, some: Cards) -> bool:
        """Return whether she notices a combination: a long run if she notices three cards of it."""
        if kind == "fifteen":
            return seeded_fraction(view, *some) < (0.85 if len(some) == 2 else 0.15)
        threes = (some[at : at + 3] for at in range(len(some) - 2))
        return kind != "run" or any(seeded_fraction(view, *three) < 0.6 for three in threes)

    def play(self, view: View) -> Card:
        """Return a card with points that she notices, otherwise a high one."""
        return best_card(view, lambda card: self._tempting(view, card))

    def _tempting(self, view: View, card: Card) -> float:
        worth = 0.02 * PIPS[card] + 0.1 * seeded_fraction(view, card)
        for part in score_play(_pile_with(view, card)):
            if seeded_fraction(view, RANK[card], part.points) < self._pegging_notice_chance(part):
                worth += part.points
        return worth

    @staticmethod
    def _pegging_notice_chance(part: Part) -> float:
        return {"pair": 0.95, "fifteen": 0.8, "thirty_one": 0.85}.get(part.kind, 0.45)


class Elsie:
    """A learner: sees no run in the play, few fifteens of three or more cards, and no crib.

    Version 2 thought of her own crib, and was nearly as strong as Alfie.
    """

    name = "elsie"
    version = 3
    description = gettext_noop(
        "A learner: overlooks runs in the play, fifteens of small cards, and the crib."
    )

    def discard(self, view: View) -> Cards:
        """Return the discard that keeps the most points that she sees."""
        return best_throw(
            view,
            lambda kept, _: (
                sum(points for kind, some, points in visible_points(kept) if self._sees(kind, some))
                + 0.01 * seeded_fraction(view, *kept)
            ),
        )

    @staticmethod
    def _sees(kind: str, some: Cards) -> bool:
        """Return whether she sees a combination: fifteens of two cards or with a ten-card."""
        return kind != "fifteen" or len(some) == 2 or any(PIPS[card] == 10 for card in some)

    def play(self, view: View) -> Card:
        """Return the card with the most points that she sees, the highest on a tie."""
        return best_card(view, lambda card: self._pegged(view, card) + 0.01 * PIPS[card])

    @staticmethod
    def _pegged(view: View, card: Card) -> int:
        parts = score_play(_pile_with(view, card))
        return sum(part.points for part in parts if part.kind != "run")


class Alfie:
    """A casual player: counts cards in hand correctly, and takes the points in sight.

    He thinks of the crib only when it is his own. Version 1 also kept points out of others' cribs,
    and was nearly as strong as Nora.
    """

    name = "alfie"
    version = 3
    description = gettext_noop(
        "A casual player: counts correctly, but forgets the starter and other players' cribs."
    )

    def discard(self, view: View) -> Cards:
        """Return the discard that keeps the most points in hand; as dealer, with the crib."""
        return best_throw(
            view,
            lambda kept, thrown: (
                sum(points for _, _, points in visible_points(kept))
                + _own_crib(view, thrown)
                + 0.1 * seeded_fraction(view, *kept)
            ),
        )

    def play(self, view: View) -> Card:
        """Return the card with the most points now, the highest on a tie."""
        return best_card(view, lambda card: _points(view, card) + 0.01 * PIPS[card])


class Nora:
    """A keen player: takes the starter into account, and knows a few rules for the play."""

    name = "nora"
    version = 1
    description = gettext_noop("A keen player: weighs every starter and minds the crib.")

    def discard(self, view: View) -> Cards:
        """Return the discard with the best hand average, adjusted for the crib."""
        sign = crib_sign(view)
        hidden = [card for card in range(52) if card not in view.cards]
        return best_throw(
            view,
            lambda kept, thrown: (
                sum(count_hand(kept, starter) for starter in hidden) / len(hidden)
                + 0.6 * sign * crib_estimate(thrown)
            ),
        )

    def play(self, view: View) -> Card:
        """Return the card with the most points now; habits break ties."""
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
