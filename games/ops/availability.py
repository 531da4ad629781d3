"""The availability of this process's database, shared by all threads so that none waits in vain.

When a connection cannot be opened, a thread looks whether the database answers. If it does not, the
database is away: waiting requests fail, and further ones fail at once, until the thread can connect
again. A short restart of the database fails no request.

A database that only takes no more connections is *full* as long as this process has some of its
own: these stay open, and requests wait for one of them, but not for long.
"""

from __future__ import annotations

import logging
import select
import threading
import time
from contextlib import suppress
from typing import Any
from weakref import WeakSet

from django.db import InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds for which requests wait for a database that has just stopped answering."""

EVERY = 0.5
"""Seconds between two attempts to connect while the database is away."""

FULL_SECONDS = 1.0
"""Seconds that a request waits for a free connection while the database takes no more."""

CONNECT_SECONDS = 2
"""Seconds that such an attempt may take."""

ENDED = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR
"""Poll events of a connection that the server has closed; POLLRDHUP only on Linux."""


class DatabaseAwayError(OperationalError):
    """The database is known to be away; nothing was tried."""


class Availability:
    """The state of this process's database, as far as the process knows it.

    Attributes:
        away: whether connections are refused.
    """

    def __init__(self) -> None:
        self.away = False
        self._lock = threading.Lock()
        self._watcher: threading.Thread | None = None
        self._opened: WeakSet[Any] = WeakSet()

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

    def opened(self, connection: Any) -> None:
        """Remember a connection of the pool that has just been opened, as long as it exists."""
        with self._lock:
            self._opened.add(connection)

    def _has_connections(self) -> bool:
        """Return whether a connection of the pool is open, at both ends."""
        with self._lock:
            opened = list(self._opened)
        return any(_is_open(each) for each in opened)

    def _watch(self) -> None:
        try:
            if not (_answers() or (self._is_full() and self._wait_for_room())):
                self._wait_for_return()
        finally:
            with self._lock:
                self._watcher = None
            connection.close()

    def _is_full(self) -> bool:
        """Return whether the server only refuses further connections."""
        return self._has_connections() and _server_runs()

    def _wait_for_room(self) -> bool:
        """Shorten the wait of requests until a connection can be had; False if all are lost."""
        pool: Any = connection.pool  # type: ignore[attr-defined]
        patience, pool.timeout = pool.timeout, FULL_SECONDS
        logger.warning("the database takes no more connections; the open ones stay in use")
        try:
            while not (_is_free(pool, EVERY) or _connects()):
                if not self._is_full():
                    return False
                time.sleep(EVERY)
        finally:
            pool.timeout = patience
        logger.warning("there are free connections again")
        return True

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
    pool: Any = connection.pool  # type: ignore[attr-defined]
    return (pool is not None and _is_free(pool, PATIENCE)) or _connects()


def _is_free(pool: Any, seconds: float) -> bool:
    """Return whether a pool has a working connection to give within so many seconds."""
    wrapper: Any = connection
    try:
        pool.open()
        pool.putconn(pool.getconn(timeout=seconds))
    except wrapper.Database.OperationalError:
        return False
    return True


def _connects() -> bool:
    """Return whether a new connection can be opened, whatever the pool does."""
    wrapper: Any = connection
    options = {**wrapper.get_connection_params(), "connect_timeout": CONNECT_SECONDS}
    try:
        wrapper.Database.connect(**options).close()
    except wrapper.Database.OperationalError:
        return False
    return True


def _is_open(opened: Any) -> bool:
    """Return whether neither side has ended a connection, without using it: a thread may be."""
    watched = select.poll()
    with suppress(OSError, opened.OperationalError):
        watched.register(opened.fileno(), ENDED)
        return not watched.poll(0)
    return False


def _server_runs() -> bool:
    """Return whether the server answers, if only to refuse a further connection.

    Its message may be in any language, so the client library is asked.
    """
    from psycopg import conninfo, pq  # not for SQLite

    params = connection.get_connection_params()
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    options = {key: value for key, value in params.items() if key in known}
    address = conninfo.make_conninfo(**{**options, "connect_timeout": CONNECT_SECONDS})
    return pq.PGconn.ping(address.encode()) in {pq.Ping.OK, pq.Ping.REJECT}


def _close_pool() -> None:
    """Fail the requests that wait for a connection; the next one finds a new pool.

    The old one may pause for seconds before it tries to connect again.
    """
    wrapper: Any = connection
    pool = wrapper._connection_pools.pop(wrapper.alias, None)  # noqa: SLF001 - closed for good
    if pool is not None:
        pool.close(timeout=1.0)


def is_outage(error: BaseException | None) -> bool:
    """Return whether the database could not be reached or changed, whatever it was asked.

    The errors of PostgreSQL's client have no code then, those of a server that goes down, takes no
    more connections or is read-only have one of these. SQLite's file is locked by another process.
    """
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    cause = error.__cause__
    name = getattr(cause, "sqlite_errorname", None)
    if name is not None:
        return str(name).startswith("SQLITE_BUSY")
    state = getattr(cause, "sqlstate", None)
    return state is None or str(state).startswith(("08", "25006", "53", "57P"))


availability = Availability()
"""The one instance in this process."""
