"""Reasons: what makes a choice worse than the best one, as one cribbage idea.

A reason compares the features of the two choices, in points, and names the one that differs most:
what the four cards kept lose, what the crib gains, what the play gives away. If points don't
explain the loss, it is about the score. Only the seat's view is used, as for the verdict.
`games.text.reason_sentences` has the sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from games.engine.cards import Card, card_names, parse_cards

if TYPE_CHECKING:
    from games.engine.view import View

Kind = Literal[
    "breaks_pair",
    "breaks_royal",
    "throws_pair",
    "breaks_run",
    "loses_run_draw",
    "loses_fifteen",
    "throws_five",
    "breaks_flush",
    "throws_jack",
    "fewer_starters",
    "gives_five",
    "gives_pair",
    "gives_fifteen",
    "gives_neighbours",
    "gives_crib",
    "crib_five",
    "crib_pair",
    "crib_fifteen",
    "crib_neighbours",
    "crib_more",
    "keep_low",
    "pegs_worse",
    "misses_fifteen",
    "misses_thirty_one",
    "misses_pair",
    "misses_royal",
    "misses_run",
    "misses_go",
    "opens_fifteen",
    "opens_thirty_one",
    "opens_pair",
    "opens_royal",
    "opens_run",
    "leads_five",
    "lead_from_pair",
    "lead_trap",
    "plans_pair",
    "plans_fifteen",
    "plans_run",
    "low_too_early",
    "count_first",
    "pegs_decide",
    "score_now",
    "give_nothing",
    "too_cautious",
    "too_bold",
    "play_on",
]

Habit = Literal[
    "pairs",
    "runs",
    "fifteens",
    "flushes",
    "starters",
    "their_crib",
    "own_crib",
    "peg_cards",
    "missed",
    "replies",
    "leads",
    "plans",
    "timing",
    "score",
]
"""A kind of mistake that a player can train: several kinds of reasons."""

KINDS: dict[Habit, tuple[Kind, ...]] = {
    "pairs": ("breaks_pair", "breaks_royal", "throws_pair"),
    "runs": ("breaks_run", "loses_run_draw"),
    "fifteens": ("loses_fifteen", "throws_five"),
    "flushes": ("breaks_flush",),
    "starters": ("fewer_starters", "throws_jack"),
    "their_crib": ("gives_five", "gives_pair", "gives_fifteen", "gives_neighbours", "gives_crib"),
    "own_crib": ("crib_five", "crib_pair", "crib_fifteen", "crib_neighbours", "crib_more"),
    "peg_cards": ("keep_low", "pegs_worse"),
    "missed": (
        "misses_fifteen",
        "misses_thirty_one",
        "misses_pair",
        "misses_royal",
        "misses_run",
        "misses_go",
    ),
    "replies": ("opens_fifteen", "opens_thirty_one", "opens_pair", "opens_royal", "opens_run"),
    "leads": ("leads_five", "lead_from_pair", "lead_trap"),
    "plans": ("plans_pair", "plans_fifteen", "plans_run"),
    "timing": ("low_too_early", "play_on"),
    "score": (
        "count_first",
        "pegs_decide",
        "score_now",
        "give_nothing",
        "too_cautious",
        "too_bold",
    ),
}
"""The kinds of reasons of each habit; every kind belongs to one."""

TEN_CARDS = 13
"""In `Reason.rank`: ten, jack, queen and king together."""

SCORE_MATTERS = 31
"""A reason can be about the score if a player needs at most this many points."""

POINT = 0.03
"""The chance to win that a point is worth then, roughly.

If the points lost explain less than half of the chance that was lost, a reason is about the score.
"""


class Choice(Protocol):
    """The attributes of a choice that reasons need: see `games.analysis.review.Option`."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards thrown, or the card played."""

    @property
    def points(self) -> float:
        """Expected points."""

    @property
    def chance(self) -> float:
        """Chance to win."""

    @property
    def hand(self) -> float | None:
        """Average points of the hand kept."""

    @property
    def crib(self) -> float | None:
        """Average points of the crib."""

    @property
    def pegging(self) -> float | None:
        """Average points in the play, less the opponents'."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a choice is worse than the best one.

    Attributes:
        kind: the idea.
        cards: the cards that it is about, such as a run that was broken up.
        rank: the rank that it is about, from 0; `TEN_CARDS` for all of them; None for no rank.
        number: the points that it is about, such as those that the opponent needs.
    """

    kind: Kind
    cards: tuple[Card, ...] = ()
    rank: int | None = None
    number: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values for JSON."""
        return {
            "kind": self.kind,
            "cards": card_names(self.cards),
            "rank": self.rank,
            "number": self.number,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Reason:
        """Return the reason that `to_dict` wrote."""
        return cls(**{**data, "cards": parse_cards(data["cards"])})


def habit_of(kind: str) -> Habit | None:
    """Return the habit of a kind of reason; None if there is no such kind."""
    return next((habit for habit, kinds in KINDS.items() if kind in kinds), None)


def reason(view: View, best: Choice, own: Choice) -> Reason:
    """Return why ``own`` is worse than ``best``, from the view of the seat that chose."""
    from games.analysis import reasons_play, reasons_score, reasons_throw

    near = view.ruleset.target - max(view.scores) <= SCORE_MATTERS
    if near and POINT * (best.points - own.points) < 0.5 * (best.chance - own.chance):
        return reasons_score.reason(view, best, own)
    if view.legal.action == "discard":
        return reasons_throw.reason(view, best, own)
    return reasons_play.reason(view, best.cards[0], own.cards[0])
