"""Players who never change, to measure others against; benchmarks use them, and no table does.

They are the levels as they were before their steps were made even.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from games.analysis import heuristics
from games.bots.beginner_bots import Poppy, crib_estimate, visible_points
from games.bots.common import (
    Cards,
    best_throw,
    crib_sign,
    habitual_card,
    hidden_cards,
    highest_of_most_points,
    lowest_of_rank,
)
from games.bots.seeded_choice import seeded_fraction
from games.bots.strong_bots import ByPointsThenScore
from games.engine.cards import Card

if TYPE_CHECKING:
    from games.engine.view import View


def _own_crib(view: View, thrown: Cards) -> float:
    """Return the worth of a discard in the crib, to a player who minds only their own crib."""
    return 0.5 * crib_estimate(thrown) if view.seat == view.dealer else 0.0


class Novice(Poppy):
    """A beginner: misses most fifteens of three cards and many runs."""

    name = "novice"
    version = 1
    description = "A beginner: misses many runs and forgets the crib."
    short_fifteens = 0.85
    long_fifteens = 0.15
    runs = 0.6
    pegging: ClassVar = {"pair": 0.95, "fifteen": 0.8, "thirty_one": 0.85}
    other_pegging = 0.45


class Plain:
    """A plain player: counts the hand without the starter, and thinks only of the own crib."""

    name = "plain"
    version = 1
    description = "A plain player: counts correctly, but forgets the starter and others' cribs."

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
        return highest_of_most_points(view)


class _ByAverage:
    """Discards by the average hand over every starter, and by a value of the crib."""

    def discard(self, view: View) -> Cards:
        """Return the discard with the best hand average, plus or minus the crib's value."""
        sign = crib_sign(view)
        hidden = hidden_cards(view)
        return best_throw(
            view,
            lambda kept, thrown: heuristics.hand_average(kept, hidden) + sign * self._crib(thrown),
        )

    @staticmethod
    def _crib(thrown: Cards) -> float:
        """Return what the discards are worth in a crib, in points."""
        raise NotImplementedError


class Keen(_ByAverage):
    """A keen player: weighs every starter, judges the crib by eye, and pegs by habits."""

    name = "keen"
    version = 1
    description = "A keen player: weighs every starter and minds the crib."

    @staticmethod
    def _crib(thrown: Cards) -> float:
        return 0.6 * crib_estimate(thrown)

    def play(self, view: View) -> Card:
        """Return the card with the most points now; habits break ties."""
        return habitual_card(view)


class Club(_ByAverage):
    """A club player: knows the average worth of each discard, and pegs by rules of thumb."""

    name = "club"
    version = 1
    description = "A club player: knows each discard's average worth."

    @staticmethod
    def _crib(thrown: Cards) -> float:
        return heuristics.crib_average(thrown)

    def play(self, view: View) -> Card:
        """Return the card to play by rules of thumb."""
        return lowest_of_rank(view, heuristics.rank_to_play(view))


class Expert(ByPointsThenScore):
    """An expert: plays for points; with two seats, discards to the score at the end."""

    name = "expert"
    version = 1
    description = "An expert: plays for points, and discards to the score near the end."
