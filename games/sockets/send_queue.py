"""The send queue of a socket: ordered and bounded, so that a slow client delays nobody else."""

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
"""Maximum number of messages waiting for a slow socket."""

MAX_UNHEARD = 256 * 1024
"""Maximum bytes sent to a client that sends nothing itself, not even a ping.

The longest message is not counted, so that a long reply can always be sent.
"""

PATIENCE = 5.0
"""Seconds to wait for the last message to be sent before closing a socket."""


class Outbox:
    """Sends text messages to one socket, one after the other; create it in the socket's own task.

    Args:
        send: the socket's ASGI send.
        drop: called once if the client reads too slowly.

    Attributes:
        dead: whether the queue is closed, so that nothing more is sent.
        given_up: whether it was closed because the client reads too slowly.
    """

    __slots__ = (
        "_busy",
        "_drop",
        "_held",
        "_longest",
        "_owner",
        "_sealed",
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
        self._sealed = False
        self._unheard = 0
        self._longest = 0
        self._owner = asyncio.current_task()
        self.dead = False
        self.given_up = False

    @property
    def stuck(self) -> bool:
        """Whether nothing can be sent at the moment."""
        return self._held or self._busy

    def hold(self) -> None:
        """Pause sending, because the transport's buffer is full."""
        self._held = True

    def release(self) -> None:
        """Resume sending after `hold`."""
        self._held = False
        self.flush()

    def heard(self) -> None:
        """Record that the client has sent something."""
        self._unheard = self._longest = 0

    def push(self, text: str) -> None:
        """Send ``text`` after the messages already waiting; does not block.

        In the socket's own task the text is only queued, since that task flushes the queue once it
        has answered a message. In other tasks it is sent at once if possible.
        """
        if self.stuck or self._texts or asyncio.current_task() is self._owner:
            self.put(text)
        elif self._may_send(text):
            self._begin(text)

    def put(self, text: str) -> None:
        """Queue ``text`` until the next `flush`."""
        if self._may_send(text):
            self._texts.append(text)

    def _may_send(self, text: str) -> bool:
        """Return whether one more message may be sent; close the queue if there are too many."""
        if self.dead or self._sealed:
            return False
        self._unheard += len(text)
        self._longest = max(self._longest, len(text))
        if len(self._texts) < MAX_WAITING and self._unheard - self._longest <= MAX_UNHEARD:
            return True
        logger.info("client reads too slowly: dropped with %d messages", len(self._texts))
        self.given_up = True
        self.close()
        self._drop()
        return False

    def flush(self) -> None:
        """Send the waiting messages as far as possible; does not block."""
        while self._texts and not self.stuck:
            self._begin(self._texts.popleft())

    def seal(self) -> None:
        """Accept no more messages; those that are waiting are still sent."""
        self._sealed = True

    async def finish(self) -> None:
        """Send the waiting messages, and wait until they are sent."""
        self.flush()
        if self._busy and self._task is not None:
            await asyncio.wait({self._task}, timeout=PATIENCE)

    def close(self) -> None:
        """Discard the waiting messages, and send nothing more."""
        self.dead = True
        self._texts.clear()

    def _begin(self, text: str) -> None:
        """Send ``text`` without creating a task, unless the send has to wait."""
        sending = self._send({"type": "websocket.send", "text": text})
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        except Exception as error:  # servers raise various errors for a lost connection
            self._connection_lost(error)
            return
        self._busy = True
        self._task = asyncio.create_task(self._finish_sending(_StartedSend(sending, waits_for)))

    async def _finish_sending(self, begun: _StartedSend) -> None:
        """Finish a send that has begun, then send the waiting messages."""
        try:
            await begun
            while self._texts and not self._held:
                await self._send({"type": "websocket.send", "text": self._texts.popleft()})
        except Exception as error:  # servers raise various errors for a lost connection
            self._connection_lost(error)
        finally:
            self._busy = False

    def _connection_lost(self, error: Exception) -> None:
        logger.debug("connection lost: %r", error)
        self.close()


class _StartedSend:
    """An awaitable for the rest of a coroutine that was started by hand and awaits a future."""

    def __init__(self, begun: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self._begun = begun
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._waits_for
        while True:
            try:
                yield waits_for
            except BaseException as error:  # pass a cancellation of the task to the coroutine
                proceed = partial(self._begun.throw, error)
            else:
                proceed = partial(self._begun.send, None)
            try:
                waits_for = proceed()
            except StopIteration:
                return
