"""The send queue of a socket: ordered and bounded, so that a slow client does not delay others."""

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

MAX_UNANSWERED = 256 * 1024
"""Maximum bytes sent to a client that sends nothing itself, not even a ping.

The longest message is not counted, so that a long reply can always be sent.
"""

PATIENCE = 5.0
"""Seconds to wait for the last message to be sent before closing a socket."""


class SendQueue:
    """Sends text messages to one socket, one after the other; create it in the socket's own task.

    Args:
        send: the socket's ASGI send.
        drop: called once if the client reads too slowly.

    Attributes:
        closed: whether the queue is closed, so that nothing more is sent.
        overflowed: whether it was closed because the client reads too slowly.
    """

    __slots__ = (
        "_busy",
        "_drop",
        "_longest",
        "_loop",
        "_owner",
        "_paused",
        "_sealed",
        "_send",
        "_task",
        "_texts",
        "_unanswered",
        "closed",
        "overflowed",
    )

    def __init__(self, send: Send, drop: Callable[[], None]) -> None:
        self._send = send
        self._drop = drop
        self._texts: deque[str] = deque()
        self._task: asyncio.Task[None] | None = None
        self._busy = False
        self._paused = False
        self._sealed = False
        self._unanswered = 0
        self._longest = 0
        self._loop = asyncio.get_running_loop()
        self._owner = asyncio.current_task(self._loop)
        self.closed = False
        self.overflowed = False

    @property
    def blocked(self) -> bool:
        """Whether nothing can be sent at the moment."""
        return self._paused or self._busy

    def pause(self) -> None:
        """Pause sending, because the transport's buffer is full."""
        self._paused = True

    def resume(self) -> None:
        """Resume sending after `pause`."""
        self._paused = False
        self.flush()

    def client_active(self) -> None:
        """Record that the client has sent something."""
        self._unanswered = self._longest = 0

    def push(self, text: str) -> None:
        """Send ``text`` after the messages already waiting; does not block.

        In the socket's own task the text is only queued, since that task flushes the queue once it
        has answered a message. In other tasks it is sent at once if possible.
        """
        if self.blocked or self._texts or asyncio.current_task(self._loop) is self._owner:
            self.put(text)
        elif self._may_send(text):
            self._begin(text)

    def put(self, text: str) -> None:
        """Queue ``text`` until the next `flush`."""
        if self._may_send(text):
            self._texts.append(text)

    def _may_send(self, text: str) -> bool:
        """Return whether one more message may be sent; close the queue if there are too many."""
        if self.closed or self._sealed:
            return False
        self._unanswered += len(text)
        self._longest = max(self._longest, len(text))
        if len(self._texts) < MAX_WAITING and self._unanswered - self._longest <= MAX_UNANSWERED:
            return True
        logger.info("client reads too slowly: dropped with %d messages", len(self._texts))
        self.overflowed = True
        self.close()
        self._drop()
        return False

    def flush(self) -> None:
        """Send the waiting messages as far as possible; does not block."""
        while self._texts and not self.blocked:
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
        self.closed = True
        self._texts.clear()

    def release(self) -> None:
        """Close the queue, and forget the socket, which refers to it: see `Intake.release`."""
        self.close()
        self._drop = _nothing
        self._owner = None

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
            while self._texts and not self._paused:
                await self._send({"type": "websocket.send", "text": self._texts.popleft()})
        except Exception as error:  # servers raise various errors for a lost connection
            self._connection_lost(error)
        finally:
            self._busy = False

    def _connection_lost(self, error: Exception) -> None:
        logger.debug("connection lost: %r", error)
        self.close()


def _nothing() -> None:
    """Do nothing."""


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
