"""The cache that several processes share; a dead Redis is a cache that holds nothing."""

import logging
from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class TolerantRedisCache(RedisCache):
    """Redis cache whose reads miss and whose writes are dropped while Redis is away.

    Only rate limits and the like live here, so that nobody is kept from logging in or
    playing by its loss.
    """

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Store where absent; say True where Redis is away.

        Whoever takes a lock so shall not wait for one that nobody holds: the log-in's own limits
        would refuse everybody.
        """
        try:
            return super().add(*args, **kwargs)
        except RedisError as error:
            self._complain(error)
            return True

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a number; raise ValueError where there is none, or Redis is away."""
        try:
            return int(super().incr(key, delta, version))
        except RedisError as error:
            self._complain(error)
            raise ValueError(f"{key!r} is not there") from error

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the value, or `default` where it is absent or Redis is away."""
        try:
            return super().get(key, default, version)
        except RedisError as error:
            self._complain(error)
            return default

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Store, where Redis is there."""
        try:
            super().set(*args, **kwargs)
        except RedisError as error:
            self._complain(error)

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Store, where Redis is there; nothing is said of what could not be."""
        try:
            return super().set_many(*args, **kwargs)
        except RedisError as error:
            self._complain(error)
            return []

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Return what is there of `keys`."""
        try:
            return super().get_many(keys, version)
        except RedisError as error:
            self._complain(error)
            return {}

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """Remove; say False where Redis is away."""
        try:
            return super().delete(*args, **kwargs)
        except RedisError as error:
            self._complain(error)
            return False

    @staticmethod
    def _complain(error: RedisError) -> None:
        logger.warning("the shared cache is away: %s", error)
