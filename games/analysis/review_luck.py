"""Luck and skill in a whole match: how each step of each game changed the chance to win.

Every position is valued with all cards known, as each seat's chance to win the game if all players
continue like the fast house player (with three seats, by rules of thumb, with an approximate chance
for the scores). The changes add up exactly::

    chance at the start + deals + starters + decisions + counting + resigning = result
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from games.analysis import luck, luck_three, winning
from games.engine import rules
from games.engine.moves import Claim, Deal, Discard, Move, Muggins, Pass, Play, Resign, Starter
from games.engine.state import Ruleset, State

Kind = Literal["deal", "starter", "discard", "play", "count", "resign"]
KINDS: dict[type[Move], Kind] = {
    Deal: "deal",
    Starter: "starter",
    Discard: "discard",
    Play: "play",
    Claim: "count",
    Muggins: "count",
    Pass: "count",
    Resign: "resign",
}
LUCK: tuple[Kind, ...] = ("deal", "starter")
SKILL: tuple[Kind, ...] = ("discard", "play", "count")

Chances = tuple[float, ...]

DIGITS = 6
"""Decimal places stored."""


@dataclass(frozen=True, slots=True)
class Shift:
    """One step of a game: its number in the log, its kind, and its seat (None for chance).

    `before` and `after` are each seat's chance to win the game.
    """

    sequence: int
    kind: Kind
    seat: int | None
    before: Chances
    after: Chances

    def to_list(self) -> list[Any]:
        """Return sequence, kind, seat and the chances after it, for JSON."""
        after = [round(chance, DIGITS) for chance in self.after]
        return [self.sequence, self.kind, self.seat, after]


@dataclass(frozen=True, slots=True)
class GameAccount:
    """The steps of one game: its number from 1, the chances at its start, and each change."""

    game: int
    start: Chances
    shifts: tuple[Shift, ...]

    @property
    def end(self) -> Chances:
        """Each seat's chance after the last step (the result of a finished game)."""
        return self.shifts[-1].after if self.shifts else self.start

    def moved(self, seat: int, kind: Kind, by: int | None = None) -> float:
        """Return what ``seat`` gained from steps of a kind by seat ``by`` (None for chance)."""
        return sum(
            shift.after[seat] - shift.before[seat]
            for shift in self.shifts
            if shift.kind == kind and shift.seat == by
        )

    def skill(self, seat: int, by: int) -> float:
        """Return what ``seat`` gained from the discards, plays and counts of seat ``by``."""
        return sum(self.moved(seat, kind, by) for kind in SKILL)

    def luck(self, seat: int) -> float:
        """Return what ``seat`` gained from deals and starters."""
        return sum(self.moved(seat, kind) for kind in LUCK)

    def resigned(self, seat: int) -> float:
        """Return what ``seat`` gained from a resignation, its own or another seat's."""
        return sum(self.moved(seat, "resign", by) for by in range(len(self.start)))

    def to_dict(self) -> dict[str, Any]:
        """Return the account as plain values, for JSON."""
        shifts = [shift.to_list() for shift in self.shifts]
        return {"game": self.game, "start": list(self.start), "shifts": shifts}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GameAccount:
        """Return the account written by `to_dict`."""
        before = start = tuple(data["start"])
        shifts = []
        for sequence, kind, seat, chances in data["shifts"]:
            after = tuple(chances)
            shifts.append(Shift(sequence, kind, seat, before, after))
            before = after
        return cls(data["game"], start, tuple(shifts))


def accounts(ruleset: Ruleset, moves: Iterable[Move]) -> Iterator[GameAccount]:
    """Yield the account of each game of a log in which a hand was dealt, once the game is over.

    Raises:
        IllegalMove: if the log cannot be replayed.
    """
    state = rules.start(ruleset)
    shifts: list[Shift] = []
    game, start = 0, (0.0,) * ruleset.players
    for sequence, move in enumerate(moves):
        previous = state
        state = rules.apply(state, move).state
        kind = KINDS.get(type(move))
        if kind is None:
            continue
        if isinstance(move, Deal) and state.game != game:
            if shifts:
                yield GameAccount(game, start, tuple(shifts))
            game, shifts = state.game, []
            start = before_deal((0,) * ruleset.players, previous.dealer or 0, ruleset.target)
        if game and not (shifts and len(previous.results) >= game):
            before = shifts[-1].after if shifts else start
            seat = getattr(move, "seat", None)
            shifts.append(Shift(sequence, kind, seat, before, open_chances(state, previous)))
    if shifts:
        yield GameAccount(game, start, tuple(shifts))


def open_chances(state: State, previous: State) -> Chances:
    """Return each seat's chance to win with all cards known; ``previous`` is the state before."""
    if state.ruleset.players == 3:
        return luck_three.open_value(state, previous)
    won = luck.open_value(state, previous)
    return (won, 1.0 - won)


def before_deal(scores: tuple[int, ...], dealer: int, target: int) -> Chances:
    """Return each seat's chance to win before ``dealer`` deals."""
    return winning.win_probability(scores, dealer, target=target)
