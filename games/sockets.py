"""A websocket as a small ASGI application: the frame around the table's and the lobby's consumers.

It is leaner than a Channels consumer, which goes through the one thread for database work with
every message: nothing here touches the database, and what extends it does so only through
`database_sync_to_async`, the Writer and the Reader.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from django.conf import settings

from games import frames, lines, meters, protocol
from games.engine.illegal import IllegalMove
from games.outbox import Outbox, Send
from games.protocol import Ping
from games.refusals import Refused

logger = logging.getLogger(__name__)

MAX_STRIKES = 10
"""Refused frames in a row, forgiven one for each good one, after which a socket is closed."""

BAD_FRAMES, FORBIDDEN, NOT_FOUND, FLOOD, RESTART = 4400, 4403, 4404, 4429, 4503
"""Close codes."""

BYTES = 512
"""Bytes for each message of the rate that a client may send for long; at once, all may be long."""

LINGER = 1.0
"""Seconds for which who is closed for what he sent can read why; then the line is cut."""

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Bye(Exception):
    """Ends a connection: the code of the `bye` message, and the close code."""

    def __init__(self, code: str, close: int) -> None:
        super().__init__(code)
        self.code = code
        self.close = close


class Message(Protocol):
    """What a message means; `id` is the sender's own name for it, "" for none."""

    @property
    def id(self) -> str:
        """Return the id."""


C = TypeVar("C", bound=Message)


class Socket(Generic[C]):
    """One connection, from accepting to closing; ``C`` are the commands that it takes.

    Attributes:
        kind: what it is a connection to, in one word, for whoever counts.
    """

    kind: ClassVar[str]

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self.outbox = Outbox(send, self._dropped)
        self._loop = asyncio.get_running_loop()
        self._rate = float(settings.SOCKET_RATE)
        self._tokens = 2 * self._rate
        self._filled = self._loop.time()
        self._strikes = 0
        self._listening: asyncio.Task[Any] | None = None
        self._bye: Bye | None = None

    @classmethod
    def as_asgi(cls) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
        """Return the ASGI application that runs one of these for each connection."""

        async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope, receive, send).run()

        return application

    async def opened(self) -> None:
        """Begin, after accepting; may raise `Bye`."""

    async def closed(self) -> None:
        """End; called once, whatever happened."""

    def read(self, text: str) -> C | Ping:
        """Return what a message means.

        Raises:
            Refused: when it cannot be read.
        """
        raise NotImplementedError

    async def command(self, command: C) -> None:
        """Do what a message asks.

        Raises:
            Refused, IllegalMove: the sender is told.
            Bye: the connection ends.
        """
        raise NotImplementedError

    async def run(self) -> None:
        """Serve the connection until either side closes it."""
        await self._receive()  # websocket.connect
        await self._send({"type": "websocket.accept"})
        lines.watch(self._send, full=self.outbox.hold, empty=self.outbox.release)
        self._intake = self._take_in()
        OPEN.add(self)
        try:
            await self.opened()
            logger.info("a %s's socket is open", self.kind)
            self.outbox.flush()
            await self._serve()
            if self._bye is not None or self.outbox.given_up:
                await self._end()
        except Bye as bye:
            self._bye = bye
            await self._end()
        except asyncio.CancelledError:
            if not self.outbox.dead and self._bye is None:
                raise
            await self._end()
        finally:
            OPEN.discard(self)
            logger.info("a %s's socket has ended: %s", self.kind, self._bye or "closed")
            self.outbox.close()
            await self.closed()

    def _take_in(self) -> lines.Intake:
        """Bound what comes in, also what never becomes a message."""
        return lines.Intake(
            self._send,
            pace=self._rate * BYTES,
            most=2 * self._rate * protocol.MAX_FRAME,
            over=lambda: self.end(Bye("too_many", FLOOD)),
        )

    async def _end(self) -> None:
        """Say why the connection ends, and close it."""
        self._listening = None
        meters.DROPPED[self._bye.code if self._bye is not None else "unread"] += 1
        if self._bye is None:
            if not (self.outbox.stuck and lines.cut(self._send)):
                await self._close(FLOOD)
            return
        if self._bye.close in {FLOOD, BAD_FRAMES}:
            # The server would read on until the client answers, which he need not.
            self._intake.stop()
            self._loop.call_later(LINGER, lines.cut, self._send)
        self.outbox.put(frames.bye(self._bye.code))
        await self.outbox.finish()
        await self._close(self._bye.close)

    def end(self, bye: Bye) -> None:
        """End the connection from outside its own task."""
        self._bye = bye
        self._dropped()

    async def _serve(self) -> None:
        self._listening = asyncio.current_task()
        while not self.outbox.dead and self._bye is None:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            self._listening = None
            await self._frame(message.get("text"))
            self.outbox.flush()
            self._listening = asyncio.current_task()

    async def _frame(self, text: str | None) -> None:
        """Answer one frame; every bad one gets a code."""
        self.outbox.heard()
        command: C | Ping | None = None
        try:
            self._take_token()
            command = self.read(text or "")
            if isinstance(command, Ping):
                self.outbox.put(frames.PONG)
            else:
                await self.command(command)
        except Refused as refusal:
            logger.info("refused: %s", refusal.code)
            ident = command.id if command else protocol.reply_id(text or "")
            self.outbox.put(frames.error(refusal.code, refusal.detail, ident))
            if command is None:
                self._strike(refusal.code)
            return
        except IllegalMove as illegal:
            # Its sentence names cards.
            logger.info("refused by the rules: %s", illegal.code)
            self.outbox.put(
                frames.error(illegal.code, illegal.message, command.id if command else "")
            )
            self.refused()
            return
        self._strikes = max(0, self._strikes - 1)

    def refused(self) -> None:
        """Show the client where the game stands, after a move that the rules refused."""

    def _take_token(self) -> None:
        """Take one from the token bucket: a rate for long, twice as many at once."""
        now = self._loop.time()
        self._tokens = min(2 * self._rate, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1:
            raise Refused("too_many")
        self._tokens -= 1

    def _strike(self, code: str) -> None:
        self._strikes += 1
        if self._strikes > MAX_STRIKES:
            raise Bye(code, FLOOD if code == "too_many" else BAD_FRAMES)

    def _dropped(self) -> None:
        """Stop waiting for a socket that does not read."""
        if self._listening is not None:
            self._listening.cancel()

    async def _close(self, code: int) -> None:
        try:
            await asyncio.wait_for(self._send({"type": "websocket.close", "code": code}), 5)
        except Exception as error:  # whatever the server raises for a socket that has gone
            logger.debug("a socket has gone: %r", error)


OPEN: set[Socket[Any]] = set()
"""The connections of this process."""
