"""Reading what other processes store, while they cannot be heard."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from games.live.unheard import AT_ONCE, Unheard


def test_a_table_that_cannot_be_read_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """A newer process may have stored what this one does not know."""
    tables = {at: SimpleNamespace(meta=SimpleNamespace(public_id=f"m{at}")) for at in range(99)}
    read = []

    async def refresh(table: Any) -> None:
        if table is tables[AT_ONCE // 2]:
            raise ValueError
        read.append(table)

    presence, matches = SimpleNamespace(may_judge=False), SimpleNamespace(open=tables)
    asyncio.run(Unheard(cast(Any, presence), cast(Any, matches), refresh).read())
    assert len(read) == len(tables) - 1
    assert "match m16 could not be read" in caplog.text


def test_a_table_that_cannot_be_read_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """There is a round every two seconds, and an outage of Redis can last for hours."""
    presence = SimpleNamespace(may_judge=False)
    tables = {at: SimpleNamespace(meta=SimpleNamespace(public_id=f"m{at}")) for at in range(3)}
    corrupt = [tables[0], tables[1]]

    async def refresh(table: Any) -> None:
        if table in corrupt:
            raise ValueError

    async def rounds(unheard: Unheard, count: int) -> list[str]:
        caplog.clear()
        for _ in range(count):
            await unheard.read()
        return [message.split()[1] for message in caplog.messages]

    async def scenario() -> None:
        matches = SimpleNamespace(open=tables)
        unheard = Unheard(cast(Any, presence), cast(Any, matches), refresh)
        assert await rounds(unheard, 3) == ["m0", "m1"]
        corrupt[:] = [tables[1], tables[2]]
        assert await rounds(unheard, 3) == ["m2"]
        presence.may_judge = True
        assert await rounds(unheard, 1) == []
        presence.may_judge = False
        assert await rounds(unheard, 3) == ["m1", "m2"]

    asyncio.run(scenario())
