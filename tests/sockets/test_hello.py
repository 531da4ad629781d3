"""The time limit for a new connection's `hello`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from games.live.runtime import runtime
from games.live.table import Table
from games.sockets import consumers
from tests.live.test_turn_clock import discarding
from tests.support.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)

WITHIN = consumers.HELLO_WITHIN


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the limit."""
    monkeypatch.setattr(consumers, "HELLO_WITHIN", 0.05)


def test_clients_are_told_how_long_they_have_for_a_hello() -> None:
    told = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    assert f"sends `hello` within {WITHIN:g} seconds" in told


def test_a_hello_in_time_is_answered_however_long_the_table_takes_to_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        find = runtime().matches.find

        async def find_late(public_id: str) -> Table | None:
            await asyncio.sleep(3 * consumers.HELLO_WITHIN)
            return await find(public_id)

        monkeypatch.setattr(runtime().matches, "find", find_late)
        here = await Wire(match, ann).open()
        assert await here.hear("table")
        await here.hang_up()

    run(scenario())


def test_a_hello_in_time_is_answered_however_long_its_log_takes_to_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, _) = make_match()
    catch_up = Table.catch_up

    async def catch_up_late(table: Table) -> bool:
        await asyncio.sleep(3 * consumers.HELLO_WITHIN)
        return await catch_up(table)

    async def scenario() -> None:
        monkeypatch.setattr(Table, "catch_up", catch_up_late)
        here = await Wire(match, ann).open()
        assert await here.hear("table")
        await here.hang_up()

    run(scenario())


def test_a_connection_whose_hello_failed_has_the_time_limit_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, _) = make_match()

    async def failing(table: Table) -> bool:
        raise ZeroDivisionError

    async def scenario() -> None:
        monkeypatch.setattr(Table, "catch_up", failing)
        here = await Wire(match, ann).open()
        await here.ended()
        assert here.closed is not None

    run(scenario())


def test_nothing_precedes_the_answer_to_another_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, bob) = make_match()
    asked, may_answer = asyncio.Event(), asyncio.Event()
    catch_up = Table.catch_up

    async def catch_up_late(table: Table) -> bool:
        asked.set()
        await may_answer.wait()
        return await catch_up(table)

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        version = (await discarding(here))["v"]
        own = (await discarding(there))["legal"]["cards"]
        monkeypatch.setattr(Table, "catch_up", catch_up_late)
        before = len(here.heard)
        here.send({"t": "hello", "d": {"v": version}})
        await asked.wait()
        assert (await there.ask("discard", cards=own[:2]))["t"] == "ok"
        assert here.heard[before:] == []
        may_answer.set()
        assert (await here.hear("steps"))["v"] == version + 1
        assert len([text for text in here.heard[before:] if '"steps"' in text]) == 1
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


def test_a_connection_without_a_hello_is_closed() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open(hello=False)
        await here.ended()
        assert here.closed is not None
        assert here.heard == []

    run(scenario())
