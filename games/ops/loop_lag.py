"""The lag of the event loop: by how much it runs late while something holds it."""

from __future__ import annotations

import asyncio
from time import monotonic

from games.ops import metrics

EVERY = 0.1
"""Seconds between two looks at the clock."""


class LoopLag:
    """Measures how late the running event loop calls back, until `stop`."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wait()

    def stop(self) -> None:
        """Stop measuring."""
        self._timer.cancel()

    def _wait(self) -> None:
        # The loop's own time stands still within a turn.
        self._due = monotonic() + EVERY
        self._timer = self._loop.call_later(EVERY, self._look)

    def _look(self) -> None:
        metrics.LOOP_LAG.observe(max(0.0, monotonic() - self._due))
        self._wait()
