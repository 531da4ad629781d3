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
