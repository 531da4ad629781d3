"""The time limit for a new connection's `hello`."""

from __future__ import annotations

import asyncio

import pytest

from games.live.runtime import runtime
from games.live.table import Table
from games.sockets import consumers
from tests.support.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the limit."""
    monkeypatch.setattr(consumers, "HELLO_WITHIN", 0.05)


def test_a_hello_in_time_is_answered_however_long_the_table_takes_to_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        find = runtime().matches.get

        async def find_late(public_id: str) -> Table | None:
            await asyncio.sleep(3 * consumers.HELLO_WITHIN)
            return await find(public_id)

        monkeypatch.setattr(runtime().matches, "get", find_late)
        here = await Wire(match, ann).open()
        assert await here.hear("table")
        await here.hang_up()

    run(scenario())


def test_a_connection_without_a_hello_is_closed() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open(hello=False)
        await here.ended()
        assert here.closed is not None
        assert here.heard == []

    run(scenario())
