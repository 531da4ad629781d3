"""What Redis says in one go is worked off in parts, so that moves are answered in between."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from games.cluster import announce
from games.cluster.bus import PER_TURN, Bus
from games.live.runtime import READ_AGAIN_AT_ONCE, runtime, shut_down

TABLES = 5 * READ_AGAIN_AT_ONCE
MESSAGES = 10 * PER_TURN


class Watcher:
    """A listener without a seat."""

    seat = None


class TableInUse:
    """A table that is read again once the test allows it."""

    def __init__(self, pk: int) -> None:
        self.pk = pk
        self.listeners = {Watcher()}
        self.meta = SimpleNamespace(public_id=str(pk))
        self.begun = self.done = False
        self.may_read = asyncio.Event()

    def publish(self, _change: Any) -> None:
        """Do nothing: nobody listens."""

    async def follow_log(self) -> None:
        self.begun = True
        await self.may_read.wait()

    async def reload_seats(self, *, always: bool) -> None:
        self.done = always


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.django_db(transaction=True)
def test_few_tables_are_read_again_at_the_same_time() -> None:
    async def scenario() -> None:
        parts = runtime()
        tables: Any = [TableInUse(pk) for pk in range(1, TABLES + 1)]
        gone = tables[READ_AGAIN_AT_ONCE]
        try:
            parts.matches.open.update({table.pk: table for table in tables})
            for table in tables:
                parts._subscribed(announce.channel(table.pk))
            await settle()
            begun = [table.begun for table in tables]
            assert begun == [True] * READ_AGAIN_AT_ONCE + [False] * 4 * READ_AGAIN_AT_ONCE
            gone.listeners.clear()
            for table in tables:
                table.may_read.set()
                await settle()
            assert [table for table in tables if not table.done] == [gone]
        finally:
            parts.matches.open.clear()
            await shut_down()

    asyncio.run(scenario())


def test_others_run_between_the_messages_of_a_chunk() -> None:
    heard: list[str] = []
    most = 0

    async def scenario() -> None:
        bus = Bus(
            "redis://nowhere",
            (),
            on_message=lambda _, message: heard.append(message),
            on_subscribe=lambda _: None,
            on_reconnect=lambda: None,
        )
        stream = asyncio.StreamReader()
        stream.feed_data(b"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n" * MESSAGES)
        connection = SimpleNamespace(_reader=stream)
        listening = asyncio.ensure_future(bus._listen(connection))
        nonlocal most
        while len(heard) < MESSAGES:
            before = len(heard)
            await asyncio.sleep(0)
            most = max(most, len(heard) - before)
        listening.cancel()

    asyncio.run(scenario())
    assert most <= PER_TURN
