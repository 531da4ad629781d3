"""Tasks that start together in threads, with database connections of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from tests.support.waiting import DEADLINE

LOCK_WAITS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
"""Counts the connections to a PostgreSQL database that wait for a lock.

`pg_locks` has those of the whole server, on which other tests run.
"""


def at_once(*tasks: Callable[[], object]) -> None:
    """Run tasks in threads that start together; raise the first error of any."""
    ready = Barrier(len(tasks))

    def run(task: Callable[[], object]) -> None:
        try:
            ready.wait(DEADLINE)
            task()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(tasks)) as pool:
        for done in [pool.submit(run, task) for task in tasks]:
            done.result(DEADLINE)


def refusable(task: Callable[[], object], *refusals: type[Exception]) -> Callable[[], None]:
    """Return a task that ends without an error if it is refused."""

    def run() -> None:
        with contextlib.suppress(*refusals):
            task()

    return run


def waits_for_lock() -> bool:
    """Return whether a connection waits for a lock; on SQLite, where one writes at a time, True."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        # Within a transaction, PostgreSQL would give its first answer again and again.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(LOCK_WAITS)
        return bool(cursor.fetchone()[0])
