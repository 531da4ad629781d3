"""The worker of a process of the site, where no worker of its own runs: see EMBEDDED_WORKER.

As a process it has its own interpreter and a low priority, so no job slows the tables. It ends with
the site's process, and is restarted if it ends before. Its announcements about tables and
the lobby reach this process through a pipe, and so need no Redis.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from games.cluster import announce
from games.jobs.worker import Worker

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[1]

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until the worker is started again; they double each time that it ends at once."""

STOP_SECONDS = 10.0
"""Seconds after which a worker that does not stop is killed; its job is repeated."""


class EmbeddedWorker:
    """The worker that this process started, if any."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._worker: Worker | None = None
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the worker, if this process has one."""
        if self._thread is not None or settings.EMBEDDED_WORKER == "none":
            return
        self._stopping.clear()
        target: Callable[[], None] = self._keep_running
        if settings.EMBEDDED_WORKER == "thread":
            self._worker = Worker()
            target = self._worker.run
        self._thread = threading.Thread(target=target, name="worker", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the worker; running jobs are finished if they are short, else repeated later."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        if self._worker is not None:
            self._worker.stop()
        if self.process is not None:
            self._end(self.process)
        thread.join(STOP_SECONDS)

    def _keep_running(self) -> None:
        """Start the process again whenever it ends."""
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            self.process = _launch()
            heard = self._listen(self.process)
            status = self.process.wait()
            if self._stopping.is_set():
                return
            logger.warning("the worker ended with status %s and is started again", status)
            pause = FIRST_PAUSE if heard else min(2 * pause, LONGEST_PAUSE)
            self._stopping.wait(pause)

    @staticmethod
    def _listen(process: subprocess.Popen[str]) -> bool:
        """Pass on what the worker announces, until it ends; return whether it said anything."""
        heard = False
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        for line in process.stdout:
            channel, _, message = line.strip().partition(" ")
            heard = True
            if message:
                announce.repeat(channel, message)
        return heard

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        with contextlib.suppress(OSError):
            process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


def _launch() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "worker", "--embedded"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C in a terminal goes to the site, which then stops its worker.
        start_new_session=True,
    )


embedded_worker = EmbeddedWorker()
"""The worker of this process."""
