"""New connections: few are accepted in one turn of the event loop."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from typing import Any

import uvloop
from twisted.internet.protocol import Factory
from twisted.internet.tcp import Port

from cribbage_site.accepting import PER_TURN, accept_few
from tests.support.data_servers import HOST

TURNS = 5
WAITING = 3 * TURNS * PER_TURN


class Reactor:
    """What a listening socket needs of Twisted's reactor."""

    def addReader(self, _reader: Any) -> None:  # noqa: N802 - Twisted's name
        """Do nothing: the test says when to read."""


class Doorman(Factory):
    """Counts connections, and closes them."""

    accepted = 0

    def buildProtocol(self, _address: Any) -> None:  # noqa: N802 - Twisted's name
        self.accepted += 1


def connect(clients: ExitStack, port: int) -> None:
    for _ in range(WAITING):
        clients.enter_context(socket.create_connection((HOST, port)))


def test_daphne_accepts_few_in_each_turn() -> None:
    doorman: Any = Doorman()
    reactor: Any = Reactor()
    port: Any = Port(0, doorman, WAITING, HOST, reactor)
    port.startListening()
    accept_few(port)
    with ExitStack() as clients:
        clients.callback(port.socket.close)
        connect(clients, port.getHost().port)
        for turn in range(TURNS):
            assert doorman.accepted == turn * PER_TURN
            port.doRead()


def test_uvicorns_loop_accepts_one_in_each_turn() -> None:
    """So uvicorn needs no limit of the site's own."""
    turns: list[int] = [0]

    class Guest(asyncio.Protocol):
        def connection_made(self, _transport: Any) -> None:
            turns[-1] += 1

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Guest, HOST, 0, backlog=WAITING)
        with ExitStack() as clients:
            connect(clients, server.sockets[0].getsockname()[1])
            while sum(turns) < WAITING:
                turns.append(0)
                await asyncio.sleep(0)
        server.close()

    uvloop.run(scenario())
    assert max(turns) == 1
