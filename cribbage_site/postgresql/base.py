"""The connections of the PostgreSQL backend; Django imports this module by its name."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db.backends.postgresql import base

from games.ops.availability import availability


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is refused while the database is known to be away."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open a connection, or take one from the pool.

        Raises:
            DatabaseAwayError: if the database is known to be away.
        """
        availability.check()
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            availability.suspect()
            raise
