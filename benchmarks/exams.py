"""Who passes the courses' exams: ``make bench-exams``, or ``python -m benchmarks.exams --games N``.

Each level plays games to 61 against the exams' computer, from both seats by turns, and its own
decisions are judged as the review of an exam judges them. It prints the share of games whose loss
is within each course's limit.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from functools import partial

import django

from games.analysis.arena import ArenaPlayer, pack, play_game
from games.analysis.review import judge
from games.bots import get, levels
from games.engine.cards import Card
from games.engine.view import View
from games.learn.courses.catalogue import COURSES

GAMES = 400
SEED = 61


@dataclass
class Judged:
    """A player whose decisions are judged as they are made.

    Attributes:
        name: the level that plays.
        losses: by "discard" and "play", the chance to win lost so far; close decisions lose none.
    """

    name: str
    losses: dict[str, float] = field(default_factory=lambda: {"discard": 0.0, "play": 0.0})

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the cards to discard, and add what they lose."""
        chosen = get(self.name).discard(view)
        self._add(view, chosen)
        return chosen

    def play(self, view: View) -> Card:
        """Return the card to play, and add what it loses."""
        chosen = get(self.name).play(view)
        self._add(view, (chosen,))
        return chosen

    def _add(self, view: View, chosen: tuple[Card, ...]) -> None:
        item = judge(view, chosen)
        if not item.forced and item.verdict != "close":
            self.losses[item.action] += item.loss


def losses(name: str, other: str, target: int, games: int, seed: int) -> list[dict[str, float]]:
    """Return what a level lost in each of its games against another one."""
    found = []
    for number in range(games):
        player, seat = Judged(name), number % 2
        seats: list[ArenaPlayer] = [player, get(other)] if seat == 0 else [get(other), player]
        play_game(seats, partial(pack, seed + number), target=target)
        found.append(player.losses)
    return found


def main() -> None:
    """Play, and print the shares."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from games.learn.courses.exams import LEVEL, RULES, is_within

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES, help="of each level")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    print(f"{asked.games} games of each level against {LEVEL}, to {RULES.target}")
    print("level  " + "".join(f"{c.key}, at most {100 * c.limit:.1f}".rjust(26) for c in COURSES))
    for level in levels():
        found = losses(level.name, LEVEL, RULES.target, asked.games, asked.seed)
        shares = [sum(is_within(each[c.action], c) for each in found) / len(found) for c in COURSES]
        print(f"{level.name:7}" + "".join(f"{share:26.0%}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
