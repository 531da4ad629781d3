"""Turns of page requests: few are answered at the same time, and the others wait on the event loop.

A request that is being answered has a thread, and a database connection from its first query to its
end. When a round of a large event is paired, hundreds of pages are asked for at once. Without turns
each would start its thread, and all but the first few would queue for a connection of the pool,
which gives up after ten seconds: those pages would fail, and moves would queue with them.

A request that has waited for too long, or finds too many others waiting, gets a short page that
says so (status 503). Health checks and sockets take no turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from django.conf import settings

from cribbage_site.busy_page import busy_page
from cribbage_site.origin import Application
from games.ops import metrics

AT_ONCE = 12
"""Requests answered at the same time without a pool: one thread at a time computes anyway."""

MAX_WAITING = 1_000
"""Requests that wait at the same time: about as many as are answered before the first gives up."""

Message = dict[str, Any]


def at_once(pool_size: int) -> int:
    """Return how many requests are answered at the same time; the rest of the pool is for moves."""
    return max(1, pool_size * 3 // 5) if pool_size else AT_ONCE


class PageTurns:
    """The turns of this process's page requests.

    Args:
        number: how many may be answered at the same time.
        max_wait: seconds that others wait.
        max_waiting: how many others wait.

    Attributes:
        waiting: the number of requests that are waiting for their turn.
    """

    def __init__(self, number: int, max_wait: float = 15, max_waiting: int = MAX_WAITING) -> None:
        self._free = asyncio.Semaphore(number)
        self._max_wait, self._max_waiting = max_wait, max_waiting
        self.waiting = 0

    def pages(self, application: Application) -> Application:
        """Return the application, wrapped so that its requests take turns.

        A turn begins once the whole request has been received and ends when the first part of the
        answer is ready, so that slow clients don't hold one.
        """

        async def in_turn(scope: Message, receive: Any, send: Any) -> Any:
            turn = _Turn(self, receive, send)
            try:
                return await application(scope, turn.receive, turn.send)
            except TooManyPages as refusal:
                metrics.PAGES_REFUSED[refusal.reason] += 1
                for message in busy_page(scope):
                    await send(message)
                return None
            finally:
                turn.close()

        return in_turn

    async def take(self) -> None:
        """Wait for a turn.

        Raises:
            TooManyPages: if that takes too long, or too many others wait.
        """
        if not self._free.locked():
            await self._free.acquire()
            return
        if self.waiting >= self._max_waiting:
            raise TooManyPages("crowded")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._max_wait):
                await self._free.acquire()
        except TimeoutError:
            raise TooManyPages("late") from None
        finally:
            self.waiting -= 1

    def give_back(self) -> None:
        """End a turn."""
        self._free.release()


class TooManyPages(Exception):
    """A request gets no turn.

    Attributes:
        reason: ``late`` or ``crowded``, as in the metrics.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Turn:
    """The turn of one request."""

    def __init__(
        self,
        turns: PageTurns,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        self._turns, self._receive, self._send = turns, receive, send
        self._held = False
        self._next: asyncio.Future[Message] | None = None

    async def receive(self) -> Message:
        """Return the next message of the client; the last part of a request when its turn begins.

        Clients that have left by then are not answered.

        Raises:
            TooManyPages: if the request gets no turn.
        """
        if self._next is not None:
            return await asyncio.shield(self._next)
        message = await self._receive()
        if message["type"] != "http.request" or message.get("more_body"):
            return message
        self._next = asyncio.ensure_future(self._receive())
        await self._turns.take()
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
            self._turns.give_back()


@cache
def page_turns() -> PageTurns:
    """Return the turns of this process."""
    return PageTurns(at_once(settings.DATABASE_POOL), settings.PAGE_WAIT_SECONDS)
