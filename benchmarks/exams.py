"""Pass rates of the exams: ``make bench-exams``, or ``python -m benchmarks.exams --games N``.

Each level plays each exam against its computer, from both seats by turns, and its own decisions are
judged as the review of an exam judges them. So do three players who throw like that computer and
play any card, their highest or their lowest one. It prints the share of games that would be passed.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import django

from games.analysis.arena import ArenaPlayer, pack, play_game
from games.analysis.review import judge
from games.bots import get, levels
from games.engine.cards import RANK, Card
from games.engine.view import View
from games.learn.courses.catalogue import COURSES
from games.learn.courses.course import Course

GAMES = 400
SEED = 61

_random = random.Random(SEED)

CARELESS: Mapping[str, Callable[[tuple[Card, ...]], Card]] = {
    "any": _random.choice,
    "highest": lambda cards: max(cards, key=lambda card: RANK[card]),
    "lowest": lambda cards: min(cards, key=lambda card: RANK[card]),
}
"""Players who follow no strategy: their names, and which of the cards that fit they play."""


@dataclass
class Judged:
    """A player of an exam whose decisions are judged as they are made.

    Attributes:
        name: the level that plays, or one of `CARELESS`, who throw like ``other``.
        other: the level of the opponent.
        course: whose decisions are judged.
        loss: what they lost so far.
    """

    name: str
    other: str
    course: Course
    loss: float = 0.0

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the cards to discard, and add what they lose."""
        chosen = get(self.other if self.name in CARELESS else self.name).discard(view)
        self._add(view, chosen)
        return chosen

    def play(self, view: View) -> Card:
        """Return the card to play, and add what it loses."""
        careless = CARELESS.get(self.name)
        chosen = careless(view.legal.cards) if careless else get(self.name).play(view)
        self._add(view, (chosen,))
        return chosen

    def _add(self, view: View, chosen: tuple[Card, ...]) -> None:
        if view.legal.action == self.course.action:
            item = judge(view, chosen)
            if not item.forced:
                self.loss += self.course.loss_of(item)


def losses(name: str, other: str, course: Course, games: int, seed: int) -> list[float]:
    """Return what a player lost in each of their exams of a course, against a level."""
    found = []
    for number in range(games):
        player, seat = Judged(name, other, course), number % 2
        seats: list[ArenaPlayer] = [player, get(other)] if seat == 0 else [get(other), player]
        play_game(seats, partial(pack, seed + number), target=course.target)
        found.append(player.loss)
    return found


def main() -> None:
    """Play, and print the shares."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from games.learn.courses.exams import LEVEL

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES, help="of each player")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    print(f"{asked.games} games of each player against {LEVEL}")
    print(
        "player ".ljust(9) + "".join(f"{each.key} to {each.target}".rjust(20) for each in COURSES)
    )
    for name in [*CARELESS, *(level.name for level in levels())]:
        shares = []
        for course in COURSES:
            found = losses(name, LEVEL, course, asked.games, asked.seed)
            shares.append(sum(course.is_within(loss) for loss in found) / len(found))
        print(f"{name:9}" + "".join(f"{share:20.1%}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
