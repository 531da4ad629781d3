"""The cache backend in Redis, shared by all processes; it tolerates outages of Redis."""

import logging
from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from games.cluster.announce import time_limits

logger = logging.getLogger(__name__)


class TolerantRedisCache(RedisCache):
    """Redis cache whose reads miss and whose writes are dropped while Redis is unavailable.

    It stores only rate limits, used codes and the like, without which people can still log in and
    play.
    """

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        options = {**time_limits(), **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Store a value unless the key exists; return True while Redis is unavailable.

        Some callers take a lock this way, such as the rate limits of the log-in form. If they got
        False, they would wait for a lock that is free, and then refuse every client.
        """
        try:
            return super().add(*args, **kwargs)
        except RedisError as error:
            self._log_unavailable(error)
            return True

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a number; raise ValueError if none is stored or Redis is unavailable."""
        try:
            return int(super().incr(key, delta, version))
        except RedisError as error:
            self._log_unavailable(error)
            raise ValueError(f"{key!r} is not there") from error

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the value; `default` if there is none or Redis is unavailable."""
        try:
            return super().get(key, default, version)
        except RedisError as error:
            self._log_unavailable(error)
            return default

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Store a value; do nothing while Redis is unavailable."""
        try:
            super().set(*args, **kwargs)
        except RedisError as error:
            self._log_unavailable(error)

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Store values; report no failed keys, even while Redis is unavailable."""
        try:
            return super().set_many(*args, **kwargs)
        except RedisError as error:
            self._log_unavailable(error)
            return []

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Return the stored keys with their values; none while Redis is unavailable."""
        try:
            return super().get_many(keys, version)
        except RedisError as error:
            self._log_unavailable(error)
            return {}

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """Delete a value; return False while Redis is unavailable."""
        try:
            return super().delete(*args, **kwargs)
        except RedisError as error:
            self._log_unavailable(error)
            return False

    @staticmethod
    def _log_unavailable(error: RedisError) -> None:
        logger.warning("the shared cache is unavailable: %s", error)
