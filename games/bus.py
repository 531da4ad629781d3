"""Between processes: short messages by Redis pub/sub, over one connection each way.

It speaks to plain connections of the `redis` package: its client and its pub/sub object cost more a
message than everything else that a move needs.

At most once and never awaited by a move: a lost message costs a moment's delay, since whoever
subscribes (again) catches up with the log. While Redis is away every process goes on alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import hiredis
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

FIRST_WAIT = 0.1
LONGEST_WAIT = 0.5
"""Seconds between two attempts to reach Redis: within a second of its return all is well again."""

CHUNK = 64 * 1024
"""Bytes of messages taken in at once."""

MAX_WAITING = 10_000
"""Messages kept while Redis is away; the oldest go first."""

Heard = Callable[[str, str], None]
Subscribed = Callable[[str], None]


class Bus:
    """One process's place on the bus, for one event loop.

    Args:
        url: of the Redis server.
        channels: what is listened to from the start; at least one.
        heard: called with channel and message for each one that comes.
        subscribed: called with a channel when messages on it begin to come, also after Redis was
            away: what was said before that has to be caught up with.
        renewed: called when what was said lately may have been lost: it is to be said again.
    """

    def __init__(
        self,
        url: str,
        channels: Iterable[str],
        *,
        heard: Heard,
        subscribed: Subscribed,
        renewed: Callable[[], None],
    ) -> None:
        self._url = url
        self._heard = heard
        self._subscribed = subscribed
        self._renewed = renewed
        self._channels = set(channels)
        self._outgoing: deque[tuple[str, str]] = deque(maxlen=MAX_WAITING)
        self._changes: deque[tuple[str, str]] = deque()
        self._wake = asyncio.Event()
        self._incoming: Any = None
        self._stale = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def connected(self) -> bool:
        """Whether messages come in at present."""
        return self._incoming is not None

    def start(self) -> None:
        """Connect, and stay connected."""
        self._tasks = [asyncio.create_task(self._receive()), asyncio.create_task(self._send())]

    async def aclose(self) -> None:
        """Hang up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def publish(self, channel: str, message: str) -> None:
        """Say something; it goes out with whatever else is waiting."""
        self._outgoing.append((channel, message))
        self._wake.set()

    def subscribe(self, channel: str) -> None:
        """Ask for what is said on ``channel``."""
        self._channels.add(channel)
        self._changes.append(("SUBSCRIBE", channel))
        self._wake.set()

    def unsubscribe(self, channel: str) -> None:
        """Ask for no more of it."""
        self._channels.discard(channel)
        self._changes.append(("UNSUBSCRIBE", channel))
        self._wake.set()

    def _connection(self) -> Any:
        client: Any = redis.asyncio.Redis.from_url(
            self._url,
            decode_responses=True,
            socket_connect_timeout=1,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        return client.connection_pool.make_connection()

    async def _receive(self) -> None:
        wait = FIRST_WAIT
        while True:
            connection = self._connection()
            try:
                await connection.connect()
                # What changes while this is under way stays in the queue and is sent after it.
                self._changes.clear()
                await connection.send_command("SUBSCRIBE", *self._channels)
                self._incoming = connection
                self._wake.set()
                wait = FIRST_WAIT
                await self._listen(connection)
            except (RedisError, OSError) as error:
                logger.warning("Redis is away: %s", error)
            except Exception:  # whatever it is: without this task nobody hears anything again
                logger.exception("listening is begun anew")
            finally:
                self._incoming = None
                self._stale = True
                with contextlib.suppress(RedisError, OSError):
                    await connection.disconnect(nowait=True)
            await asyncio.sleep(wait * random.uniform(0.5, 1))
            wait = min(2 * wait, LONGEST_WAIT)

    async def _listen(self, connection: Any) -> None:
        """Take in all that has come, again and again.

        The package's own way is a coroutine with a time limit for each message, which costs more
        than what is said.
        """
        stream = connection._reader  # noqa: SLF001 - connected and logged in by the package
        answers = hiredis.Reader(encoding="utf-8", notEnoughData=None)
        while data := await stream.read(CHUNK):
            answers.feed(data)
            while (answer := answers.gets()) is not None:
                if isinstance(answer, hiredis.ReplyError):
                    raise RedisError(str(answer))
                kind, channel, message = answer
                if kind == "message":
                    self._heard(channel, message)
                elif kind == "subscribe":
                    self._subscribed(channel)
        raise RedisGone("the connection was closed")

    async def _send(self) -> None:
        """Send what waits, whenever there is something: all of it at once."""
        connection = self._connection()
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._change_subscriptions()
                await self._publish_all(connection)
            except (RedisError, OSError) as error:
                logger.warning("Redis is away, %d wait: %s", len(self._outgoing), error)
                with contextlib.suppress(RedisError, OSError):
                    await connection.disconnect(nowait=True)
                await asyncio.sleep(LONGEST_WAIT * random.uniform(0.5, 1))
                self._wake.set()

    async def _change_subscriptions(self) -> None:
        """Send what changed; while there is no connection, connecting will ask for all anyway."""
        while self._changes and self._incoming is not None:
            verb, channel = self._changes.popleft()
            if (channel in self._channels) == (verb == "SUBSCRIBE"):
                await self._incoming.send_command(verb, channel)

    async def _publish_all(self, connection: Any) -> None:
        """Publish in one write; on an error what was to be said waits for the next try.

        Redis is told to send no answers, which would only be numbers to be thrown away. So what was
        sent into a dying connection is lost without a sign, and after a new one `renewed` says it.
        """
        if self._stale or not connection.is_connected:
            await connection.disconnect(nowait=True)
            await connection.connect()
            await connection.send_command("CLIENT", "REPLY", "OFF")
            self._stale = False
            self._renewed()
        while self._outgoing:
            batch = [self._outgoing.popleft() for _ in range(min(len(self._outgoing), 500))]
            try:
                packed = b"".join(_publish(channel, message) for channel, message in batch)
                await connection.send_packed_command(packed, check_health=False)
            except (RedisError, OSError):
                self._outgoing.extendleft(reversed(batch))
                raise


def _publish(channel: str, message: str) -> bytes:
    """Return the command as Redis reads it."""
    where, what = channel.encode(), message.encode()
    return b"*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % (
        len(where),
        where,
        len(what),
        what,
    )
