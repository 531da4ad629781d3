"""The strongest computers made ready in the background, before the first person waits for them.

Their loops are compiled once for a machine, which takes half a minute of a processor, by a
process of its own at low priority, so that no table feels it; then they are loaded here, in a
second or two.
Whoever asks for one of them earlier waits that much longer for its first move.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

LOW_PRIORITY = 10
"""What is added to the niceness of the process that compiles."""

COMPILE_SECONDS = 600
"""After so long the process that compiles is ended; the first move then compiles what it needs."""

ROOT = Path(__file__).resolve().parent.parent

_started = threading.Event()


def start() -> None:
    """Begin to get ready, once for each process; returns at once."""
    if not settings.COMPUTERS_WARM or _started.is_set():
        return
    _started.set()
    threading.Thread(target=_get_ready, name="warming", daemon=True).start()


def _get_ready() -> None:
    try:
        subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", "games.bots.warm", str(LOW_PRIORITY)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            timeout=COMPILE_SECONDS,
            stdin=subprocess.DEVNULL,
        )
        from games.bots.warm import warm_up

        warm_up()
    except (OSError, subprocess.SubprocessError):
        logger.warning("the computers could not be made ready beforehand", exc_info=True)
