"""The cache backend in Redis, shared by all processes; it tolerates outages of Redis."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.cluster.announce import time_limits

T = TypeVar("T")
logger = logging.getLogger(__name__)

HANGS = 2
"""Calls in a row that Redis has not answered in time: it hangs, and has not just been slow once."""

PAUSE = 2.0
"""Seconds for which a Redis that hangs is not asked again; then one more such call is enough.

A login asks the cache twenty times, and would wait for its limit each time; this is about what one
call may take, with a new connection.
"""

LIMITED = "limit:"
"""Prefix of the keys of most limits: see `games.people.limits`."""

COUNTED = "allauth:rl:"
"""Prefix of the keys of the limits on passwords and second steps."""

COPIED = 300.0
"""Seconds for which a process keeps what it has read of them: as long as the longest such limit."""

_EMPTY: BaseCache = DummyCache("", {})
_COPIES: BaseCache = LocMemCache("counted", {"OPTIONS": {"MAX_ENTRIES": 20_000}})
_LIMITS: BaseCache = LocMemCache("limited", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


class TolerantRedisCache(RedisCache):
    """Redis cache whose reads miss and whose writes are dropped while Redis is unavailable.

    It stores only rate limits, used codes and the like, without which people can still log in and
    play.

    Each process has a copy of what it knows of the limits on passwords. It goes on counting with
    that while Redis is unavailable: otherwise a Redis that hangs would allow any number of guesses,
    and one late answer would restart the count. For the other limits it starts counting from zero.
    """

    _unanswered: ClassVar[int] = 0
    _paused_until: ClassVar[float] = 0.0

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        # Not after a time-out: Redis may have done what was asked, and do it twice.
        retry = Retry(NoBackoff(), 1, supported_errors=(exceptions.ConnectionError,))
        options = {**time_limits(), "retry": retry, **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value unless the key exists; return whether it was stored.

        While Redis is unavailable, only counts of limits are stored, in this process; other keys
        get True.

        Some callers take a lock this way, such as the rate limits of the log-in form. If they got
        False, they would wait for a lock that is free, and then refuse every client.
        """
        return self._ask(
            lambda: super(TolerantRedisCache, self).add(key, value, timeout, version),
            lambda: _spare(key).add(key, value, timeout, version),
        )

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a number; raise ValueError if none is stored, or known while Redis is away."""
        return self._ask(
            lambda: super(TolerantRedisCache, self).incr(key, delta, version),
            lambda: _spare(key).incr(key, delta, version),
        )

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the value; `default` if there is none or Redis is unavailable."""
        return self._ask(
            lambda: self._get_and_copy(key, default, version),
            lambda: _spare(key).get(key, default, version),
        )

    def _get_and_copy(self, key: Any, default: Any, version: int | None) -> Any:
        found = super().get(key, default, version)
        if found is default:
            _spare(key).delete(key, version)  # another process may have deleted it
        else:
            _spare(key).set(key, found, COPIED, version)
        return found

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value; while Redis is unavailable, only a copy of what counts guesses."""
        _spare(key).set(key, value, timeout, version)
        self._ask(
            lambda: super(TolerantRedisCache, self).set(key, value, timeout, version), lambda: None
        )

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Store values; report no failed keys, even while Redis is unavailable."""
        return self._ask(lambda: super(TolerantRedisCache, self).set_many(*args, **kwargs), list)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Return the stored keys with their values; none while Redis is unavailable."""
        return self._ask(lambda: super(TolerantRedisCache, self).get_many(keys, version), dict)

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Delete a value; return False while Redis is unavailable."""
        copied = _spare(key).delete(key, version)
        return self._ask(
            lambda: super(TolerantRedisCache, self).delete(key, version), lambda: copied
        )

    @classmethod
    def _ask(cls, call: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Return what Redis answers, or ``otherwise`` while it is unavailable or has a pause."""
        if time.monotonic() < cls._paused_until:
            return otherwise()
        try:
            answer = call()
        except exceptions.RedisError as error:
            logger.warning("the shared cache is unavailable: %s", error)
            if isinstance(error, exceptions.TimeoutError):
                cls._unanswered += 1
                if cls._unanswered >= HANGS:
                    cls._paused_until = time.monotonic() + PAUSE
            return otherwise()
        cls._unanswered = 0
        return answer


def _spare(key: Any) -> BaseCache:
    """Return what answers for a key while Redis does not."""
    if str(key).startswith(LIMITED):
        return _LIMITS
    return _COPIES if str(key).startswith(COUNTED) else _EMPTY


def forget_counts() -> None:
    """Forget what this process knows of limits; for tests."""
    _COPIES.clear()
    _LIMITS.clear()
