"""Announcements, from any thread and after the commit, that a table or the lobby has changed.

Listeners in this process are called directly; other processes are notified through Redis. An
announcement says only *that* something changed; listeners read the database.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

LOBBY = "cribbage:lobby"
TABLE_CHANGED = "table"
CHAT_CHANGED = "chat"

Listener = Callable[[str, str], None]
_listeners: list[Listener] = []


def channel(match: int) -> str:
    """Return the Redis channel of a match."""
    return f"cribbage:match:{match}"


def table(match: int) -> None:
    """Announce that a match's seats or status changed."""
    _announce(channel(match), TABLE_CHANGED)


def chat(match: int) -> None:
    """Announce a change in the chat of a match, without its content."""
    _announce(channel(match), CHAT_CHANGED)


def lobby() -> None:
    """Announce that the open tables changed."""
    _announce(LOBBY, TABLE_CHANGED)


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
        _publish(name, f"{message} {_origin()}")


def is_echo(message: str) -> bool:
    """Return whether a message from Redis is an announcement of this process, known already."""
    return message.endswith(_origin())


@cache
def _origin() -> str:
    """Return the mark of this process's announcements; chosen late, so that forks differ."""
    return secrets.token_hex(4)


def _publish(name: str, message: str) -> None:
    from redis.exceptions import RedisError

    try:
        _redis(settings.REDIS_URL).publish(name, message)
    except RedisError as error:
        logger.warning("Redis is unavailable, other processes were not notified: %s", error)


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
