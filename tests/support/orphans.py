"""Ends the servers that a process has started once that process is gone, however it ended.

A test run has its launcher for this (`tests.support.launcher`). A benchmark that is killed would
leave PostgreSQL, Redis and its sites running, so a process of its own waits for its end: it holds
the other end of a pipe, which closes with the benchmark.

As a program (`python -m tests.support.orphans`) it reads process ids and folders, one on a line. It
needs Linux, as the benchmarks do; where the kernel knows no pidfds, nothing is ended.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import IO

from tests.support import launcher

STOP_SECONDS = 10.0
"""The time that servers get to stop before they are killed."""


def end_later(pid: int) -> None:
    """Have a process ended when this one is gone."""
    _tell(str(pid))


def remove_later(folder: Path) -> None:
    """Have a folder removed when this process is gone, after the processes have ended."""
    _tell(str(folder.absolute()))


def _tell(line: str) -> None:
    if not os.environ.get(launcher.ADDRESS) and _has_pidfds():
        pipe = _watcher()
        pipe.write(f"{line}\n".encode())
        pipe.flush()


@cache
def _has_pidfds() -> bool:
    """Whether this system can open processes: not macOS, an old Linux, or a strict container."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


@cache
def _watcher() -> IO[bytes]:
    """Start the process that waits for this one's end; return the pipe to it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.orphans"],
        cwd=launcher.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    process.returncode = 0  # it outlives this process, so that no one waits for it
    return process.stdin


def _main() -> None:
    processes: list[int] = []  # descriptors: a process id may be given to another process
    folders: list[str] = []
    for line in sys.stdin.buffer:
        text = line.decode().strip()
        if not text.isdecimal():
            folders.append(text)
            continue
        with contextlib.suppress(ProcessLookupError):
            processes.append(os.pidfd_open(int(text)))
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(process, number)
        end = time.monotonic() + STOP_SECONDS
        for process in processes:
            select.select([process], [], [], max(0.0, end - time.monotonic()))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _main()
