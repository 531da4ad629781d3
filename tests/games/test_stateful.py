"""Games that a machine plays over the real services, with illegal moves mixed in.

Hypothesis chooses what is tried, when, and in which of two processes that know nothing of each
other. What must come of it is judged beside the services: by the engine on the log as it is stored.
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

from games import chance, store
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
from games.live import KEPT_IDS, Live
from games.models import Hand, Match
from games.refusals import Refused
from games.runtime import runtime, shut_down
from games.services import make_move
from games.store import Entry
from tests.games.people import make_match

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
        """Make a match, and bring its first deal; seeded, so that it can be repeated."""
        self.cards = patch.object(chance, "_random", random.Random(seed))
        self.cards.start()
        self.runner = asyncio.Runner()
        self.match, _ = make_match(**ruleset)
        self.ruleset = Ruleset(**ruleset)
        self.log: list[Entry] = []
        self.states = [rules.start(self.ruleset)]
        self.acknowledged: list[tuple[Decision, str, int]] = []
        self.sent = 0
        self.lives: list[Live] = []
        self.start_anew()
        self.run(settle(self.lives[0]))
        self.read_on()

    def read_on(self) -> None:
        """Go on with what the log has got; what was stored before must stay as it was."""
        log = store.whole(self.match.pk)
        assert log[: len(self.log)] == self.log
        for entry in log[len(self.log) :]:
            self.states.append(rules.apply(self.state, parse_move(entry.text)).state)
        self.log = log

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the machine's event loop."""
        return self.runner.run(work)

    @property
    def state(self) -> State:
        """The match as the log tells it."""
        return self.states[-1]

    def stored(self) -> list[Any]:
        """Return all that the database holds of the match."""
        return [
            store.whole(self.match.pk),
            list(Match.objects.filter(pk=self.match.pk).values()),
            list(Hand.objects.filter(match=self.match.pk).order_by("pk").values()),
        ]

    def attempt(self, process: int, move: Decision) -> None:
        """Make a move in one process: it must be answered as the rules say of the stored log."""
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
        """Ask the service for a move."""
        live = self.lives[process]
        return await make_move(live=live, seat=move.seat, decision=move, client_id=ident)

    @rule(process=processes, which=st.lists(choices, min_size=1, max_size=8))
    def play_on(self, process: int, which: list[int]) -> None:
        """Make some legal moves."""
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
        """Make what is legal for one seat in the name of the seat to its left."""
        state = self.state
        for seat in rules.waiting(state)[:1]:
            moves = list(rules.legal_moves(state, seat))
            move = moves[choice % len(moves)]
            other = (seat + 1) % self.ruleset.players
            self.attempt(process, type(move)(other, *rest_of(move)))

    @precondition(lambda self: len(self.state.hands) > 2)
    @rule(process=processes, seat=seats)
    def resign(self, process: int, seat: int) -> None:
        """Give the match up, where that is allowed."""
        if seat < self.ruleset.players:
            self.attempt(process, Resign(seat))

    @precondition(lambda self: self.acknowledged)
    @rule(process=processes, back=st.integers(min_value=1, max_value=KEPT_IDS // 2))
    def send_again(self, process: int, back: int) -> None:
        """Send a move of before again, to whichever process: the same answer, and nothing new."""
        move, ident, version = self.acknowledged[-min(back, len(self.acknowledged))]
        before = self.stored()
        assert self.run(self.send(process, move, ident)) == version
        assert self.stored() == before

    @precondition(lambda self: self.acknowledged)
    @rule(process=processes, move=anything)
    def use_an_id_twice(self, process: int, move: Decision) -> None:
        """Send another move under an id that is taken: refused, whatever the rules say of it."""
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
            await runtime().matches.catch_up(live)

    @rule()
    def start_anew(self) -> None:
        """End both processes and start them: what they knew is gone."""
        self.run(shut_down())
        self.lives = [self.run(load(self.match.public_id))]
        self.lives.append(Live(self.lives[0].header))

    @invariant()
    def the_log_folds_to_what_the_processes_know(self) -> None:
        """The log folds to the state, and to theirs as far as they have read it."""
        log = store.whole(self.match.pk)
        moves = (parse_move(entry.text) for entry in log)
        assert rules.fold(self.ruleset, moves) == self.state
        for live in self.lives:
            assert live.state == self.states[live.version]

    @invariant()
    def the_summaries_are_those_of_the_log(self) -> None:
        """Hands that ended are summed up once, and the match's result is the fold's."""
        ended = sum(
            before.hand is not None and after.hand is None
            for before, after in pairwise(self.states)
        )
        assert Hand.objects.filter(match=self.match.pk).count() == ended
        match = Match.objects.get(pk=self.match.pk)
        assert (match.status == Match.Status.FINISHED) == (self.state.phase is Phase.OVER)
        assert match.winner == self.state.winner

    def teardown(self) -> None:
        """Close what the processes hold."""
        if hasattr(self, "runner"):
            self.run(shut_down())
            self.runner.close()
            self.cards.stop()


def rest_of(move: Decision) -> list[Any]:
    """Return the fields of a move, its seat left out."""
    return [getattr(move, one.name) for one in fields(move) if one.name != "seat"]


def refusal_of(state: State, move: Decision) -> str | None:
    """Return the code with which the rules refuse a move; None where they allow it."""
    try:
        rules.apply(state, move)
    except IllegalMove as illegal:
        return illegal.code
    return None


async def load(public_id: str) -> Live:
    """Return a match as a process that starts reads it."""
    live = await runtime().matches.get(public_id)
    assert live is not None
    return live


async def settle(live: Live) -> None:
    """Bring what chance owes before the first decision."""
    await runtime().judge.settle(live)


def test_whatever_is_tried_at_a_table_the_log_is_the_game() -> None:
    run_state_machine_as_test(
        Tables,
        settings=settings(
            max_examples=10,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
