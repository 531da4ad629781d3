"""Fuzz test with a million messages: ``python -m benchmarks.fuzz [--messages N] [--seed N]``.

Each message goes through the socket parser and then the engine. The only allowed results are a
command, a refusal or an IllegalMove, and the previous state must not change. Otherwise
`UnexpectedResult` is raised with the message; the same seed reproduces it. Moves that happen to be
legal are made, so that the tables go through whole matches.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from typing import get_args

from benchmarks.hostile import KINDS, hostile
from games.engine.illegal import IllegalMove
from games.engine.moves import Move, MoveError, parse_move
from games.engine.rules import apply, chance, start
from games.engine.state import Phase, Ruleset, State
from games.wire import protocol
from games.wire.protocol import Act, Command
from games.wire.refusals import SENTENCES, Refused
from tests.support.positions import chance_move

RULESETS = (
    Ruleset(),
    Ruleset(target=61, games=3),
    Ruleset(players=3),
    Ruleset(counting="manual"),
    Ruleset(counting="manual", muggins=True),
    Ruleset(players=3, target=61, counting="manual", muggins=True),
)
TABLES = 60
"""Number of concurrent matches."""

WALKS = 0.3
"""Probability that a table without a seat to act advances before a message."""

RESTARTS = 0.1
"""Share of the steps at a finished match that start the next one: before that, moves must be
refused there as well."""


class UnexpectedResult(AssertionError):
    """A message had a result that is not allowed, or changed a state."""


@dataclass
class Table:
    """A match, and an independent copy of its state."""

    ruleset: Ruleset
    state: State
    copy: State


@dataclass
class Report:
    """Counts of results.

    Attributes:
        outcomes: by (kind of message, result); "made" is a move that was legal.
        phases: moves judged, by phase of the match.
        matches: number of finished matches.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    matches: int = 0

    @property
    def messages(self) -> int:
        """Total number of messages."""
        return self.outcomes.total()

    def lines(self) -> list[str]:
        """Return a table with a line per kind of message, and the counts of refusal codes."""
        lines = [f"{'kind':14}{'sent':>10}{'no message':>12}{'refused':>10}{'made':>9}{'other':>9}"]
        for kind in KINDS:
            mine = Counter({what: n for (k, what), n in self.outcomes.items() if k == kind})
            groups = Counter[str]()
            for what, number in mine.items():
                groups[group(what)] += number
            lines.append(
                f"{kind:14}{mine.total():10,}{groups['parser']:12,}{groups['rules']:10,}"
                f"{groups['made']:9,}{groups['other']:9,}"
            )
        codes = Counter[str]()
        for (_, what), number in self.outcomes.items():
            codes[what] += number
        lines.append("by answer: " + ", ".join(f"{what} {n:,}" for what, n in codes.most_common()))
        lines.append("by phase: " + ", ".join(f"{p} {n:,}" for p, n in self.phases.most_common()))
        lines.append(f"{self.matches:,} matches were played to their end on the way")
        return lines


def group(outcome: str) -> str:
    """Return the table column of an outcome."""
    if outcome in {"made", "other"}:
        return outcome
    return "parser" if outcome in {"malformed", "unknown_type", "too_long", "no_line"} else "rules"


class Fuzz:
    """Tables, and the messages sent to them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.report = Report()
        self.tables = [self._fresh(RULESETS[at % len(RULESETS)]) for at in range(TABLES)]

    def run(self, messages: int) -> Report:
        """Send that many messages.

        Raises:
            UnexpectedResult: if a result is not allowed.
        """
        for _ in range(messages):
            table = self.rng.choice(self.tables)
            self._walk(table)
            kind = self.rng.choice(KINDS)
            text, seat = hostile(kind, table.state, self.rng)
            try:
                outcome = (
                    self._line(table, text) if kind == "log line" else self._send(table, text, seat)
                )
            except UnexpectedResult:
                raise
            except Exception as error:
                raise UnexpectedResult(f"{kind}, seat {seat}: {text!r}: {error!r}") from error
            if table.state != table.copy:
                raise UnexpectedResult(f"{kind}, seat {seat}: {text!r} changed the state")
            self.report.outcomes[kind, outcome] += 1
        return self.report

    def _send(self, table: Table, text: str, seat: int) -> str:
        """Handle a message like a socket."""
        try:
            command = protocol.parse(text)
        except Refused as refusal:
            if not isinstance(protocol.reply_id(text), str):
                raise UnexpectedResult(f"{text!r}: an id that is no text") from refusal
            return documented_code(refusal.code)
        if not isinstance(command, get_args(Command)):
            raise UnexpectedResult(f"{text!r} is {command!r}")
        if not isinstance(command, Act):
            return "other"
        outcome = self._judge(table, command.make(seat))
        return outcome if outcome == "made" else documented_code(outcome)

    def _line(self, table: Table, text: str) -> str:
        """Handle a line of a log like an import."""
        try:
            move = parse_move(text)
        except MoveError:
            return "no_line"
        return self._judge(table, move)

    def _judge(self, table: Table, move: Move) -> str:
        before = table.state
        self.report.phases[before.phase.value] += 1
        try:
            after = apply(before, move).state
        except IllegalMove as illegal:
            return illegal.code
        if before != table.copy or after.sequence != before.sequence + 1:
            raise UnexpectedResult(f"{move!r} changed the state that it was judged on")
        self._set_state(table, after)
        return "made"

    def _set_state(self, table: Table, state: State) -> None:
        table.state, table.copy = state, deepcopy(state)

    def _walk(self, table: Table) -> None:
        """Deal or draw if chance is due, or start a new match after the last one."""
        if self.rng.random() > WALKS:
            return
        if chance(table.state):
            self._set_state(table, apply(table.state, chance_move(table.state, self.rng)).state)
        elif table.state.phase is Phase.OVER and self.rng.random() < RESTARTS:
            self.report.matches += 1
            self._set_state(table, start(table.ruleset))

    def _fresh(self, ruleset: Ruleset) -> Table:
        state = start(ruleset)
        return Table(ruleset, state, deepcopy(state))


def documented_code(code: str) -> str:
    """Return the code of a refusal, which must have a sentence for people."""
    if code not in SENTENCES:
        raise UnexpectedResult(f"a refusal without a sentence: {code}")
    return code


def main() -> None:
    """Send messages and print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    started = time.perf_counter()
    report = Fuzz(asked.seed).run(asked.messages)
    seconds = time.perf_counter() - started
    print("\n".join(report.lines()))
    print(
        f"{report.messages:,} messages, seed {asked.seed}, {seconds:.0f} s: nothing else came out"
    )


if __name__ == "__main__":
    main()
