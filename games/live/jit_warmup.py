"""Warm-up of the strongest computers: they are compiled and loaded in the background at start.

Compiling takes about 45 s of CPU, once per machine, in a separate low-priority process, so that no
table is slowed down; without Numba nothing is compiled. Loading the result here takes a second or
two. If a player meets one of these computers before that, its first move takes that much longer.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

LOW_PRIORITY = 10
"""Niceness added to the compiling process."""

COMPILE_SECONDS = 600
"""Seconds after which the compiling process is killed; the first move then compiles instead."""

ROOT = Path(__file__).resolve().parents[2]

COMPILED = frozenset({"grace", "ada"})
"""Levels whose first move in a process waits for compiling or loading."""

STRONGEST = "ada"
"""The level that uses every kernel: once it has moved, no later move waits."""

_started = threading.Event()
_ready: set[str] = set()
"""Compiled levels whose next move does not wait."""

_over = threading.Event()
"""Whether the warm-up has ended, successfully or not."""


def is_preparing(level: str) -> bool:
    """Return whether the next move of this computer waits until it is compiled and loaded."""
    return level in COMPILED and level not in _ready


def moved(level: str) -> None:
    """Note that a computer has moved in this process."""
    _ready.update(COMPILED if level == STRONGEST else {level})


def start() -> None:
    """Start the warm-up in the background, once per process."""
    if not settings.COMPUTERS_WARM or _started.is_set():
        return
    _started.set()
    threading.Thread(target=_warm_up, name="jit-warmup", daemon=True).start()


def _warm_up() -> None:
    from games.analysis.kernels.built import HAS_NUMBA, NotBuilt

    try:
        if HAS_NUMBA:
            _compile()
        from games.bots.warmup import warm_up

        warm_up()
        _ready.update(COMPILED)
    except NotBuilt:
        logger.exception("the strongest computers cannot play here")
    except (OSError, subprocess.SubprocessError):
        logger.warning("the computers could not be compiled in advance", exc_info=True)
    finally:
        _over.set()


def _compile() -> None:
    """Compile in a process that ends with this one, however that ends.

    Raises:
        OSError: if it cannot be started.
        subprocess.SubprocessError: if it fails, or takes too long.
    """
    command = [sys.executable, "-m", "games.live.compiling", str(LOW_PRIORITY)]
    # It ends when the other end of its input is closed.
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as process:  # noqa: S603
        try:
            status = process.wait(COMPILE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    if status:
        raise subprocess.CalledProcessError(status, command)


def is_running() -> bool:
    """Return whether a warm-up has started and not ended yet."""
    return _started.is_set() and not _over.is_set()


def wait() -> None:
    """Wait until a warm-up that has started is over, so that nothing is compiled twice at once."""
    if _started.is_set():
        _over.wait(COMPILE_SECONDS)
