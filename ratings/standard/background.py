"""Background job queue: one thread per process runs jobs one after another.

A single thread leaves processor time for the tables, however many jobs there are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

_jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
_starting = threading.Lock()
_started = threading.Event()


def run_later(job: Callable[[], None]) -> None:
    """Queue a job. It must handle its own errors."""
    _jobs.put(job)
    with _starting:
        if not _started.is_set():
            _started.set()
            threading.Thread(target=_run, name="background", daemon=True).start()


def _run() -> None:
    while True:
        _jobs.get()()
