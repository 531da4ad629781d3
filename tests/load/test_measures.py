"""What the benchmarks measure with."""

import os
import subprocess
import sys
import threading
import time

import pytest

from benchmarks.wsload import cpu_seconds

BUSY_S = 0.2
"""Processor seconds that a thread uses: far more than the rest of the test."""


def test_processor_time_includes_that_of_ended_threads() -> None:
    """The site makes each page in a thread of its own, which ends with it."""

    def work() -> None:
        while time.thread_time() < BUSY_S:
            pass

    before = cpu_seconds(os.getpid())
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert cpu_seconds(os.getpid()) - before >= BUSY_S


def test_an_ended_process_has_no_processor_time() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with pytest.raises(ProcessLookupError):
        cpu_seconds(ended.pid)
