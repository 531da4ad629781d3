"""The servers of a benchmark end with it, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import launcher
from tests.support.data_servers import listens
from tests.support.servers import ROOT
from tests.support.waiting import wait_for

BENCHMARK = """
import sys, time
from pathlib import Path
from tests.support import orphans
from tests.support.data_servers import Redis

folder = Path(sys.argv[1])
orphans.remove_later(folder)
redis = Redis(folder).start()
print(redis.port, flush=True)
time.sleep(600)
"""

WITHOUT_PIDFDS = """
import errno, os

def pidfd_open(pid, flags=0):
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

os.pidfd_open = pidfd_open
"""

TWO_SERVERS = """
import sys
from pathlib import Path
from tests.support import orphans
from tests.support.data_servers import Redis

folder = Path(sys.argv[1])
orphans.remove_later(folder)
for _ in range(2):
    with Redis(folder):
        pass
"""


def alone() -> dict[str, str]:
    """Return the environment of a benchmark, which has no launcher."""
    return {name: value for name, value in os.environ.items() if name != launcher.ADDRESS}


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGKILL])
def test_the_servers_of_a_benchmark_end_with_it(way: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "benchmark"
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", BENCHMARK, folder], cwd=ROOT, env=alone(), stdout=subprocess.PIPE
    ) as benchmark:
        assert benchmark.stdout is not None
        port = int(benchmark.stdout.readline())
        assert listens(port)
        benchmark.send_signal(way)
    wait_for(lambda: not listens(port) and not folder.exists())


def test_a_benchmark_runs_also_on_a_kernel_without_pidfds(tmp_path: Path) -> None:
    """What it leaves when it is killed then has to be ended by hand."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_PIDFDS)
    command = [sys.executable, "-c", TWO_SERVERS, str(tmp_path)]
    env = alone() | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
