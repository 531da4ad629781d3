"""The club player: exact hand averages, and points in sight in the play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.analysis import heuristics
from games.bots.common import (
    Cards,
    best_average_throw,
    best_throw,
    distracted_card,
    gettext_noop,
    hidden_cards,
    highest_of_most_points,
)
from games.engine.cards import SUIT, Card

if TYPE_CHECKING:
    from games.engine.view import View


class Walter:
    """A club player: weighs every starter, but forgets the crib, and takes the points in sight.

    With three seats he overlooks flushes, and the second opponent distracts him in the play.
    Version 1 is the yardstick `games.bots.yardsticks.Club`.
    """

    name = "walter"
    version = 3
    description = gettext_noop(
        "A club player: weighs every starter, but forgets the crib and your replies."
    )

    def discard(self, view: View) -> Cards:
        """Return the discard with the best hand average, with three seats without flushes."""
        if view.ruleset.players == 2:
            return best_average_throw(view)
        hidden = hidden_cards(view)
        return best_throw(
            view,
            lambda kept, _: heuristics.hand_average(kept, hidden) - _flush_average(kept, hidden),
        )

    def play(self, view: View) -> Card:
        """Return the card with the most points now, the highest on a tie.

        With three seats, return what `distracted_card` does.
        """
        if view.ruleset.players == 3:
            return distracted_card(view)
        return highest_of_most_points(view)


def _flush_average(kept: Cards, hidden: list[Card]) -> float:
    suits = {SUIT[card] for card in kept}
    if len(suits) > 1:
        return 0.0
    return len(kept) + sum(SUIT[card] in suits for card in hidden) / len(hidden)
