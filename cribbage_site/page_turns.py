"""Turns of page requests: few are answered at the same time, and the others wait on the event loop.

A request that is being answered has a thread, and a database connection from its first query to its
end. When a round of a large event is paired, hundreds of pages are asked for at once. Without turns
each would start its thread, and all but the first few would queue for a connection of the pool,
which gives up after ten seconds: those pages would fail, and moves would queue with them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cribbage_site.origin import Application

AT_ONCE = 12
"""Requests answered at the same time without a pool: one thread at a time computes anyway."""

Message = dict[str, Any]


def at_once(pool_size: int) -> int:
    """Return how many requests are answered at the same time; the rest of the pool is for moves."""
    return max(1, pool_size * 3 // 5) if pool_size else AT_ONCE


class PageTurns:
    """The turns of this process's page requests.

    Args:
        number: how many may be answered at the same time.
    """

    def __init__(self, number: int) -> None:
        self._free = asyncio.Semaphore(number)

    def pages(self, application: Application) -> Application:
        """Return the application, wrapped so that its requests take turns.

        A turn begins once the whole request has been received and ends when the first part of the
        answer is ready, so that slow clients don't hold one.
        """

        async def in_turn(scope: Message, receive: Any, send: Any) -> Any:
            turn = _Turn(self._free, receive, send)
            try:
                return await application(scope, turn.receive, turn.send)
            finally:
                turn.close()

        return in_turn


class _Turn:
    """The turn of one request."""

    def __init__(
        self,
        free: asyncio.Semaphore,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        self._free, self._receive, self._send = free, receive, send
        self._held = False
        self._next: asyncio.Future[Message] | None = None

    async def receive(self) -> Message:
        """Return the next message of the client; the last part of a request when its turn begins.

        Clients that have left by then are not answered.
        """
        if self._next is not None:
            return await asyncio.shield(self._next)
        message = await self._receive()
        if message["type"] != "http.request" or message.get("more_body"):
            return message
        self._next = asyncio.ensure_future(self._receive())
        await self._free.acquire()
        self._held = True
        return self._next.result() if self._next.done() else message

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.body":
            self._leave()
        await self._send(message)

    def close(self) -> None:
        """End the turn with its request."""
        self._leave()
        if self._next is not None:
            self._next.cancel()

    def _leave(self) -> None:
        if self._held:
            self._held = False
            self._free.release()
