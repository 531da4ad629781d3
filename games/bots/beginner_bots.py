"""The four weakest levels: each overlooks more than the next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from games.bots.common import (
    FIVE,
    Cards,
    best_card,
    best_throw,
    distracted_card,
    gettext_noop,
    parts_now,
)
from games.bots.seeded_choice import seeded_fraction
from games.engine.cards import PIPS, RANK, SUIT, Card

if TYPE_CHECKING:
    from games.engine.view import View


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


class Poppy:
    """A beginner: sees pairs, misses much else by chance, and never plans ahead."""

    name = "poppy"
    version = 4
    description = gettext_noop("A beginner: misses many points in hand and in the play.")
    short_fifteens = 0.5
    """Chance to see a fifteen of two cards in hand."""
    long_fifteens = 0.05
    """Chance to see a fifteen of more cards in hand."""
    runs = 0.25
    """Chance to see each run of three in hand; she sees a longer run if she sees one within it."""
    pegging: ClassVar = {"pair": 0.85, "fifteen": 0.55, "thirty_one": 0.7}
    """Kind of points in the play -> chance to see them."""
    other_pegging = 0.25
    """Chance to see any other points in the play."""

    def discard(self, view: View) -> Cards:
        """Return the discard that keeps the most points that she notices."""
        return best_throw(view, lambda kept, thrown: self._noticed(view, kept))

    def _noticed(self, view: View, kept: Cards) -> float:
        found = visible_points(kept)
        worth = float(sum(points for kind, some, points in found if self._sees(view, kind, some)))
        return worth + 0.4 * seeded_fraction(view, *kept)

    def _sees(self, view: View, kind: str, some: Cards) -> bool:
        if kind == "fifteen":
            chance = self.short_fifteens if len(some) == 2 else self.long_fifteens
            return seeded_fraction(view, *some) < chance
        threes = (some[at : at + 3] for at in range(len(some) - 2))
        return kind != "run" or any(seeded_fraction(view, *three) < self.runs for three in threes)

    def play(self, view: View) -> Card:
        """Return a card with points that she notices, otherwise a high one."""
        return best_card(view, lambda card: self._tempting(view, card))

    def _tempting(self, view: View, card: Card) -> float:
        worth = 0.02 * PIPS[card] + 0.1 * seeded_fraction(view, card)
        for part in parts_now(view, card):
            chance = self.pegging.get(part.kind, self.other_pegging)
            if seeded_fraction(view, RANK[card], part.points) < chance:
                worth += part.points
        return worth


class _Overlooking:
    """A player who always overlooks the same kinds of points, and forgets starter and crib.

    With three seats the second opponent distracts them in the play.
    """

    def discard(self, view: View) -> Cards:
        """Return the discard that keeps the most points that the player sees."""
        return best_throw(
            view,
            lambda kept, _: (
                sum(
                    points
                    for kind, some, points in visible_points(kept)
                    if self._sees(view, kind, some)
                )
                + 0.1 * seeded_fraction(view, *kept)
            ),
        )

    @staticmethod
    def _sees(view: View, kind: str, some: Cards) -> bool:
        """Return whether the player sees a combination in hand."""
        raise NotImplementedError

    def play(self, view: View) -> Card:
        """Return the card with the most points except runs, the highest on a tie.

        With three seats, return what `distracted_card` does.
        """
        if view.ruleset.players == 3:
            return distracted_card(view)
        return best_card(
            view,
            lambda card: (
                sum(part.points for part in parts_now(view, card) if part.kind != "run")
                + 0.01 * PIPS[card]
            ),
        )


def _is_easy_fifteen(some: Cards) -> bool:
    """Return whether a fifteen has two cards or a ten-card."""
    return len(some) == 2 or any(PIPS[card] == 10 for card in some)


class Elsie(_Overlooking):
    """A learner: sees no runs, and fifteens only of two cards or with a ten-card.

    With three seats she overlooks flushes, too.
    """

    name = "elsie"
    version = 5
    description = gettext_noop("A learner: overlooks all runs, and fifteens of small cards.")

    @staticmethod
    def _sees(view: View, kind: str, some: Cards) -> bool:
        if kind == "flush":
            return view.ruleset.players == 2
        return kind == "pair" or (kind == "fifteen" and _is_easy_fifteen(some))


class Alfie(_Overlooking):
    """A casual player: sees fifteens only of two cards, and no runs in the play.

    With two seats he overlooks flushes, too.
    """

    name = "alfie"
    version = 6
    description = gettext_noop(
        "A casual player: overlooks fifteens of three cards, and runs in the play."
    )

    @staticmethod
    def _sees(view: View, kind: str, some: Cards) -> bool:
        if kind == "flush":
            return view.ruleset.players == 3
        return kind in {"pair", "run"} or (kind == "fifteen" and len(some) == 2)


class Nora(_Overlooking):
    """A keen player: overlooks fifteens of three or more small cards, and runs in the play.

    With three seats she sees such fifteens if they have a five.
    """

    name = "nora"
    version = 4
    description = gettext_noop(
        "A keen player: sees nearly all points in hand, but no runs in the play."
    )

    @staticmethod
    def _sees(view: View, kind: str, some: Cards) -> bool:
        if kind != "fifteen" or _is_easy_fifteen(some):
            return True
        return view.ruleset.players == 3 and any(RANK[card] == FIVE for card in some)
