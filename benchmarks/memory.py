"""Benchmark P12, memory over an hour and a half: ``python -m benchmarks.memory [--minutes N]``.

People play game after game to 121 at a steady rate: matches begin and end all the time, on
PostgreSQL and Redis, with jobs in a worker of their own. The resident memory of the process that
serves sockets is printed after each five minutes, so that a run that is stopped leaves its curve.

The goal is for 300 moves a second. A slower run, as a busy machine needs, sees fewer matches; it
prints how many began and ended.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.figures import Figure
from benchmarks.lives import AT_ONCE, SERVERS, JobWorker, bench_site, live_seat, servers
from benchmarks.load import RATE, TABLES, close_rooms, resident_kb
from benchmarks.realtime import BenchSite, show
from benchmarks.wsload import cpu_seconds, gather_some
from benchmarks.wsplay import LifeRoom
from tests.support.tables import make_tables, wish

MINUTES = 90.0
STEP_MINUTES = 5.0
SETTLED_MINUTES = 30.0
"""Minutes after which memory is to stay flat."""

GROWTH = 1.1
"""Maximum memory at the end, as a multiple of the memory after `SETTLED_MINUTES`."""


def played(rooms: Sequence[LifeRoom]) -> tuple[int, int]:
    """Return the moves and the ended matches of all rooms so far."""
    return sum(len(room.waits) for room in rooms), sum(room.lives for room in rooms)


def stopped(rooms: Sequence[LifeRoom]) -> int:
    """Return the number of rooms that lost a socket, so that their table stands still."""
    return sum(not room.moving and any(socket.closed for socket in room.sockets) for room in rooms)


async def watch(
    site: BenchSite, worker: JobWorker, rooms: Sequence[LifeRoom], *, minutes: float, rate: float
) -> list[Figure]:
    """Play for some minutes, print the curve, and return how flat it was."""
    gap = len(rooms) / rate
    for room in rooms:
        room.start(gap)
        await asyncio.sleep(1 / rate)
    started, cpu = time.monotonic(), cpu_seconds(site.pid)
    curve = [(0.0, resident_kb(site.pid) / 1024)]
    print(line(0.0, site, worker, rooms), flush=True)
    while (at := curve[-1][0]) < minutes:
        at = min(minutes, at + STEP_MINUTES)
        await asyncio.sleep(max(0.0, started + 60 * at - time.monotonic()))
        curve.append((at, resident_kb(site.pid) / 1024))
        print(line(at, site, worker, rooms), flush=True)
    moves, _ = played(rooms)
    spent = cpu_seconds(site.pid) - cpu
    close_rooms(rooms)
    return [
        Figure("moves a second", moves / (60 * minutes), "/s"),
        Figure("server, a move, ends included", spent / max(1, moves) * 1e6, "us"),
        Figure("tables that stand still at the end", stopped(rooms), ""),
        *flatness(curve),
    ]


def line(at: float, site: BenchSite, worker: JobWorker, rooms: Sequence[LifeRoom]) -> str:
    """Return a line of the curve."""
    moves, ends = played(rooms)
    server, jobs = (resident_kb(pid) / 1024 for pid in (site.pid, worker.pid))
    load = os.getloadavg()[0]
    return (
        f"{at:5.0f} min: server {server:6.1f} MB, worker {jobs:6.1f} MB; {moves:8,} moves, "
        f"{ends:6,} matches ended; load {load:.1f}"
    )


def flatness(curve: Sequence[tuple[float, float]]) -> Iterator[Figure]:
    """Return how much memory grew since it should be flat, or since the start."""
    settled = [size for at, size in curve if at >= SETTLED_MINUTES]
    if len(settled) > 1:
        name = f"P12 server, most memory since minute {SETTLED_MINUTES:.0f} / at that minute"
        yield Figure(name, max(settled) / settled[0], "x", at_most=GROWTH)
    yield Figure("server, memory grown in the last step", curve[-1][1] - curve[-2][1], "MB")


def main() -> None:
    """Start the servers, measure, stop the servers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--rate", type=float, default=RATE, help="moves a second in all")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--server", choices=SERVERS, default="daphne")
    asked = parser.parse_args()
    with servers("memory") as on, bench_site(on, asked.server) as site:
        tables = make_tables(on.url, *[wish() for _ in range(asked.tables)])
        print(f"{asked.server}, one process, {asked.tables} tables, {asked.rate:.0f} moves/s asked")

        async def run() -> list[Figure]:
            rooms = await gather_some(
                [partial(live_seat, site, table) for table in tables], at_once=AT_ONCE
            )
            return await watch(site, on.worker, rooms, minutes=asked.minutes, rate=asked.rate)

        show(asyncio.run(run()))


if __name__ == "__main__":
    main()
