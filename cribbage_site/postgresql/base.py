"""The connections of the PostgreSQL backend; Django imports this module by its name."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property

from cribbage_site.env import HALF_OPEN
from games.ops.availability import availability

OWN_DEFAULTS = (
    "SELECT set_config('default_transaction_isolation', 'read committed', false),"
    " set_config('DateStyle', 'ISO', false),"
    f" set_config('tcp_keepalives_idle', '{HALF_OPEN['keepalives_idle']}', false),"
    f" set_config('tcp_keepalives_interval', '{HALF_OPEN['keepalives_interval']}', false),"
    f" set_config('tcp_keepalives_count', '{HALF_OPEN['keepalives_count']}', false),"
    f" set_config('tcp_user_timeout', '{HALF_OPEN['tcp_user_timeout']}', false)"
)
"""Settings that the site relies on, whatever the server, database or role is configured to use.

A transaction that waited for a lock must see what its holder stored. Dates in another style cannot
be read. And the server ends a half-open connection as soon as this side does: a machine that loses
its power amid a transaction would otherwise keep its locks for two hours.
"""


class DatabaseErrors(DatabaseErrorWrapper):
    """Turns errors of PostgreSQL's client into Django's; a read-only server counts as an outage.

    A server becomes read-only when another one takes its place. Open connections would stay with
    it, so this one is closed, and the next may lead to the other server.
    """

    wrapper: DatabaseWrapper

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise Django's error for ``exc_value``.

        Raises:
            OperationalError: if the server takes no changes.
        """
        if isinstance(exc_value, psycopg.errors.ReadOnlySqlTransaction):
            self.wrapper.errors_occurred = True
            self.wrapper.connection.close()
            raise OperationalError(*exc_value.args).with_traceback(traceback) from exc_value
        super().__exit__(exc_type, exc_value, traceback)


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

    def _configure_connection(self, connection: Any) -> bool:
        """Prepare a connection that was just opened; return whether that has to be committed."""
        super()._configure_connection(connection)  # type: ignore[misc]
        connection.execute(OWN_DEFAULTS)
        return True

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrors:
        """The context in which errors of the client become Django's."""
        return DatabaseErrors(self)
