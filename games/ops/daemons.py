"""Daemons: the regular jobs of a process, which go on after any error, and say when they fail.

A failed round is logged, counted in `cribbage_daemon_failures_total` and repeated after a pause
that doubles with each failure, except while the database is away. `/readyz` asks `problems` for
daemons that fail or stand still.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable

from games.ops import metrics
from games.ops.availability import is_outage

logger = logging.getLogger(__name__)

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds until the first repetition of a failed round, and at most."""

WITHIN = 60.0
"""Seconds that a round may take, and be late, before its daemon counts as standing still."""

_checks: dict[str, Callable[[], str]] = {}


def problems() -> dict[str, str]:
    """Return what is wrong with each daemon that does not work."""
    found = {name: check() for name, check in tuple(_checks.items())}
    return {name: text for name, text in found.items() if text}


def report(name: str, check: Callable[[], str]) -> None:
    """Let `problems` call ``check``, which returns "" if all is well."""
    # Prometheus sees no increase in a series that only begins with the first failure.
    metrics.DAEMON_FAILURES.setdefault(name, 0)
    _checks[name] = check


def count_failure(name: str, about: str) -> None:
    """Log the exception being handled, and count it as a failure of a daemon."""
    metrics.DAEMON_FAILURES[name] += 1
    logger.getChild(name).exception("%s", about)


class Daemon:
    """The state of one daemon; made by the thread or task that runs it.

    Attributes:
        name: one word, for metrics and `/readyz`.
        failures: the number of failed rounds since the last that worked.
    """

    def __init__(self, name: str, *, within: float = WITHIN) -> None:
        self.name = name
        self.failures = 0
        self._within = within
        self._expected = float("inf")
        report(name, self.problem)

    def problem(self) -> str:
        """Return what is wrong; "" if nothing is."""
        if time.monotonic() > self._expected:
            return "stands still"
        return f"failed {self.failures} times in a row; it tries again" if self.failures else ""

    def begin(self) -> None:
        """Record that a round begins."""
        self._expected = time.monotonic() + self._within

    def worked(self) -> None:
        """Record that a round worked."""
        self.failures = 0

    def failed(self) -> float:
        """Log and count the exception being handled; return the seconds until the next try."""
        count_failure(self.name, "this round failed")
        self.failures += 1
        if is_outage(sys.exception()):
            return FIRST_WAIT  # it costs nothing to ask, and must go on soon after the return
        return min(LONGEST_WAIT, FIRST_WAIT * (1 << min(self.failures - 1, 10)))

    def sleeps(self, seconds: float) -> None:
        """Record that the next round begins in so many seconds."""
        self._expected = time.monotonic() + seconds + self._within

    def stop(self) -> None:
        """Record that this daemon has been stopped on purpose."""
        if _checks.get(self.name) == self.problem:
            del _checks[self.name]


async def repeat(
    name: str,
    job: Callable[[], Awaitable[None]],
    *,
    every: float,
    first: float = 0.0,
    within: float = WITHIN,
) -> None:
    """Do a job regularly, until cancelled.

    Args:
        name: see `Daemon`.
        job: one round.
        every, first: seconds between two rounds, and before the first one.
        within: see `WITHIN`.
    """
    daemon = Daemon(name, within=within)
    wait = first
    try:
        while True:
            daemon.sleeps(wait)
            await asyncio.sleep(wait)
            daemon.begin()
            try:
                await job()
            except asyncio.CancelledError:
                if _is_cancelled():
                    raise
                wait = daemon.failed()  # something that the job awaited was cancelled
            except Exception:
                wait = daemon.failed()
            else:
                daemon.worked()
                wait = every
    finally:
        daemon.stop()


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
