"""The pool of standard games without a database, by the site's rule and by the one before it.

`Pool` uses the functions of `ratings.standard.catalogue` and `ratings.standard.trust` that decide
about a draw; `tests/ratings/standard/test_adversary.py` compares it with the database.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from random import Random

from ratings.standard.catalogue import CLOSES_AT, HANDED_DOWN_FOR, draw, pool_depth
from ratings.standard.trust import ESTABLISHED, GUEST, TableTrust

DAY = 24 * 60.0
"""Minutes."""
HANDED_DOWN_MINUTES = HANDED_DOWN_FOR.total_seconds() / 60


@dataclass(eq=False, slots=True)
class Game:
    """A standard game: who was dealt it, and who has finished it."""

    number: int
    trust: int = ESTABLISHED
    dealt: set[int] = field(default_factory=set)
    plays: int = 0
    filled: float | None = None


@dataclass
class Pool:
    """The pool by the site's rule. Times are in minutes."""

    rng: Random
    open: dict[int, Game] = field(default_factory=dict)
    fields: list[int] = field(default_factory=list)
    made: int = 0
    recent: dict[int, deque[float]] = field(default_factory=dict)

    def deal(
        self, now: float, people: Collection[int], same: Collection[int], table: TableTrust
    ) -> Game:
        """Deal a table a game that is new to these identities, and return it."""
        game = self.choose(now, {*people, *same}, table)
        game.dealt.update(people)
        game.trust = min(game.trust, table.least)
        return game

    def finish(self, now: float, game: Game) -> None:
        """Count a finished play."""
        game.plays += 1
        self.recent.setdefault(game.trust, deque()).append(now)
        if game.plays >= CLOSES_AT and game.filled is None:
            game.filled = now
        if game.trust == GUEST:
            self._close(game)

    def choose(self, now: float, known_to: Collection[int], table: TableTrust) -> Game:
        """Return the game for a table, which may be new."""
        self.close_finished(now)
        full, shared = self.candidates(known_to, table)
        if full:
            return self.open[self.rng.choice(full)]
        depth = pool_depth(self._plays_today(now, table.least))
        shared.sort(key=lambda number: (-self.open[number].plays, number))
        number = draw(shared[: max(depth, 1)], depth, self.rng) if table.shares else None
        return self._make() if number is None else self.open[number]

    def candidates(
        self, known_to: Collection[int], table: TableTrust
    ) -> tuple[list[int], list[int]]:
        """Return the games with a full field, and those whose field a table may join."""
        full, shared = [], []
        for game in self.open.values():
            if game.plays >= CLOSES_AT:
                if game.trust >= table.lowest_full and game.dealt.isdisjoint(known_to):
                    full.append(game.number)
            elif game.trust == table.least and table.shares and game.dealt.isdisjoint(known_to):
                shared.append(game.number)
        return full, shared

    def close_finished(self, now: float) -> None:
        """Close the games that have waited long enough for less trusted players."""
        before = now - HANDED_DOWN_MINUTES
        for game in list(self.open.values()):
            if game.filled is not None and game.filled < before:
                self._close(game)

    def _plays_today(self, now: float, level: int) -> int:
        times = self.recent.setdefault(level, deque())
        while times and times[0] < now - DAY:
            times.popleft()
        return len(times)

    def _make(self) -> Game:
        self.made += 1
        self.open[self.made] = Game(self.made)
        return self.open[self.made]

    def _close(self, game: Game) -> None:
        if self.open.pop(game.number, None) is not None:
            self.fields.append(game.plays)


class OldestFirst(Pool):
    """The rule before: the oldest open game that is new to the table."""

    def choose(self, now: float, known_to: Collection[int], table: TableTrust) -> Game:
        """Return the game for a table, which may be new."""
        for game in self.open.values():
            if game.dealt.isdisjoint(known_to):
                return game
        return self._make()

    def finish(self, now: float, game: Game) -> None:
        """Count a finished play."""
        game.plays += 1
        if game.plays >= CLOSES_AT:
            self._close(game)
