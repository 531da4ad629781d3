"""When a table's socket lets the next one open: once it was greeted, or if it says nothing."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from games.sockets import consumers
from games.sockets.consumers import TableSocket
from games.wire.protocol import Hello
from tests.support.waiting import DEADLINE


class Opening:
    """A table's socket that has just found its table.

    Attributes:
        ended: set once the next socket may open.
    """

    def __init__(self, greetings: asyncio.Semaphore) -> None:
        self.ended, self.may_answer = asyncio.Event(), asyncio.Event()
        self.fails = False
        socket: Any = TableSocket.__new__(TableSocket)
        socket.scope = {"opened": self.ended.set}
        socket.runtime = SimpleNamespace(greetings=greetings)
        socket._loop = asyncio.get_running_loop()
        socket._timer = socket._next = None
        socket._hello = self._hello
        socket.opening_ends()
        self.socket = socket

    async def _hello(self, _hello: Hello) -> None:
        await self.may_answer.wait()
        if self.fails:
            raise ValueError


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("fails", [False, True])
def test_the_next_socket_may_open_once_this_one_was_greeted(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    monkeypatch.setattr(consumers, "GREETING", 0.0)

    async def scenario() -> None:
        opening = Opening(asyncio.Semaphore(1))
        opening.fails = fails
        greeting = asyncio.ensure_future(opening.socket._greet(Hello(None)))
        await settle()
        assert not opening.ended.is_set()
        opening.may_answer.set()
        await asyncio.gather(greeting, return_exceptions=True)
        assert opening.ended.is_set()

    asyncio.run(scenario())


def test_a_socket_has_time_for_its_hello_before_the_next_one_opens() -> None:
    async def scenario() -> None:
        opening = Opening(asyncio.Semaphore(1))
        await settle()
        assert not opening.ended.is_set()
        left = opening.socket._next.when() - asyncio.get_running_loop().time()
        assert 0 < left < 1, "a whole crowd of silent sockets would wait one after the other"

    asyncio.run(scenario())


def test_a_socket_that_says_nothing_lets_the_next_one_open() -> None:
    async def scenario() -> None:
        opening = Opening(asyncio.Semaphore(1))
        assert not opening.ended.is_set()
        await asyncio.wait_for(opening.ended.wait(), DEADLINE)

    asyncio.run(scenario())


def test_few_are_greeted_at_the_same_time() -> None:
    async def scenario() -> None:
        greetings = asyncio.Semaphore(1)
        first, second = Opening(greetings), Opening(greetings)
        second.may_answer.set()
        tasks = [asyncio.ensure_future(each.socket._greet(Hello(None))) for each in (first, second)]
        await settle()
        assert not tasks[1].done()
        first.may_answer.set()
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
