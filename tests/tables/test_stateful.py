"""A stateful test of the real services, with illegal moves mixed in.

Hypothesis chooses which actions to try, in which order, and in which of two processes that do not
hear of each other. The expected outcome comes from the engine, applied to the stored log.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from dataclasses import fields
from itertools import pairwise
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.moves import (
    Claim,
    Decision,
    Discard,
    Muggins,
    Pass,
    Play,
    Resign,
    parse_move,
    to_text,
)
from games.engine.state import Phase, Ruleset, State
from games.live import dealing
from games.live.commands import make_move
from games.live.match_state import KEPT_IDS
from games.live.runtime import runtime, shut_down
from games.live.table import Table
from games.log import store
from games.log.store import Entry
from games.models import Hand, Match
from games.wire.refusals import Refused
from tests.support.people import make_match

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")

RULESETS: tuple[dict[str, Any], ...] = (
    {"target": 61},
    {"target": 61, "games": 3},
    {"target": 61, "counting": "manual"},
    {"target": 61, "counting": "manual", "muggins": True},
    {"players": 3, "target": 61},
    {"players": 3, "target": 61, "counting": "manual", "muggins": True},
)

cards = st.integers(min_value=0, max_value=51)
points = st.integers(min_value=-1, max_value=40)
seats = st.integers(min_value=0, max_value=2)
processes = st.integers(min_value=0, max_value=1)
choices = st.integers(min_value=0, max_value=10_000)
anything: st.SearchStrategy[Decision] = st.one_of(
    st.builds(Discard, seats, st.lists(cards, min_size=1, max_size=2).map(tuple)),
    st.builds(Play, seats, cards, st.none() | points),
    st.builds(Claim, seats, points),
    st.builds(Muggins, seats, points),
    st.builds(Pass, seats),
)


class Tables(RuleBasedStateMachine):
    """One match in two processes."""

    @initialize(ruleset=st.sampled_from(RULESETS), seed=choices)
    def sit_down(self, ruleset: dict[str, Any], seed: int) -> None:
        """Create a match and its first deal; seeded, so that it is reproducible."""
        self.cards = patch.object(dealing, "_random", random.Random(seed))
        self.cards.start()
        self.runner = asyncio.Runner()
        self.match, _ = make_match(**ruleset)
        self.ruleset = Ruleset(**ruleset)
        self.log: list[Entry] = []
        self.states = [rules.start(self.ruleset)]
        self.acknowledged: list[tuple[Decision, str, int]] = []
        self.sent = 0
        self.lives: list[Table] = []
        self.restart()
        self.run(settle(self.lives[0]))
        self.read_on()

    def read_on(self) -> None:
        """Apply new log entries; earlier entries must be unchanged."""
        log = store.whole(self.match.pk)
        assert log[: len(self.log)] == self.log
        for entry in log[len(self.log) :]:
            self.states.append(rules.apply(self.state, parse_move(entry.text)).state)
        self.log = log

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the state machine's event loop."""
        return self.runner.run(work)

    @property
    def state(self) -> State:
        """The match's state according to the log."""
        return self.states[-1]

    def stored(self) -> list[Any]:
        """Return what the database contains about the match.

        Whether its luck has been measured is left out: a thread does that some time after the end.
        """
        fields = [each.attname for each in Match._meta.fields if each.name != "measured"]
        return [
            store.whole(self.match.pk),
            list(Match.objects.filter(pk=self.match.pk).values(*fields)),
            list(Hand.objects.filter(match=self.match.pk).order_by("pk").values()),
        ]

    def attempt(self, process: int, move: Decision) -> None:
        """Make a move in one process; the answer must follow the rules and the stored log."""
        self.sent += 1
        ident = f"m-{self.sent}"
        code = refusal_of(self.state, move)
        if code is not None:
            before = self.stored()
            with pytest.raises(IllegalMove) as refused:
                self.run(self.send(process, move, ident))
            assert refused.value.code == code
            assert self.stored() == before
            return
        version = self.run(self.send(process, move, ident))
        assert version == len(self.log) + 1
        self.read_on()
        mine = self.log[version - 1]
        assert (mine.seat, mine.text, mine.client_id) == (move.seat, to_text(move), ident)
        assert all(entry.seat is None for entry in self.log[version:]), "only chance follows"
        self.acknowledged.append((move, ident, version))

    async def send(self, process: int, move: Decision, ident: str) -> int:
        """Call the service to make a move."""
        live = self.lives[process]
        return await make_move(table=live, seat=move.seat, decision=move, client_id=ident)

    @rule(process=processes, which=st.lists(choices, min_size=1, max_size=8))
    def play_on(self, process: int, which: list[int]) -> None:
        """Make a few legal moves."""
        for choice in which:
            state = self.state
            if state.phase is Phase.OVER:
                return
            waiting = rules.waiting(state)
            moves = list(rules.legal_moves(state, waiting[choice % len(waiting)]))
            self.attempt(process, moves[choice % len(moves)])

    @rule(process=processes, move=anything)
    def try_anything(self, process: int, move: Decision) -> None:
        """Make any move, legal or not."""
        if move.seat < self.ruleset.players:
            self.attempt(process, move)

    @rule(process=processes, choice=choices)
    def play_out_of_turn(self, process: int, choice: int) -> None:
        """Make a move that is legal for one seat as the seat to its left."""
        state = self.state
        for seat in rules.waiting(state)[:1]:
            moves = list(rules.legal_moves(state, seat))
            move = moves[choice % len(moves)]
            other = (seat + 1) % self.ruleset.players
            self.attempt(process, type(move)(other, *rest_of(move)))

    @precondition(lambda self: self.state.hands)
    @rule(process=processes, seat=seats)
    def resign(self, process: int, seat: int) -> None:
        """Resign the match if that is allowed."""
        if seat < self.ruleset.players:
            self.attempt(process, Resign(seat))

    @precondition(lambda self: self.acknowledged)
    @rule(process=processes, back=st.integers(min_value=1, max_value=KEPT_IDS // 2))
    def send_again(self, process: int, back: int) -> None:
        """Resend an earlier move to either process: same answer, nothing new stored."""
        move, ident, version = self.acknowledged[-min(back, len(self.acknowledged))]
        before = self.stored()
        assert self.run(self.send(process, move, ident)) == version
        assert self.stored() == before

    @precondition(lambda self: self.acknowledged)
    @rule(process=processes, move=anything)
    def use_an_id_twice(self, process: int, move: Decision) -> None:
        """Send a different move with a used id: refused, whether it is legal or not."""
        taken, ident, _ = self.acknowledged[-1]
        before = self.stored()
        self.run(self.hear_nudges())
        if move.seat == taken.seat and to_text(move) != to_text(taken):
            with pytest.raises(Refused, match="id_used"):
                self.run(self.send(process, move, ident))
        assert self.stored() == before

    async def hear_nudges(self) -> None:
        """Bring both processes up to date, as a nudge would."""
        for live in self.lives:
            await live.catch_up()

    @rule()
    def restart(self) -> None:
        """Restart both processes, so that they lose what they knew."""
        self.run(shut_down())
        self.lives = [self.run(load(self.match.public_id))]
        self.lives.append(Table(self.lives[0].meta, self.lives[0]._services))

    @invariant()
    def the_log_folds_to_what_the_processes_know(self) -> None:
        """The log folds to the expected state, and each process agrees as far as it has read."""
        log = store.whole(self.match.pk)
        moves = (parse_move(entry.text) for entry in log)
        assert rules.fold(self.ruleset, moves) == self.state
        for live in self.lives:
            assert live.state == self.states[live.version]

    @invariant()
    def the_summaries_are_those_of_the_log(self) -> None:
        """Each finished hand has one summary, and the stored result is that of the fold."""
        ended = sum(
            before.hand is not None and after.hand is None
            for before, after in pairwise(self.states)
        )
        assert Hand.objects.filter(match=self.match.pk).count() == ended
        match = Match.objects.get(pk=self.match.pk)
        assert (match.status == Match.Status.FINISHED) == (self.state.phase is Phase.OVER)
        assert match.winner == self.state.winner

    def teardown(self) -> None:
        """Shut down the runtime and the event loop."""
        if hasattr(self, "runner"):
            self.run(shut_down())
            self.runner.close()
            self.cards.stop()


def rest_of(move: Decision) -> list[Any]:
    """Return a move's fields without its seat."""
    return [getattr(move, one.name) for one in fields(move) if one.name != "seat"]


def refusal_of(state: State, move: Decision) -> str | None:
    """Return the code of the rules' refusal of a move, or None if it is legal."""
    try:
        rules.apply(state, move)
    except IllegalMove as illegal:
        return illegal.code
    return None


async def load(public_id: str) -> Table:
    """Return a match as loaded by a newly started process."""
    live = await runtime().matches.get(public_id)
    assert live is not None
    return live


async def settle(live: Table) -> None:
    """Make the chance moves before the first decision."""
    await live.deal()


def test_any_sequence_of_actions_leaves_log_and_processes_consistent() -> None:
    run_state_machine_as_test(
        Tables,
        settings=settings(
            max_examples=10,
            stateful_step_count=25,
            suppress_health_check=[HealthCheck.data_too_large],
        ),
    )
