"""Waiting for a condition: the only way a test should wait for something to happen."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

DEADLINE = 90.0
"""Generous time limit in seconds for what takes a moment on an idle machine."""

GAME_S = 450.0
"""Time limit in seconds for a whole match on a slow and busy machine."""

PAUSE = 0.02
"""Seconds between two checks."""


def wait_for(
    condition: Callable[[], object],
    *,
    within: float = DEADLINE,
    pause: float = PAUSE,
    message: Callable[[], object] = lambda: "the condition did not become true",
) -> None:
    """Wait until `condition` is true; on a timeout fail with what `message` returns."""
    end = time.monotonic() + within
    while not condition():
        assert time.monotonic() < end, message()
        time.sleep(pause)


async def wait_until(condition: Callable[[], object], *, within: float = DEADLINE) -> None:
    """Wait until `condition` is true while the event loop runs other tasks."""
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110  # the condition may depend on other processes
            await asyncio.sleep(PAUSE)


def meet(place: Path, number: int) -> None:
    """Wait until `number` processes have called this with the same new folder."""
    (place / str(os.getpid())).touch()
    wait_for(lambda: len(list(place.iterdir())) >= number)
