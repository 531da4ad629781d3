"""Announcements that a table or the lobby has changed; sent after the commit, from any thread.

Listeners in this process are called directly; other processes are notified through Redis. An
announcement says only *that* something changed; listeners read the database. While Redis cannot be
reached, announcements wait and are repeated: other processes may still hear each other.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

LOBBY = "cribbage:lobby"
TABLE_CHANGED = "table"
CHAT_CHANGED = "chat"
PLAYERS = "cribbage:players"
PLAYER_ENDED, PLAYER_MERGED, SESSION_ENDED = "player", "merged", "session"
SESSION_RENEWED = "renewed"
"""The messages of the channel `PLAYERS`, each for the connections that have to end.

player: all of one player's. merged: those of a guest who logged in to an account. session: those
of one session. renewed: all of a player who changed their password; the browser that did so may
connect again at once, since its session goes on under a new key.
"""

REPEAT_EVERY = 1.0
"""Seconds between two attempts to send what Redis did not accept."""

MAX_UNSENT = 10_000
"""Announcements kept while Redis is unavailable; further ones are dropped, and logged."""

NO_KEY = "cribbage:none"
"""A key that is never stored. Deleting it changes nothing, but a replica refuses even that."""

Listener = Callable[[str, str], None]
_listeners: list[Listener] = []


def channel(match: int) -> str:
    """Return the Redis channel of a match."""
    return f"cribbage:match:{match}"


def table(match: int) -> None:
    """Announce that a match's seats or status changed."""
    _announce(channel(match), TABLE_CHANGED)


def table_message() -> str:
    """Return the same announcement for a process that publishes it through its bus."""
    return _marked(TABLE_CHANGED)


def chat(match: int) -> None:
    """Announce a change in the chat of a match, without its content."""
    _announce(channel(match), CHAT_CHANGED)


def lobby() -> None:
    """Announce that the open tables changed."""
    _announce(LOBBY, TABLE_CHANGED)


def player_ended(player: int) -> None:
    """Announce that a player (by primary key) is logged out everywhere."""
    _announce(PLAYERS, f"{PLAYER_ENDED} {player}")


def player_merged(guest: int) -> None:
    """Announce that a guest (by primary key) logged in to an account and plays as it."""
    _announce(PLAYERS, f"{PLAYER_MERGED} {guest}")


def session_ended(key: str, player: int) -> None:
    """Announce that a player's session was logged out; its key is a secret and stays here."""
    _announce(PLAYERS, f"{SESSION_ENDED} {session_mark(key)} {player}")


def session_renewed(key: str, player: int) -> None:
    """Announce that all sessions of a player ended, except this one, which now has a new key."""
    _announce(PLAYERS, f"{SESSION_RENEWED} {player} {session_mark(key)}")


def session_mark(key: str) -> str:
    """Return a mark of a session, from which its key cannot be found."""
    return sha256(key.encode()).hexdigest()[:32]


def listen(listener: Listener) -> Callable[[], None]:
    """Register ``listener(channel, message)``, called in any thread; return its removal."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def repeat(name: str, message: str) -> None:
    """Tell the listeners in this process what its worker, another process, has announced."""
    for listener in tuple(_listeners):
        listener(name, message)


def _announce(name: str, message: str) -> None:
    repeat(name, message)
    if settings.REDIS_URL:
        _publish(name, _marked(message))


def _marked(message: str) -> str:
    return f"{message} {_origin()}"


def is_echo(message: str) -> bool:
    """Return whether a message from Redis is this process's own announcement."""
    return message.endswith(_origin())


@cache
def _origin() -> str:
    """Return the mark of this process's announcements; chosen late, so that forks differ."""
    return secrets.token_hex(4)


def _publish(name: str, message: str) -> None:
    from redis.exceptions import RedisError

    url = settings.REDIS_URL
    if _unsent.repeating:  # no thread waits for a Redis that is known to be away
        _unsent.add(url, name, message)
        return
    try:
        _send(url, name, message)
    except RedisError as error:
        logger.warning("Redis is unavailable, announcements wait: %s", error)
        _unsent.add(url, name, message)


def _send(url: str, name: str, message: str) -> None:
    """Publish a message together with a change, which a replica of Redis refuses.

    A replica would take the message alone, but tell nobody except its own subscribers. Where a
    change is refused for another reason, such as full memory, the message is sent alone.

    Raises:
        RedisError: if it was not sent.
    """
    from redis.exceptions import ReadOnlyError, ResponseError

    try:
        with _redis(url).pipeline() as both:
            both.delete(NO_KEY)
            both.publish(name, message)
            both.execute()
    except ReadOnlyError:
        raise
    except ResponseError:
        # A replica that is full refuses both for that, and only the change alone as a replica.
        try:
            _redis(url).delete(NO_KEY)
        except ReadOnlyError:
            raise
        except ResponseError:
            pass
        _redis(url).publish(name, message)


class _Unsent:
    """Announcements that Redis did not accept; a thread repeats them until it does.

    Attributes:
        repeating: whether some are waiting.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[tuple[str, str, str], None] = {}
        self.repeating = False

    def add(self, url: str, name: str, message: str) -> None:
        """Keep an announcement until it is sent; the same one waits only once."""
        with self._lock:
            if len(self._waiting) >= MAX_UNSENT:
                logger.warning("too many announcements wait for Redis: %s was dropped", name)
                return
            self._waiting[url, name, message] = None
            if self.repeating:
                return
            self.repeating = True
        threading.Thread(target=self._repeat, name="announcements", daemon=True).start()

    def _repeat(self) -> None:
        while True:
            time.sleep(REPEAT_EVERY)
            if self._all_sent():
                return

    def _all_sent(self) -> bool:
        """Send what is waiting; return whether that was everything, and the thread may end."""
        from redis.exceptions import RedisError

        try:
            for url, name, message in tuple(self._waiting):
                _send(url, name, message)
                with self._lock:
                    del self._waiting[url, name, message]
        except RedisError:
            return False
        with self._lock:
            self.repeating = bool(self._waiting)
            return not self.repeating


_unsent = _Unsent()


def time_limits() -> dict[str, Any]:
    """Return options for a client of Redis that never waits long: it tries twice, a second each.

    The second attempt uses a new connection, since the old one may have been half-open.
    """
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return {
        "socket_timeout": 1,
        "socket_connect_timeout": 1,
        "socket_keepalive": True,
        "retry": Retry(NoBackoff(), 1),
    }


@cache
def _redis(url: str) -> Any:
    import redis

    return redis.Redis.from_url(url, **time_limits())
