"""The connections of the pool, which tries for seconds before a request hears of a failure."""

from __future__ import annotations

from typing import Any, Self

import psycopg

from games.ops.availability import availability


class PooledConnection(psycopg.Connection[Any]):
    """A connection that tells the process at once when it cannot be opened."""

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Self:
        """Open a connection."""
        try:
            opened = super().connect(conninfo, **options)
        except psycopg.OperationalError:
            availability.suspect()
            raise
        availability.opened(opened)
        return opened
