"""Benchmark of pages: ``python -m benchmarks.pages``.

One real server process on SQLite, warm, over loopback: wall time until the page is complete, and
CPU time of the server. A line ends with the goal if there is one.
"""

from __future__ import annotations

import http.client
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.support.servers import Site, manage, sqlite_url

ROUNDS = 15
TICKS = os.sysconf("SC_CLK_TCK")

PAGES = {
    "landing": ("/", None),
    "lobby": ("/lobby/", None),
    "rules": ("/rules/", None),
    "hand counter": ("/count/?cards=5H+5C+5S+JD+5D", 100.0),
    "15 throws": ("/discards/?cards=4H+5H+6S+JC+9D+KS&role=pone&own=96&other=110", 100.0),
    "5 throws": ("/discards/?cards=5D+5S+7C+JH+QS&role=dealer", 100.0),
}
"""Name -> (address, maximum milliseconds)."""


def cpu_ms(pid: int) -> float:
    """Return the CPU time of a process so far, user and system, in milliseconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / TICKS


def ask(site: Site, address: str) -> float:
    """Return the milliseconds until the page is complete."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", address)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return 1000 * (time.perf_counter() - began)


def main() -> int:
    """Measure each page; return 0."""
    with tempfile.TemporaryDirectory() as folder:
        url = sqlite_url(Path(folder))
        manage(url, "migrate", "--verbosity", "0")
        with Site(Path(folder), database_url=url) as site:
            for name, (address, goal) in PAGES.items():
                ask(site, address)
                before = cpu_ms(site.pid)
                took = [ask(site, address) for _ in range(ROUNDS)]
                cpu = (cpu_ms(site.pid) - before) / ROUNDS
                middle = statistics.median(took)
                line = (
                    f"{name:14} median {middle:6.1f} ms, longest {max(took):6.1f}, CPU {cpu:5.1f}"
                )
                if goal is not None:
                    line += f"   {'met' if middle <= goal else 'MISSED'}: at most {goal:.0f} ms"
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
