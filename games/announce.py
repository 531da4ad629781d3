"""From any thread: say that a table or the lobby has changed, after it was stored.

Sockets of this process are told through its event loop, those of others through Redis. What is
said is only *that* something changed; whoever hears it reads the database.
"""

from __future__ import annotations

import logging
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
    """Say that a match's seats or status changed."""
    _say(channel(match), TABLE_CHANGED)


def chat(match: int) -> None:
    """Say that there is something new in the chat of a match; never what."""
    _say(channel(match), CHAT_CHANGED)


def lobby() -> None:
    """Say that the open tables changed."""
    _say(LOBBY, TABLE_CHANGED)


def listen(listener: Listener) -> Callable[[], None]:
    """Have ``listener(channel, message)`` called, in any thread; return what takes it out again."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def _say(name: str, message: str) -> None:
    for listener in tuple(_listeners):
        listener(name, message)
    if settings.REDIS_URL:
        _publish(name, message)


def _publish(name: str, message: str) -> None:
    from redis.exceptions import RedisError

    try:
        _redis(settings.REDIS_URL).publish(name, message)
    except RedisError as error:
        logger.warning("Redis is away, other processes were not told: %s", error)


@cache
def _redis(url: str) -> Any:
    import redis

    return redis.Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)
