"""The parts of a course: themes, exercises with one best answer, and the standard of its exam."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from django.utils.functional import Promise

from games.analysis.review import Item
from games.engine.cards import RANK, Card, parse_cards
from games.engine.view import View
from games.learn.puzzle_positions import view_of

Key = Literal["throwing", "pegging"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """An exercise as a course lists it: the position, its best answer, and why.

    Positions are written as those of puzzles (`games.learn.puzzle_positions`).
    """

    position: str
    best: str
    why: Promise


@dataclass(frozen=True, slots=True)
class Theme:
    """An idea of a course, with its exercises from easy to hard."""

    title: Promise
    text: Promise
    drawn: tuple[Drawn, ...]


@dataclass(frozen=True)
class Exercise:
    """An exercise of a course by its number, from 1."""

    number: int
    theme: Theme
    drawn: Drawn

    @property
    def why(self) -> Promise:
        """One sentence why the best answer is best."""
        return self.drawn.why

    @cached_property
    def view(self) -> View:
        """The learner's view of the position."""
        return view_of(self.drawn.position)

    @cached_property
    def best(self) -> tuple[Card, ...]:
        """The best answer; a card to play stands for all of its rank."""
        return parse_cards(self.drawn.best)

    def is_right(self, cards: Sequence[Card]) -> bool:
        """Whether these cards are the best answer."""
        if self.view.legal.action == "discard":
            return set(cards) == set(self.best)
        return [RANK[card] for card in cards] == [RANK[card] for card in self.best]


@dataclass(frozen=True)
class Course:
    """A course: its themes in order, the length of its exam, and the most that this may lose.

    Attributes:
        key: its name in addresses and in the database.
        title, text: what it is about.
        action: the decisions that the exam marks, "discard" or "play".
        themes: from simple to subtle.
        target: the points to which the exam is played.
        unit: what its decisions lose: "chance" to win the game (0 to 1), or "points".
        limit: the loss with which the exam is passed.
    """

    key: Key
    title: Promise
    text: Promise
    action: Literal["discard", "play"]
    themes: tuple[Theme, ...]
    target: int
    unit: Literal["chance", "points"]
    limit: float

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """All exercises in order."""
        drawn = [(theme, each) for theme in self.themes for each in theme.drawn]
        return tuple(Exercise(at, *each) for at, each in enumerate(drawn, start=1))

    def loss_of(self, item: Item) -> float:
        """Return what a decision of the exam loses, in the course's unit."""
        if item.verdict == "close":
            return 0.0
        # What costs chances to win may gain points on average, but makes up for no other choice.
        return item.loss if self.unit == "chance" else max(0.0, item.points_lost)

    def is_within(self, loss: float) -> bool:
        """Whether a loss, as shown in games of 100 or in points with one decimal, is a pass."""
        return round(loss, 3 if self.unit == "chance" else 1) <= self.limit
