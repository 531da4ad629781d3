"""Moves whose task is cancelled while they are being stored: they are stored, and told."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from games.engine import rules
from games.engine.moves import Resign, parse_move
from games.engine.state import State
from games.live.commands import make_move
from games.live.runtime import runtime, shut_down
from games.log import store
from tests.live.test_absence import dealt
from tests.live.test_play import ready, thrown
from tests.support.people import Wire, make_computer_match, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)


def hold_writer() -> tuple[threading.Event, threading.Event]:
    """Hold the writer's work; return what is set once it has begun, and what lets it go on."""
    writer, begun, gate = runtime().writer, threading.Event(), threading.Event()
    work = writer.work

    def held(batch: Any) -> Any:
        begun.set()
        gate.wait()
        return work(batch)

    writer.work = held  # type: ignore[method-assign]
    return begun, gate


def test_a_table_hears_of_a_move_that_is_stored_after_its_sender_was_cut_off() -> None:
    """The server cancels a socket's task, even several times, while the database is slow."""
    match, (_, bob) = make_match()

    async def scenario() -> None:
        there = await Wire(match, bob).open()
        view = await dealt(there)
        live = await ready(match)
        begun, gate = hold_writer()
        cut_off = asyncio.create_task(make_move(table=live, seat=0, decision=thrown(live, 0)))
        await asyncio.to_thread(begun.wait)
        for _ in range(2):
            cut_off.cancel()
            await asyncio.sleep(0)
        gate.set()
        assert (await there.hear("steps"))["v"] == view["v"] + 1
        with pytest.raises(asyncio.CancelledError):
            await cut_off
        await there.hang_up()

    run(scenario())


def test_other_processes_hear_of_a_computers_move_that_is_stored_while_this_one_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, _ = make_computer_match()
    told: list[str] = []

    async def scenario() -> None:
        live = await ready(match)
        monkeypatch.setattr(runtime().peers, "send", lambda _, message: told.append(message))
        begun, gate = hold_writer()
        await asyncio.to_thread(begun.wait)  # the computer's discard
        stopping = asyncio.create_task(shut_down())
        await asyncio.sleep(0)
        gate.set()
        await stopping
        assert live.acted.keys() == {1}

    run(scenario())
    assert told[-1] == f"version {len(store.whole(match.pk))}"


def test_a_move_after_one_whose_sender_was_cut_off_is_not_lost() -> None:
    """It waits until the first one is stored, and gets the next number."""
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        await make_move(table=live, seat=0, decision=thrown(live, 0))
        begun, gate = hold_writer()
        cut_off = asyncio.create_task(make_move(table=live, seat=1, decision=thrown(live, 1)))
        await asyncio.to_thread(begun.wait)
        cut_off.cancel()
        resigned = asyncio.create_task(make_move(table=live, seat=0, decision=Resign(0)))
        await asyncio.sleep(0)
        gate.set()
        left.append((await resigned, live.state))

    left: list[tuple[int, State]] = []
    run(scenario())
    ((version, state),) = left
    moves = [parse_move(entry.text) for entry in store.whole(match.pk)]
    assert moves[-1] == Resign(0), "it is stored, since it was acknowledged"
    assert rules.fold(state.ruleset, moves) == state
    assert version == len(moves)


def test_a_move_is_dropped_without_an_error_when_its_event_loop_ends() -> None:
    """Python closes what still waits for an answer then, which must not ask for that answer."""
    match, _ = make_match()

    async def scenario() -> None:
        live = await ready(match)
        begun, gate = hold_writer()
        moving = make_move(table=live, seat=0, decision=thrown(live, 0))
        moving.send(None)
        await asyncio.to_thread(begun.wait)
        try:
            moving.close()
        finally:
            gate.set()

    run(scenario())
    assert len(store.whole(match.pk)) > 1, "it is stored"
