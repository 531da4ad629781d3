"""Work that nobody waits for, done by one thread of this process, one piece after another.

However many new games are asked for at once, only one thread takes processor time from the tables.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

_jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
_starting = threading.Lock()
_started = threading.Event()


def later(job: Callable[[], None]) -> None:
    """Have a job done as soon as those before it are; it must see to its own errors."""
    _jobs.put(job)
    with _starting:
        if not _started.is_set():
            _started.set()
            threading.Thread(target=_work, name="background", daemon=True).start()


def _work() -> None:
    while True:
        _jobs.get()()
