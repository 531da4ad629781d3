"""A TCP proxy that can go dead, to try half-open connections."""

from __future__ import annotations

import asyncio
from typing import Self

from tests.support.data_servers import HOST


class DeadWire:
    """A TCP proxy that stops forwarding without closing either side.

    Attributes:
        dead: whether all connections, also new ones, swallow what they are sent.
    """

    def __init__(self, port: int) -> None:
        self.to = port
        self.dead = False
        self._tasks: list[asyncio.Task[None]] = []
        self._epoch = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, HOST, 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()

    def swallow(self) -> None:
        """Let the present connections swallow everything from now on, but not new ones."""
        self._epoch += 1
        self.dead = False

    async def _connected(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, forth = await asyncio.open_connection(HOST, self.to)
        self._tasks += [
            asyncio.create_task(self._carry(near, forth, self._epoch)),
            asyncio.create_task(self._carry(far, back, self._epoch)),
        ]

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, epoch: int
    ) -> None:
        while data := await source.read(65536):
            if not self.dead and epoch == self._epoch:
                sink.write(data)
                await sink.drain()
