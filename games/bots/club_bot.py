"""The club player: exact hand averages, and points in sight in the play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.analysis import heuristics
from games.bots.common import Cards, best_throw, gettext_noop, highest_of_most_points
from games.engine.cards import Card

if TYPE_CHECKING:
    from games.engine.view import View


class Walter:
    """A club player: weighs every starter, but forgets the crib, and takes the points in sight.

    Version 1 is the yardstick `games.bots.yardsticks.Club`.
    """

    name = "walter"
    version = 2
    description = gettext_noop(
        "A club player: weighs every starter, but forgets the crib and your replies."
    )

    def discard(self, view: View) -> Cards:
        """Return the discard with the best hand average."""
        hidden = [card for card in range(52) if card not in view.cards]
        return best_throw(view, lambda kept, _: heuristics.hand_average(kept, hidden))

    def play(self, view: View) -> Card:
        """Return the card with the most points now, the highest on a tie."""
        return highest_of_most_points(view)
