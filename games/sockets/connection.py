"""A websocket connection as a small ASGI application: the base class of all sockets.

It is leaner than a Channels consumer, which passes every message through the single thread for
database work. Nothing here touches the database; subclasses do so only through
`database_sync_to_async`, the Writer and the Reader.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from django.conf import settings
from django.db import Error as DatabaseError

from games.engine.illegal import IllegalMove
from games.live import messages
from games.live.connections import OPEN, is_logged_in
from games.live.runtime import runtime
from games.ops import metrics
from games.ops.availability import is_outage
from games.sockets import socket_counts, transport_limits
from games.sockets.send_queue import Send, SendQueue
from games.wire import protocol
from games.wire.protocol import Ping
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)

MAX_STRIKES = 10
"""Number of bad messages after which a socket is closed; each good one cancels a bad one."""

BAD_FRAMES, FORBIDDEN, NOT_FOUND, FLOOD, RESTART = 4400, 4403, 4404, 4429, 4503
"""Close codes."""

BYTES = 512
"""Average bytes of a message at a client's long-term rate; in a burst messages may be longer."""

TRY_AGAIN = 30
"""Seconds after which a client may try again if its player or address had too many sockets."""

AFTER_OUTAGE = 2
"""The same if the database could not be read; opening a socket waits for it anyway."""

AFTER_LOGIN = 2
"""The same if a guest logged in to an account: the browser gets its new session meanwhile."""

LINGER = 1.0
"""Seconds that a misbehaving client has to read why it is closed; then it is cut off."""

LONGER = 5.0
"""The same for a client that has done nothing wrong."""

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Bye(Exception):
    """Ends a connection.

    Attributes:
        code: the code of the `bye` message.
        close: the close code of the websocket.
        retry: seconds after which the client may try again; None if the code says when.
    """

    def __init__(self, code: str, close: int, *, retry: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.close = close
        self.retry = retry


class Message(Protocol):
    """A parsed message of a client."""

    @property
    def id(self) -> str:
        """The id that the client gave it; "" for none."""


C = TypeVar("C", bound=Message)


class Socket(Generic[C]):
    """One connection; ``C`` is the type of the commands that it takes.

    Attributes:
        kind: what it is connected to, in one word, for metrics and logs.
    """

    kind: ClassVar[str]

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.scope = scope
        # Kept, since each message asks several times and a model's `pk` takes long.
        self._player: int | None = getattr(scope.get("user"), "pk", None)
        self._receive = receive
        self._send = send
        self.send_queue = SendQueue(send, self._dropped)
        self._loop = asyncio.get_running_loop()
        self._rate = float(settings.SOCKET_RATE)
        self._tokens = 2 * self._rate
        self._filled = self._loop.time()
        self._strikes = 0
        self._listening: asyncio.Task[Any] | None = None
        self._bye: Bye | None = None
        self._gone = False  # whether the client has left
        self._held: list[socket_counts.Holder] = []

    @classmethod
    def as_asgi(cls) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
        """Return an ASGI application that runs an instance for each connection."""

        async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope, receive, send).run()

        return application

    @property
    def player(self) -> int | None:
        """The primary key of the connection's player; None for a visitor."""
        return self._player

    async def opened(self) -> None:
        """Start; called after accepting. May raise `Bye`."""

    def opening_ends(self) -> None:
        """Let the next socket open: see `cribbage_site.admission`."""
        self.scope.get("opened", lambda: None)()

    async def closed(self) -> None:
        """Clean up; called once, however the connection ended."""

    def read(self, text: str) -> C | Ping:
        """Parse a message.

        Raises:
            Refused: if it cannot be parsed.
        """
        raise NotImplementedError

    async def command(self, command: C) -> None:
        """Carry out a command.

        Raises:
            Refused, IllegalMove: to send an error to the client.
            Bye: to end the connection.

        After any other exception the client gets an error with the code ``failed``, or
        ``unavailable`` if the database could not be reached.
        """
        raise NotImplementedError

    async def run(self) -> None:
        """Serve the connection until either side closes it."""
        await self._receive()  # websocket.connect
        await self._send({"type": "websocket.accept"})
        transport_limits.watch(self._send, full=self.send_queue.pause, empty=self.send_queue.resume)
        self._intake = self._limit_intake()
        OPEN.add(self)
        try:
            self._hold("address", socket_counts.address_of(self.scope))
            self.count_player(self._player)
            await self.opened()
            self.opening_ends()
            logger.info("%s socket opened", self.kind)
            self.send_queue.flush()
            await self._serve()
            if self._bye is not None or self.send_queue.overflowed:
                await self._end()
        except Bye as bye:
            self._bye = bye
            await self._end()
        except DatabaseError:  # while opening; a message that fails is answered with an error
            logger.warning("%s socket: no database", self.kind)
            self._bye = Bye("busy", RESTART, retry=AFTER_OUTAGE)
            await self._end()
        except asyncio.CancelledError:
            if not self.send_queue.closed and self._bye is None:
                raise
            await self._end()
        finally:
            OPEN.discard(self)
            logger.info("%s socket closed: %s", self.kind, self._bye or "disconnected")
            self.send_queue.release()
            self._intake.release(gone=self._gone)
            for holder in self._held:
                socket_counts.release(holder)
            await self.closed()

    def count_player(self, player: int | None) -> None:
        """Count this socket as one of a player's; None for a visitor.

        Raises:
            Bye: if the player has too many.
        """
        self._hold("player", player)

    def _hold(self, what: str, whose: str | int | None) -> None:
        holder = (what, whose)
        most = settings.SOCKETS_PER_PLAYER if what == "player" else settings.SOCKETS_PER_ADDRESS
        if not whose:
            return
        if not socket_counts.take(holder, most):
            logger.info("too many sockets of one %s", what)
            raise Bye("too_many_sockets", FLOOD, retry=TRY_AGAIN)
        self._held.append(holder)

    def _limit_intake(self) -> transport_limits.Intake:
        """Limit incoming bytes, including those that never become a message."""
        return transport_limits.Intake(
            self._send,
            pace=self._rate * BYTES,
            most=2 * self._rate * protocol.MAX_FRAME,
            over=lambda: self.end(Bye("too_many", FLOOD)),
        )

    async def _end(self) -> None:
        """Send the reason for the end, and close the connection."""
        self._listening = None
        metrics.DROPPED[self._bye.code if self._bye is not None else "unread"] += 1
        if self._bye is None:
            if not (self.send_queue.blocked and transport_limits.cut(self._send)):
                await self._close(FLOOD)
            return
        if self._bye.close in {FLOOD, BAD_FRAMES}:
            # The server would keep reading until the client answers the close, if it ever does.
            self._intake.stop()
            linger = LINGER if self._bye.retry is None else LONGER
            self._loop.call_later(linger, transport_limits.cut, self._send)
        self.send_queue.put(messages.bye(self._bye.code, self._bye.retry))
        self.send_queue.seal()  # the client's last message is the reason
        await self.send_queue.finish()
        await self._close(self._bye.close)

    def end(self, bye: Bye) -> None:
        """End the connection from another task; the first of two reasons is the one given."""
        self._bye = self._bye or bye
        self._dropped()

    async def send_away(self, bye: Bye) -> None:
        """End the connection of a client that may no longer be here."""
        self.end(await self.reason_for(bye))

    async def reason_for(self, bye: Bye) -> Bye:
        """Return why a client has to go: one that is refused may have another session by now.

        A guest who has logged in to an account has their seats as the account, and comes back.
        """
        try:
            if bye.close != FORBIDDEN or await is_logged_in(runtime().lookups, self):
                return bye
        except DatabaseError:
            return Bye("busy", RESTART, retry=AFTER_OUTAGE)
        return Bye("restart", RESTART, retry=AFTER_LOGIN)

    def log_out(self) -> None:
        """End the connection, since its player was banned, deleted or logged out."""
        self.end(Bye("logged_out", FORBIDDEN))

    def come_back(self) -> None:
        """End the connection; the client returns with the new session of its browser."""
        self.end(Bye("restart", RESTART, retry=AFTER_LOGIN))

    async def _serve(self) -> None:
        self._listening = task = asyncio.current_task(self._loop)
        while not self.send_queue.closed and self._bye is None:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                self._gone = True
                return
            self._listening = None
            await self._frame(message.get("text"))
            self.send_queue.flush()
            self._listening = task

    async def _frame(self, text: str | None) -> None:
        """Answer one message; each bad one gets an error."""
        self.send_queue.client_active()
        command: C | Ping | None = None
        try:
            self._take_token()
            command = self.read(text or "")
            if isinstance(command, Ping):
                self.send_queue.put(messages.PONG)
            else:
                await self.command(command)
        except Refused as refusal:
            logger.info("refused: %s", refusal.code)
            ident = command.id if command else protocol.reply_id(text or "")
            self.send_queue.put(messages.error(refusal.code, refusal.detail, ident))
            if command is None:
                self._strike(refusal.code)
            else:
                self.not_done(command)
            return
        except IllegalMove as illegal:
            # Only the code, since the detail names cards.
            logger.info("refused by the rules: %s", illegal.code)
            self.send_queue.put(
                messages.error(illegal.code, illegal.detail, command.id if command else "")
            )
            self.refused()
            return
        except Bye:
            raise
        except Exception as error:
            logger.exception("%s socket: a message failed", self.kind)
            code = "unavailable" if is_outage(error) else "failed"
            self.send_queue.put(messages.error(code, "", command.id if command else ""))
            if command is not None:
                self.not_done(command)
            return
        self._strikes = max(0, self._strikes - 1)

    def refused(self) -> None:
        """Send the client the state of the game, after a move that the rules refused."""

    def not_done(self, command: C | Ping) -> None:
        """Go on after a message that was refused, or failed, for another reason than the rules."""

    def _take_token(self) -> None:
        """Take a token from the bucket, which allows bursts of twice the rate per second."""
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
        """Stop waiting for the client's next message."""
        if self._listening is not None:
            self._listening.cancel()

    async def _close(self, code: int) -> None:
        try:
            await asyncio.wait_for(self._send({"type": "websocket.close", "code": code}), 5)
        except Exception as error:  # servers raise various errors for a lost connection
            logger.debug("connection lost: %r", error)
