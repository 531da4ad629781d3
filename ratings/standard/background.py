"""Background job queue: one thread per process runs jobs one after another.

A single thread leaves processor time for the tables, however many jobs there are. A job that fails
is tried again after a while, behind the others, and given up after some attempts.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable

from django.db import close_old_connections, connection

from games.api import Daemon

ATTEMPTS = 5
"""How often a job is tried in all."""

WITHIN = 1800.0
"""Seconds that a job may take: simulating the field of a game takes minutes on a slow machine."""

Job = Callable[[], None]
_Planned = tuple[float, int, int, Job]
"""When to run a job (monotonic seconds), its place among equals, the failures so far, the job."""

_jobs: list[_Planned] = []
_changed = threading.Condition()
_places = itertools.count()
_thread: threading.Thread | None = None


def run_later(job: Job) -> None:
    """Queue a job. If it raises an exception it is tried again, so it must be repeatable."""
    global _thread  # noqa: PLW0603 - one for each process
    with _changed:
        _plan(job, time.monotonic(), 0)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_run, name="background", daemon=True)
            _thread.start()


def _plan(job: Job, at: float, failures: int) -> None:
    with _changed:
        heapq.heappush(_jobs, (at, next(_places), failures, job))
        _changed.notify()


def _run() -> None:
    daemon = Daemon("background", within=WITHIN)
    while True:
        _, _, failures, job = _next()
        daemon.begin()
        close_old_connections()
        try:
            job()
        except Exception:
            wait = daemon.failed()
            if failures + 1 < ATTEMPTS:
                _plan(job, time.monotonic() + wait, failures + 1)
            else:
                daemon.worked()  # the job is given up, so nothing is left to fail
        else:
            daemon.worked()
        finally:
            connection.close()
        daemon.sleeps(float("inf"))


def _next() -> _Planned:
    """Wait until a job is due, and take it."""
    with _changed:
        while True:
            wait = _jobs[0][0] - time.monotonic() if _jobs else None
            if wait is not None and wait <= 0:
                return heapq.heappop(_jobs)
            _changed.wait(wait)
