"""What waits to be sent to one socket: in order, bounded, and nobody else's trouble."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any

logger = logging.getLogger(__name__)

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

MAX_WAITING = 256
"""Messages that may wait for a slow socket."""

MAX_UNHEARD = 256 * 1024
"""Bytes that may be sent to a client that says nothing at all, not even a ping."""

PATIENCE = 5.0
"""Seconds for which a socket that is to be closed is waited for."""


class Outbox:
    """Sends text messages to one socket, one after the other; made in the socket's own task.

    Args:
        send: the socket's ASGI send.
        drop: called once when the socket has to be given up.

    Attributes:
        dead: whether nothing more is sent.
        given_up: whether that is so because the client reads too little.
    """

    __slots__ = (
        "_busy",
        "_drop",
        "_held",
        "_owner",
        "_send",
        "_task",
        "_texts",
        "_unheard",
        "dead",
        "given_up",
    )

    def __init__(self, send: Send, drop: Callable[[], None]) -> None:
        self._send = send
        self._drop = drop
        self._texts: deque[str] = deque()
        self._task: asyncio.Task[None] | None = None
        self._busy = False
        self._held = False
        self._unheard = 0
        self._owner = asyncio.current_task()
        self.dead = False
        self.given_up = False

    @property
    def stuck(self) -> bool:
        """Whether the line takes nothing at present."""
        return self._held or self._busy

    def hold(self) -> None:
        """Send nothing for now: the line is full."""
        self._held = True

    def release(self) -> None:
        """Go on, after `hold`."""
        self._held = False
        self.flush()

    def heard(self) -> None:
        """Note that the client has said something."""
        self._unheard = 0

    def push(self, text: str) -> None:
        """Send ``text`` after whatever waits; returns at once.

        The socket's own task flushes when it has answered a message, and needs nothing more for
        that. For others' a send is tried here and now.
        """
        if self.stuck or self._texts or asyncio.current_task() is self._owner:
            self.put(text)
        elif self._may_send(text):
            self._begin(text)

    def put(self, text: str) -> None:
        """Have ``text`` wait until the next `flush` or `push`."""
        if self._may_send(text):
            self._texts.append(text)

    def _may_send(self, text: str) -> bool:
        """Say whether one more message is taken; a socket that reads too little is given up."""
        if self.dead:
            return False
        self._unheard += len(text)
        if len(self._texts) < MAX_WAITING and self._unheard <= MAX_UNHEARD:
            return True
        logger.info("a socket does not read: dropped with %d messages", len(self._texts))
        self.given_up = True
        self.close()
        self._drop()
        return False

    def flush(self) -> None:
        """Send what waits, unless the line takes nothing at present; returns at once."""
        while self._texts and not self.stuck:
            self._begin(self._texts.popleft())

    async def finish(self) -> None:
        """Send what waits, and wait until it is sent."""
        self.flush()
        if self._busy and self._task is not None:
            await asyncio.wait({self._task}, timeout=PATIENCE)

    def close(self) -> None:
        """Send nothing more."""
        self.dead = True
        self._texts.clear()

    def _begin(self, text: str) -> None:
        """Send ``text`` here and now: only a socket that makes wait gets a task."""
        sending = self._send({"type": "websocket.send", "text": text})
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        except Exception as error:  # whatever the server raises for a socket that has gone
            self._gone(error)
            return
        self._busy = True
        self._task = asyncio.create_task(self._go_on(_Begun(sending, waits_for)))

    async def _go_on(self, begun: _Begun) -> None:
        """Send what waits, after what was begun."""
        try:
            await begun
            while self._texts and not self._held:
                await self._send({"type": "websocket.send", "text": self._texts.popleft()})
        except Exception as error:  # whatever the server raises for a socket that has gone
            self._gone(error)
        finally:
            self._busy = False

    def _gone(self, error: Exception) -> None:
        logger.debug("a socket has gone: %r", error)
        self.close()


class _Begun:
    """The rest of a coroutine that waits for a future; to be awaited in a task."""

    def __init__(self, begun: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self._begun = begun
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._waits_for
        while True:
            try:
                yield waits_for
            except BaseException as error:  # a cancelled task: the coroutine is to hear of it
                proceed = partial(self._begun.throw, error)
            else:
                proceed = partial(self._begun.send, None)
            try:
                waits_for = proceed()
            except StopIteration:
                return
