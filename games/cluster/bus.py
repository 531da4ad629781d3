"""The message bus between processes: Redis pub/sub over one connection in each direction.

It uses raw connections of the `redis` package, since the package's client and pub/sub object take
longer per message than everything else in a move.

Delivery is at most once, and no move waits for it: a lost message only causes a delay, since
subscribers catch up with the log. While Redis is unavailable each process continues alone.

An open connection proves nothing: behind a NAT gateway or after a failover it can swallow all data
without an error. So the bus regularly publishes a message to itself. While this echo comes back,
the process hears the others; otherwise it is deaf, and both connections are opened again. A replica
of Redis would send it back, but pass nothing on to its server: so the echo is sent together with a
change, which a replica refuses. A Redis that refuses changes for another reason, such as full
memory, still passes messages on: there the echo is sent alone, while it is no replica.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import hiredis
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import ReadOnlyError, RedisError, ResponseError

from games.cluster.announce import NO_KEY
from games.cluster.redis_log import RedisLog

FIRST_WAIT = 0.1
LONGEST_WAIT = 0.5
"""Seconds between two attempts to connect to Redis; processes reconnect within a second."""

ECHO_EVERY = 1.0
"""Seconds between two messages of a process to itself."""

SOON = 0.1
"""Seconds for which a message that is not urgent waits for another one to share a write with."""

MISSED_ECHOES = 4
"""Number of rounds without an echo that are tolerated; with one more a process counts as deaf.

Rounds are counted rather than seconds, because a process that was suspended has missed nothing yet.
"""

SEND_WITHIN = 3.0
"""Seconds that connecting, or sending a batch, may take."""

KEEPALIVE = {
    getattr(socket, name): value
    for name, value in (
        ("TCP_KEEPIDLE", 5),
        ("TCP_KEEPINTVL", 2),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", 10_000),
    )
    if hasattr(socket, name)
}
"""Socket options that end a connection whose other side is gone, within about ten seconds."""

MULTI, CHANGE, EXEC = ("MULTI",), ("DEL", NO_KEY), ("EXEC",)
"""Commands that send an echo together with a change, or not at all."""

CHUNK = 64 * 1024
"""Bytes read at once."""

PER_TURN = 50
"""Messages handled in one turn of the event loop; a chunk can hold a thousand."""

MAX_WAITING = 10_000
"""Messages kept while Redis is unavailable; the oldest are dropped first."""

OnMessage = Callable[[str, str], None]
OnSubscribe = Callable[[str], None]


class Bus:
    """A process's connection to the bus, for one event loop.

    Args:
        url: address of the Redis server.
        channels: the initial subscriptions; at least one.
        on_message: called with channel and message for each message received.
        on_subscribe: called with a channel when its subscription starts, also after Redis was
            unavailable; the caller must then catch up with earlier changes.
        on_reconnect: called when messages published recently may have been lost; the caller should
            publish its state again.
        on_hearing: called when the bus starts or stops hearing the other processes.

    Attributes:
        hearing_since: since when echoes have come back, in monotonic seconds; None while deaf.
    """

    def __init__(
        self,
        url: str,
        channels: Iterable[str],
        *,
        on_message: OnMessage,
        on_subscribe: OnSubscribe,
        on_reconnect: Callable[[], None],
        on_hearing: Callable[[], None] = lambda: None,
    ) -> None:
        self._url = url
        self._on_message = on_message
        self._on_subscribe = on_subscribe
        self._on_reconnect = on_reconnect
        self._on_hearing = on_hearing
        self._echo = f"cribbage:echo:{secrets.token_hex(8)}"
        self._with_change = True
        self._echo_due = True
        self._missed = 0
        self._patience: asyncio.Timeout | None = None
        self._channels = {*channels, self._echo}
        self._outgoing: deque[tuple[str, str]] = deque(maxlen=MAX_WAITING)
        self._changes: dict[str, None] = {}  # channels, in the order of their last change
        self._subscribing = False
        self._wake = asyncio.Event()
        self._waking: asyncio.TimerHandle | None = None
        self._incoming: Any = None
        self._stale = False
        self._log = RedisLog()
        self._tasks: list[asyncio.Task[None]] = []
        self.hearing_since: float | None = None

    def start(self) -> None:
        """Connect, and reconnect whenever the connection is lost."""
        work = (self._receive(), self._send(), self._watch())
        self._tasks = [asyncio.create_task(each) for each in work]

    async def aclose(self) -> None:
        """Disconnect."""
        self._on_hearing = lambda: None
        if self._waking is not None:
            self._waking.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def publish(self, channel: str, message: str, *, soon: bool = False) -> None:
        """Queue a message; all queued messages are sent together.

        With ``soon``, it waits for the next message, at most `SOON`.
        """
        self._outgoing.append((channel, message))
        if not soon:
            self._wake.set()
        elif self._waking is None:
            self._waking = asyncio.get_running_loop().call_later(SOON, self._wake_up)

    def _wake_up(self) -> None:
        self._waking = None
        self._wake.set()

    def subscribe(self, channel: str) -> None:
        """Subscribe to ``channel``; nothing happens if it is subscribed to already."""
        if channel in self._channels:
            return
        self._channels.add(channel)
        if self._note_change(channel):
            self._wake.set()

    def unsubscribe(self, channel: str) -> None:
        """Unsubscribe from ``channel``, with the next subscription: with an echo at the latest."""
        self._channels.discard(channel)
        self._note_change(channel)

    def _note_change(self, channel: str) -> bool:
        """Note a change to send, unless the next connection sends all; return whether noted."""
        if self._subscribing:
            self._changes[channel] = None
        return self._subscribing

    def _connection(self) -> Any:
        client: Any = redis.asyncio.Redis.from_url(
            self._url,
            decode_responses=True,
            socket_connect_timeout=1,
            socket_timeout=None,  # a limit for each write costs more than the write
            socket_keepalive=True,
            socket_keepalive_options=KEEPALIVE,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        return client.connection_pool.make_connection()

    async def _receive(self) -> None:
        wait = FIRST_WAIT
        while True:
            connection = self._connection()
            try:
                async with asyncio.timeout(SEND_WITHIN):
                    await connection.connect()
                    # Changes made during this command are sent after it.
                    self._subscribing = True
                    await connection.send_command("SUBSCRIBE", *self._channels)
                self._incoming = connection
                self._missed, self._echo_due = 0, True
                self._wake.set()
                wait = FIRST_WAIT
                async with asyncio.timeout(None) as self._patience:
                    await self._listen(connection)
            except Exception as error:  # the task must survive, or no more messages are received
                self._log.failed(error, queued=len(self._outgoing))
            finally:
                self._incoming = self._patience = None
                self._subscribing = False
                self._changes.clear()
                self._stale = True
                self._set_hearing(None)
                await _cut(connection)
            await asyncio.sleep(wait * random.uniform(0.5, 1))
            wait = min(2 * wait, LONGEST_WAIT)

    async def _listen(self, connection: Any) -> None:
        """Receive messages until the connection ends.

        The package's own method needs a coroutine with a timeout for each message, which takes
        longer than the rest of the work.
        """
        stream = connection._reader  # noqa: SLF001 - connected and logged in by the package
        answers = hiredis.Reader(encoding="utf-8", notEnoughData=None)
        handled = 0
        while data := await stream.read(CHUNK):
            answers.feed(data)
            while (answer := answers.gets()) is not None:
                handled += 1
                if handled % PER_TURN == 0:
                    await asyncio.sleep(0)
                if isinstance(answer, hiredis.ReplyError):
                    raise RedisError(str(answer))
                kind, channel, message = answer
                if channel == self._echo:
                    self._hear_echo(kind)
                elif kind == "message":
                    self._on_message(channel, message)
                elif kind == "subscribe":
                    self._on_subscribe(channel)
        raise RedisGone("the connection was closed")

    def _hear_echo(self, kind: str) -> None:
        """Record that a message has gone to Redis and back."""
        if kind == "subscribe":
            self._echo_due = True
            self._wake.set()
        elif kind == "message":
            self._missed = 0
            if self.hearing_since is None:
                self._log.heard()
                self._set_hearing(time.monotonic())

    def _set_hearing(self, since: float | None) -> None:
        before, self.hearing_since = self.hearing_since, since
        if before != since:
            self._on_hearing()

    async def _watch(self) -> None:
        """Send an echo regularly; if too many are missing, reconnect. Runs until cancelled."""
        while True:
            await asyncio.sleep(ECHO_EVERY)
            self._echo_due = True
            self._wake.set()
            if self._patience is None:
                continue
            self._missed += 1
            if self._missed > MISSED_ECHOES and not self._patience.expired():
                self._patience.reschedule(asyncio.get_running_loop().time())

    async def _send(self) -> None:
        """Send queued messages in batches, until cancelled."""
        connection = self._connection()
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                async with asyncio.timeout(SEND_WITHIN):
                    await self._change_subscriptions()
                    await self._publish_all(connection)
            except Exception as error:  # the task must survive, or no more messages are sent
                self._log.failed(error, queued=len(self._outgoing))
                await _cut(connection)
                await asyncio.sleep(LONGEST_WAIT * random.uniform(0.5, 1))
                self._wake.set()

    async def _change_subscriptions(self) -> None:
        """Send changed subscriptions in one write; after an error they are sent again.

        Nothing is sent only to unsubscribe, but with an echo.
        """
        while self._changes and self._incoming is not None:
            if not (self._echo_due or self._channels & self._changes.keys()):
                return
            changed, self._changes = self._changes, {}
            packed: list[bytes] = []
            for verb in ("SUBSCRIBE", "UNSUBSCRIBE"):
                wanted = verb == "SUBSCRIBE"
                channels = [each for each in changed if (each in self._channels) == wanted]
                if channels:
                    packed += self._incoming.pack_command(verb, *channels)
            try:
                await self._incoming.send_packed_command(packed, check_health=False)
            except (RedisError, OSError, asyncio.CancelledError):
                self._changes = {**changed, **self._changes}
                raise

    async def _publish_all(self, connection: Any) -> None:
        """Publish queued messages in one write; after an error they are queued again.

        Replies are switched off, since they would only be counts to discard. Messages sent into a
        dying connection are therefore lost silently; `on_reconnect` is called after the next
        connection so that they can be repeated.
        """
        if self._stale or not connection.is_connected:
            await _cut(connection)
            await connection.connect()
            self._with_change = True
            await self._ask_for_changes(connection)
            self._stale = False
            self._on_reconnect()
        if self._echo_due:
            if not self._with_change:
                await connection.send_command("CLIENT", "REPLY", "ON")
                await connection.read_response()
                await self._ask_for_changes(connection)
            self._echo_due = False
            echo = ("PUBLISH", self._echo, "echo")
            commands = (MULTI, CHANGE, echo, EXEC) if self._with_change else (echo,)
            packed = b"".join(connection.pack_commands(commands))
            await connection.send_packed_command(packed, check_health=False)
        while self._outgoing:
            batch = [self._outgoing.popleft() for _ in range(min(len(self._outgoing), 500))]
            try:
                packed = b"".join(_publish(channel, message) for channel, message in batch)
                await connection.send_packed_command(packed, check_health=False)
            except (RedisError, OSError, asyncio.CancelledError):
                self._outgoing.extendleft(reversed(batch))
                raise

    async def _ask_for_changes(self, connection: Any) -> None:
        """Learn whether an echo is sent together with a change, and switch replies off.

        Where changes are refused this is asked before each echo: it may become a replica.
        """
        before, refusal = self._with_change, await _refusal(connection)
        self._with_change = refusal is None
        if before and refusal is not None:
            self._log.takes_no_changes(refusal)
        await connection.send_command("CLIENT", "REPLY", "OFF")


async def _refusal(connection: Any) -> ResponseError | None:
    """Return why Redis takes no changes; None if it does, or is a replica, which must not echo.

    A replica that is full refuses a transaction for that, and only the change alone as a replica.
    """
    commands = (CHANGE, MULTI, CHANGE, EXEC)
    packed = b"".join(connection.pack_commands(commands))
    await connection.send_packed_command(packed, check_health=False)
    refusals = []
    for _ in commands:
        try:
            await connection.read_response()
        except ResponseError as refusal:
            refusals.append(refusal)
    is_replica = any(isinstance(refusal, ReadOnlyError) for refusal in refusals)
    return None if is_replica or not refusals else refusals[0]


async def _cut(connection: Any) -> None:
    """Close a connection at once, without waiting until its data is sent."""
    writer = connection._writer  # noqa: SLF001 - the package would wait for the other side
    if writer is not None:
        writer.transport.abort()
    with contextlib.suppress(RedisError, OSError):
        await connection.disconnect(nowait=True)


def _publish(channel: str, message: str) -> bytes:
    """Return the PUBLISH command in the Redis protocol."""
    where, what = channel.encode(), message.encode()
    sizes = len(where), where, len(what), what
    return b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % sizes
