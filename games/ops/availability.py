"""Whether this process's database can be reached: known to all threads, so that none waits in vain.

When a connection cannot be opened, a thread looks whether the database answers. If it does not, the
database is away: waiting requests fail, and further ones fail at once, until the thread can connect
again. A short restart of the database fails no request.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from django.db import InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds for which requests wait for a database that has just stopped answering."""

EVERY = 0.5
"""Seconds between two attempts to connect while the database is away."""

CONNECT_SECONDS = 2
"""Seconds that such an attempt may take."""


class DatabaseAwayError(OperationalError):
    """The database is known to be away; nothing was tried."""


class Availability:
    """What this process knows about its database.

    Attributes:
        away: whether connections are refused.
    """

    def __init__(self) -> None:
        self.away = False
        self._lock = threading.Lock()
        self._watcher: threading.Thread | None = None

    def check(self) -> None:
        """Do nothing, unless the database is away.

        Raises:
            DatabaseAwayError: if it is.
        """
        if self.away:
            raise DatabaseAwayError("the database is away")

    def suspect(self) -> None:
        """Have a thread find out whether the database is away; a connection has just failed."""
        with self._lock:
            if self._watcher is None:
                self._watcher = threading.Thread(
                    target=self._watch, name="availability", daemon=True
                )
                self._watcher.start()

    def _watch(self) -> None:
        try:
            if not _answers():
                self._wait_for_return()
        finally:
            with self._lock:
                self._watcher = None
            connection.close()

    def _wait_for_return(self) -> None:
        since = time.monotonic()
        logger.warning("the database cannot be reached; requests are refused until it is back")
        self.away = True
        try:
            _close_pool()
            while not _connects():
                time.sleep(EVERY)
            _close_pool()  # a request may have opened one since
        finally:
            self.away = False
        logger.warning("the database is back after %.0f seconds", time.monotonic() - since)


def _answers() -> bool:
    """Return whether a connection is free soon, or a new one can be opened."""
    wrapper: Any = connection
    pool = wrapper.pool
    if pool is not None:
        try:
            pool.open()
            pool.putconn(pool.getconn(timeout=PATIENCE))
        except wrapper.Database.OperationalError:
            pass
        else:
            return True
    return _connects()


def _connects() -> bool:
    """Return whether a new connection can be opened, whatever the pool does."""
    wrapper: Any = connection
    options = {**wrapper.get_connection_params(), "connect_timeout": CONNECT_SECONDS}
    try:
        wrapper.Database.connect(**options).close()
    except wrapper.Database.OperationalError:
        return False
    return True


def _close_pool() -> None:
    """Fail the requests that wait for a connection; the next one finds a new pool.

    The old one may pause for seconds before it tries to connect again.
    """
    wrapper: Any = connection
    pool = wrapper._connection_pools.pop(wrapper.alias, None)  # noqa: SLF001 - closed for good
    if pool is not None:
        pool.close(timeout=1.0)


def is_outage(error: BaseException | None) -> bool:
    """Return whether the database could not be reached, whatever it was asked.

    The errors of PostgreSQL's client have no code then, those of a server that goes down or takes
    no more connections have one of these classes. SQLite's file is locked by another process.
    """
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    cause = error.__cause__
    name = getattr(cause, "sqlite_errorname", None)
    if name is not None:
        return str(name).startswith("SQLITE_BUSY")
    state = getattr(cause, "sqlstate", None)
    return state is None or str(state).startswith(("08", "53", "57P"))


availability = Availability()
"""What this process knows."""
