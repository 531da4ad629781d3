"""The strongest levels and the house computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.analysis import discards, heuristics, plays, three
from games.analysis.endgames import late
from games.bots.common import (
    Cards,
    best_average_throw,
    gettext_noop,
    habitual_card,
    lowest_of_rank,
)
from games.engine.cards import Card

if TYPE_CHECKING:
    from games.engine.view import View


NEAR_END = 31
"""Points that a player needs, at most, where some begin to discard to the score."""
MINDS_REPLIES = 11
"""Count from which grace minds the reply to her card."""
ANSWERED = 60
"""Random deals of the hidden cards over which grace weighs an answer with three seats."""


class _ByPoints:
    """Discards by expected points, and pegs by a strategy solved in self-play, at every score."""

    def discard(self, view: View) -> Cards:
        """Return the discard with the most expected points."""
        if view.ruleset.players == 3:
            return three.best_throw(view, by_chance=False)
        return discards.best_by_points(view)

    def play(self, view: View) -> Card:
        """Return the solved strategy's most frequent card, or with three seats the best sampled."""
        if view.ruleset.players == 3:
            return lowest_of_rank(view, three.best_rank(view, by_chance=False, samples=60))
        rank = plays.rank_by_strategy(view)
        return lowest_of_rank(view, heuristics.rank_to_play(view) if rank is None else rank)


class ByPointsThenScore(_ByPoints):
    """The same, but with two seats discards by the chance to win near the end of a game."""

    def discard(self, view: View) -> Cards:
        """Return the discard with the most points, or near the end the best chance to win."""
        near_end = view.ruleset.target - max(view.scores) <= NEAR_END
        if near_end and view.ruleset.players == 2:
            return discards.best_by_chance(view, habits=False)
        return super().discard(view)


class Grace(ByPointsThenScore):
    """A tournament player: discards like an expert, near the end to the score.

    She leads by rules of thumb, and minds the opponent's reply once the count is beyond ten; below
    she plays by habit. With three seats she forgets the crib, leads by habit, and answers with the
    card that brings most over `ANSWERED` random deals of the hidden cards.
    Version 2 is the yardstick `games.bots.yardsticks.Expert`.
    """

    name = "grace"
    version = 5
    description = gettext_noop(
        "A tournament player: discards like an expert, and plays by rules of thumb."
    )

    def discard(self, view: View) -> Cards:
        """Return the expert's discard, or with three seats that with the best hand average."""
        return super().discard(view) if view.ruleset.players == 2 else best_average_throw(view)

    def play(self, view: View) -> Card:
        """Return the card by rules of thumb, by habit, or by samples: see the class."""
        if view.ruleset.players == 3 and view.pile:
            return lowest_of_rank(view, three.best_rank(view, by_chance=False, samples=ANSWERED))
        if view.ruleset.players == 3 or 0 < view.count < MINDS_REPLIES:
            return habitual_card(view)
        return lowest_of_rank(view, heuristics.rank_to_play(view))


class Ada:
    """The strongest level: decides by the chance to win, with a belief about the hidden hands."""

    name = "ada"
    version = 11
    description = gettext_noop("The strongest: works out your cards and plays to win.")

    def discard(self, view: View) -> Cards:
        """Return the discard with the best chance to win."""
        if view.ruleset.players == 3:
            return three.throw_by_deals(view)
        return discards.best_by_chance(view, habits=True)

    def play(self, view: View) -> Card:
        """Return the card with the best chance to win, or a late decision's solution."""
        if view.ruleset.players == 3:
            return lowest_of_rank(view, three.rank_by_belief(view))
        if late.is_late(view):
            return lowest_of_rank(view, late.rank_by_solution(view))
        return lowest_of_rank(view, plays.rank_by_search(view))


class SolvedAda(Ada):
    """The strongest level without the assumption that opponents have habits; for the arena only."""

    name = "ada-solved"

    def play(self, view: View) -> Card:
        """Return the best card against an opponent who follows the solved strategy."""
        if view.ruleset.players == 3:
            return super().play(view)
        return lowest_of_rank(view, plays.rank_by_search(view, solved=True))


class House(Ada):
    """The house computer: the reference player of standard games.

    A version's decisions never change: its tables and code are fixed, a stronger player gets the
    next number, and existing standard games keep their version.
    """

    name = "house"
    version = 1
    description = gettext_noop(
        "The computer in standard games: the strongest when the game was made."
    )

    def discard(self, view: View) -> Cards:
        """Return the discard with the best chance to win."""
        if view.ruleset.players == 3:
            return three.best_throw(view, by_chance=True)
        return discards.best_by_chance(view, habits=False)

    def play(self, view: View) -> Card:
        """Return the card with the best chance to win."""
        if view.ruleset.players == 3:
            return lowest_of_rank(view, three.best_rank(view, by_chance=True))
        return lowest_of_rank(view, plays.rank_of_first_house(view))


class FastHouse(_ByPoints):
    """The fast variant of the house computer, for play-outs."""

    name = "house-fast"
    version = 1
    description = gettext_noop("The fast version of the strongest: no search.")
