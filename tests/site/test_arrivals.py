"""New sockets: few are accepted and read in one turn of the event loop, pages are read at once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
import uvloop
from twisted.internet.protocol import Factory
from twisted.internet.tcp import Port

from cribbage_site import arrivals
from cribbage_site.arrivals import ACCEPTED, MOST, READ, Arrivals, accept_few
from tests.support.data_servers import HOST

TURNS = 3
WAITING = 2 * TURNS * ACCEPTED
SOCKET = b"GET /ws/t/abc/ HTTP/1.1\r\n\r\n"
PAGE = b"GET /healthz HTTP/1.1\r\n\r\n"


class Connection:
    """A server's protocol for one connection."""

    def __init__(self, line: Arrivals, *data: bytes) -> None:
        self.read: list[bytes] = []
        self.left = False
        self.transport = SimpleNamespace(is_closing=lambda: self.left)
        line.guard(self, "data_received")
        for part in data:
            self.data_received(part)

    def data_received(self, data: bytes) -> None:
        self.read.append(data)


def count(connections: list[Connection]) -> int:
    """Return how many have been read."""
    return sum(bool(each.read) for each in connections)


async def turn() -> None:
    """Let the loop run one turn."""
    await asyncio.sleep(0)


def test_few_sockets_are_read_in_each_turn_and_pages_at_once() -> None:
    async def scenario() -> None:
        line = Arrivals(lambda: True)
        sockets = [Connection(line, SOCKET) for _ in range(3 * READ)]
        page = Connection(line, PAGE, PAGE)
        assert (count(sockets), line.waiting, page.read) == (0, 3 * READ, [PAGE, PAGE])
        for number in range(1, 4):
            await turn()
            assert count(sockets) == number * READ
        assert line.waiting == 0

    asyncio.run(scenario())


def test_a_move_is_answered_before_the_sockets_in_line() -> None:
    """However many arrive in one turn, few are read between two steps of a move."""

    async def scenario() -> None:
        line = Arrivals(lambda: True)
        sockets = [Connection(line, SOCKET) for _ in range(5_000)]
        for _ in range(6):  # the steps of a move
            await turn()
        assert count(sockets) <= 6 * READ

    asyncio.run(scenario())


def test_sockets_wait_in_line_while_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        room = False
        line = Arrivals(lambda: room)
        first, second = Connection(line, SOCKET), Connection(line, SOCKET[:5])
        assert second.read == [SOCKET[:5]], "what is not known to be for a socket is read"
        await turn()
        await turn()
        assert (first.read, line.waiting) == ([], 1)
        first.data_received(b"more")
        monkeypatch.setattr(arrivals, "LONGEST", 0.0)
        while line.waiting:  # noqa: ASYNC110 - the line tells nobody
            await asyncio.sleep(0.001)
        assert first.read == [SOCKET + b"more"], "it has waited long enough"
        first.data_received(b"frame")
        assert first.read[1:] == [b"frame"]

    asyncio.run(scenario())


def test_a_client_that_leaves_the_line_is_not_read() -> None:
    async def scenario() -> None:
        line = Arrivals(lambda: True)
        gone, long = Connection(line, SOCKET), Connection(line, SOCKET, b"x" * MOST)
        gone.left = True
        assert long.read == [SOCKET + b"x" * MOST], "a long request is not kept"
        await turn()
        assert (gone.read, len(long.read), line.waiting) == ([], 1, 0)

    asyncio.run(scenario())


class Reactor:
    """What a listening socket needs of Twisted's reactor."""

    def addReader(self, _reader: Any) -> None:  # noqa: N802 - Twisted's name
        """Do nothing: the test says when to read."""


class Doorman(Factory):
    """Counts connections, and closes them."""

    accepted = 0

    def buildProtocol(self, _address: Any) -> None:  # noqa: N802 - Twisted's name
        self.accepted += 1


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connect(clients: ExitStack, port: int) -> None:
    for _ in range(WAITING):
        clients.enter_context(socket.create_connection((HOST, port)))


def test_daphne_accepts_few_in_each_turn(clients: ExitStack) -> None:
    doorman: Any = Doorman()
    reactor: Any = Reactor()
    port: Any = Port(0, doorman, WAITING, HOST, reactor)
    port.startListening()
    clients.callback(port.socket.close)
    accept_few(port)
    connect(clients, port.getHost().port)
    for number in range(TURNS):
        assert doorman.accepted == number * ACCEPTED
        port.doRead()


def test_uvicorns_loop_accepts_one_in_each_turn(clients: ExitStack) -> None:
    """So uvicorn needs no limit of the site's own."""
    turns: list[int] = [0]

    class Guest(asyncio.Protocol):
        def connection_made(self, _transport: Any) -> None:
            turns[-1] += 1

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Guest, HOST, 0, backlog=WAITING)
        connect(clients, server.sockets[0].getsockname()[1])
        while sum(turns) < WAITING:
            turns.append(0)
            await asyncio.sleep(0)
        server.close()

    uvloop.run(scenario())
    assert max(turns) == 1
