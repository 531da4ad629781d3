"""The club player: exact hand averages, a table of cribs, rules of thumb in the play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.analysis import heuristics
from games.bots.common import Cards, best_throw, crib_sign, gettext_noop, lowest_of_rank
from games.engine.cards import Card

if TYPE_CHECKING:
    from games.engine.view import View


class Walter:
    """A club player: knows the average value of each discard, and pegs by rules of thumb."""

    name = "walter"
    version = 1
    description = gettext_noop("A club player: knows each discard's average worth.")

    def discard(self, view: View) -> Cards:
        """Return the discard with the best hand average, plus or minus the crib's."""
        sign = crib_sign(view)
        hidden = [card for card in range(52) if card not in view.cards]
        return best_throw(
            view,
            lambda kept, thrown: (
                heuristics.hand_average(kept, hidden) + sign * heuristics.crib_average(thrown)
            ),
        )

    def play(self, view: View) -> Card:
        """Return the card to play by rules of thumb."""
        return lowest_of_rank(view, heuristics.rank_to_play(view))
