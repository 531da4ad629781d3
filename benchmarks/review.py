"""Benchmark of reviews: ``make bench-review``.

One real server process on SQLite, over loopback: time from opening the page of a finished match
until the first verdict is stored, and until the last one is. Each match is new; compiled loops are
warm, as on a site that has run before. It also prints the server's CPU time, which other load
hardly affects, and the time of another page while reviews run.
"""

from __future__ import annotations

import http.client
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.pages import cpu_ms
from tests.support.played import play_elsewhere
from tests.support.servers import Site, manage, sqlite_url
from tests.support.tables import Table, make_tables, wish

ROUNDS = 5
POLL_S = 0.02
FIRST_MS, WHOLE_MS = 1_000.0, 10_000.0
"""Goals for the first verdict, and for the whole match."""

MATCHES: dict[str, tuple[dict[str, Any], int]] = {
    "2 seats": ({"computers": (1,)}, ROUNDS),
    "3 seats": ({"computers": (1, 2), "players": 3}, ROUNDS),
    "2 seats, 9 games": ({"computers": (1,), "games": 9}, 1),
}
"""Name -> (rules of the match, number of matches to review)."""


def get(site: Site, address: str, cookie: str) -> tuple[float, bytes]:
    """Return the milliseconds of a page, and its content."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", address, headers={"Cookie": f"sessionid={cookie}"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return 1000 * (time.perf_counter() - began), body


def review(site: Site, table: Table, others: list[float]) -> tuple[float, float, int]:
    """Return the milliseconds to the first and to the last verdict, and the number of decisions."""
    cookie = table.cookies[0]
    began = time.perf_counter()
    get(site, f"/matches/{table.match}/review/", cookie)
    first = None
    while True:
        _, body = get(site, f"/matches/{table.match}/review/state/", cookie)
        state = json.loads(body)
        passed = 1000 * (time.perf_counter() - began)
        if first is None and state["done"]:
            first = passed
        if state["status"] == "done":
            return first or passed, passed, state["done"]
        if state["status"] == "failed" or passed > 120_000:
            raise RuntimeError(f"{table.match}: {state}")
        others.append(get(site, "/rules/", cookie)[0])
        time.sleep(POLL_S)


def verdict(value: float, goal: float) -> str:
    """Return whether a goal is met, as text."""
    return f"{'met' if value <= goal else 'MISSED'}: at most {goal:.0f} ms"


def main() -> int:
    """Measure each kind of match; return 0."""
    with tempfile.TemporaryDirectory() as folder:
        url = sqlite_url(Path(folder))
        manage(url, "migrate", "--verbosity", "0")
        made = {}
        for name, (rules, number) in MATCHES.items():
            # One more than is measured: the first is a warm-up.
            made[name] = make_tables(url, *(wish(**rules) for _ in range(number + 1)))
            for table in made[name]:
                play_elsewhere(url, table.match)
        with Site(Path(folder), database_url=url) as site:
            for name, tables in made.items():
                review(site, tables[0], [])
                alone = [get(site, "/rules/", tables[0].cookies[0])[0] for _ in range(ROUNDS)]
                concurrent: list[float] = []
                before = cpu_ms(site.pid)
                rows = [review(site, table, concurrent) for table in tables[1:]]
                cpu = (cpu_ms(site.pid) - before) / len(rows)
                first, whole = [row[0] for row in rows], [row[1] for row in rows]
                goal = WHOLE_MS if "games" not in name else WHOLE_MS * 9
                print(
                    f"{name:17} {statistics.mean(row[2] for row in rows):4.0f} decisions"
                    f"   first verdict median {statistics.median(first):6.0f} ms, "
                    f"longest {max(first):6.0f}   {verdict(max(first), FIRST_MS)}\n"
                    f"{'':33}   whole match   median {statistics.median(whole):6.0f} ms, "
                    f"longest {max(whole):6.0f}   {verdict(max(whole), goal)}\n"
                    f"{'':33}   processor     mean   {cpu:6.0f} ms of the server, all pages asked\n"
                    f"{'':33}   another page  median {statistics.median(alone):6.1f} ms alone, "
                    f"{statistics.median(concurrent or alone):.1f} during a review",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
