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


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGKILL])
def test_the_servers_of_a_benchmark_end_with_it(way: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "benchmark"
    folder.mkdir()
    alone = {name: value for name, value in os.environ.items() if name != launcher.ADDRESS}
    with subprocess.Popen(
        [sys.executable, "-c", BENCHMARK, folder], cwd=ROOT, env=alone, stdout=subprocess.PIPE
    ) as benchmark:
        assert benchmark.stdout is not None
        port = int(benchmark.stdout.readline())
        assert listens(port)
        benchmark.send_signal(way)
    wait_for(lambda: not listens(port) and not folder.exists())
