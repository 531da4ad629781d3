"""What a process logs about its connections to Redis: a few lines for an outage of any length."""

from __future__ import annotations

import logging
import time

from redis.exceptions import RedisError, ResponseError

logger = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two lines of one kind, while Redis cannot be heard."""


class RedisLog:
    """The log of one bus, which tries to connect several times a second.

    Each kind of error is logged at once, and then once a minute; the end of an outage is logged,
    too.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._last: dict[str, float] = {}

    def failed(self, error: Exception, *, queued: int) -> None:
        """Log that receiving or sending failed, with a traceback if Redis is not the cause."""
        if self._since is None:
            self._since = time.monotonic()
        kind = type(error).__name__
        if not self._is_due(kind):
            return
        if isinstance(error, (RedisError, OSError)):
            cause = str(error) or "no answer"
            logger.warning("Redis is unavailable, %d messages queued: %s", queued, cause)
        else:
            logger.error("the bus failed and connects again", exc_info=error)

    def takes_no_changes(self, refusal: ResponseError) -> None:
        """Log that Redis passes messages on, but stores nothing."""
        if self._is_due("changes"):
            logger.warning("Redis takes no changes: %s", refusal)

    def heard(self) -> None:
        """Log the end of the outage, if there was one: a message has gone to Redis and back."""
        if self._since is not None:
            logger.warning("Redis is back after %.0f seconds", time.monotonic() - self._since)
            self._since = None
            self._last.clear()

    def _is_due(self, kind: str) -> bool:
        now = time.monotonic()
        if now - self._last.get(kind, -EVERY) < EVERY:
            return False
        self._last[kind] = now
        return True
