"""The club player: exact hand averages, and points in sight in the play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.bots.common import (
    Cards,
    best_average_throw,
    distracted_card,
    gettext_noop,
    highest_of_most_points,
)

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.view import View


class Walter:
    """A club player: weighs every starter, but forgets the crib, and takes the points in sight.

    With three seats the second opponent distracts him in the play.
    Version 1 is the yardstick `games.bots.yardsticks.Club`.
    """

    name = "walter"
    version = 4
    description = gettext_noop(
        "A club player: weighs every starter, but forgets the crib and your replies."
    )

    def discard(self, view: View) -> Cards:
        """Return the discard with the best hand average."""
        return best_average_throw(view)

    def play(self, view: View) -> Card:
        """Return the card with the most points now, the highest on a tie.

        With three seats, return what `distracted_card` does.
        """
        if view.ruleset.players == 3:
            return distracted_card(view)
        return highest_of_most_points(view)
