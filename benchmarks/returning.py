"""Benchmark P10, the way back after a restart: ``python -m benchmarks.returning``.

Many people sit at tables of one real process on PostgreSQL. It is restarted, and all of them come
back at once, as the browser's client does: with the last version that they know, and with its
pauses after a failure. Other tables are played meanwhile. The crowd has a process of its own, so
that only the server can delay the players.

CPU time is that of the serving process, less what the players cost it before the crowd came.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import random
import re
import resource
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from benchmarks.figures import Figure
from benchmarks.load import centile, close_rooms, seat_people
from benchmarks.realtime import BenchSite, show
from benchmarks.wsload import Socket, connect, cpu_seconds, gather_some, measure
from tests.support.data_servers import HOST, Postgres, Redis
from tests.support.servers import manage
from tests.support.tables import Table, make_tables, wish

SOCKETS, MOST_SOCKETS = 2_000, 5_000
OTHERS, RATE = 50, 100.0
"""Tables that are played meanwhile, and their moves per second."""

CALM_S = 4.0
"""Seconds in which the players alone are measured."""

BACKOFF_S, LONGEST_S = 0.5, 8.0
"""The pauses of the browser's client after a failure: see static/js/net/socket.js."""

PATIENCE_S = 20.0
"""Seconds without an answer after which an attempt counts as failed."""

GIVE_UP_S = 120.0
"""Seconds after which those who are not back are counted as lost."""

GOAL_S, GOAL_CPU_MS, GOAL_P99_MS = 10.0, 1.5, 100.0
AT_ONCE = 50
"""Sockets opened together before the restart."""


@dataclass
class Person:
    """One socket of the crowd.

    Attributes:
        match, cookie: the table's public id, and the person's session.
        version: the last version that they know.
        back: seconds from the crowd's start until they were seated; None if they never were.
        failures: attempts that failed, by what happened.
    """

    match: str
    cookie: str
    version: int | None = None
    back: float | None = None
    failures: Counter[str] = field(default_factory=Counter)
    socket: Socket | None = None

    async def sit(self, port: int) -> None:
        """Open a socket, and wait for the answer to `hello` and for the table's people.

        Raises:
            ConnectionError, TimeoutError: if that fails.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        missing = {"view", "table"}

        def hear(text: bytes) -> None:
            message = json.loads(text)
            kind = "view" if message["t"] == "steps" else message["t"]
            if kind == "view":
                self.version = message["d"]["v"]
            missing.discard(kind)
            if kind == "bye" and not ready.done():
                ready.set_exception(Refused(message["d"]["code"], message["d"].get("retry")))
            if not missing and not ready.done():
                ready.set_result(None)

        def lost() -> None:
            if not ready.done():
                ready.set_exception(ConnectionError("closed"))

        async with asyncio.timeout(PATIENCE_S):
            self.socket = await connect(port, f"/ws/t/{self.match}/", self.cookie, hear)
            self.socket.lost = lost
            self.socket.send(json.dumps({"t": "hello", "d": {"v": self.version}}).encode())
            await ready

    async def come_back(self, port: int, started: float) -> None:
        """Try until seated, with the browser's pauses."""
        wait = BACKOFF_S
        while time.monotonic() - started < GIVE_UP_S:
            try:
                await self.sit(port)
            except Refused as refused:
                self.failures[str(refused)] += 1
                await asyncio.sleep(refused.retry or wait)
            except (OSError, TimeoutError) as error:
                self.failures[type(error).__name__] += 1
                await asyncio.sleep(wait * random.uniform(0.5, 1))
                wait = min(2 * wait, LONGEST_S)
            else:
                self.back = time.monotonic() - started
                return
            if self.socket is not None:
                self.socket.close()


class Refused(Exception):
    """A `bye`, with its code and the seconds after which to try again."""

    def __init__(self, code: str, retry: float | None) -> None:
        super().__init__(code)
        self.retry = retry


@dataclass(frozen=True)
class Arrivals:
    """The return of a crowd: seconds until each was seated, and failed attempts by reason."""

    seconds: tuple[float, ...]
    failures: dict[str, int]


def crowd(pipe: Connection, port: int, tables: Sequence[Table]) -> None:
    """Run the crowd in a process of its own: sit down, be told of the restart, come back."""
    people = [Person(table.match, cookie) for table in tables for cookie in table.cookies]

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        await gather_some([partial(person.sit, port) for person in people], AT_ONCE)
        pipe.send(len(people))
        await loop.run_in_executor(None, pipe.recv)
        started = time.monotonic()
        await asyncio.gather(*(person.come_back(port, started) for person in people))
        failures: Counter[str] = sum((person.failures for person in people), Counter())
        seconds = [person.back for person in people if person.back is not None]
        pipe.send(Arrivals(tuple(sorted(seconds)), dict(failures)))
        await loop.run_in_executor(None, pipe.recv)

    asyncio.run(scenario())


async def arrived(pipe: Connection) -> Arrivals:
    """Wait until the crowd is back."""
    return cast(Arrivals, await asyncio.to_thread(pipe.recv))


async def come_back(
    site: BenchSite, pipe: Connection, others: Sequence[Table]
) -> tuple[Arrivals, list[Figure]]:
    """Play at the others' tables, alone and while the crowd comes back."""
    rooms = await seat_people(site, others)
    calm = await measure(rooms, [lambda: [site.pid]], CALM_S, rate=RATE)
    lags, stores = histogram(site, *LAG), histogram(site, *STORE)
    for at, room in enumerate(rooms):
        room.used, room.meter = [], partial(cpu_seconds, site.pid)
        room.start(len(rooms) / RATE)
        if at % 10 == 0:
            await asyncio.sleep(10 / RATE)
    before = cpu_seconds(site.pid)
    pipe.send("come back")
    arrivals = await arrived(pipe)
    await asyncio.sleep(1)  # chats and such are read after the seat was taken
    waits = [wait for room in rooms for wait in room.waits]
    used = [each for room in rooms for each in room.used]
    spent = cpu_seconds(site.pid) - before - calm.per_move() / 1e6 * len(waits)
    close_rooms(rooms)
    return arrivals, [
        Figure(
            "CPU of the serving process, each socket",
            1e3 * spent / max(1, len(arrivals.seconds)),
            "ms",
            at_most=GOAL_CPU_MS,
        ),
        Figure("moves of others alone, p99", centile(calm.waits, 0.99), "ms"),
        Figure("moves of others meanwhile, p50", centile(waits, 0.5), "ms"),
        Figure("moves of others meanwhile, p99", centile(waits, 0.99), "ms", at_most=GOAL_P99_MS),
        Figure("moves of others meanwhile, slowest", centile(waits, 1), "ms"),
        Figure("the server's CPU during such a wait, p50", centile(used, 0.5), "ms"),
        Figure("the server's CPU during such a wait, p99", centile(used, 0.99), "ms"),
        Figure("the server's CPU during such a wait, most", centile(used, 1), "ms"),
        *bounds("how late the server's loop was", lags, histogram(site, *LAG)),
        *bounds("until the database had stored a move", stores, histogram(site, *STORE)),
        Figure("moves of others meanwhile", len(waits), ""),
    ]


LAG = "loop_lag_seconds", ""
STORE = "move_seconds", 'stage="store",'
"""Histograms of the server: how late its loop was, and how long the database took for a move."""


def histogram(site: BenchSite, name: str, labels: str) -> dict[float, float]:
    """Return how many values of a histogram have been at most so many seconds, so far."""
    line = HTTPConnection(HOST, site.port, timeout=90)
    line.request("GET", "/metrics")
    text = line.getresponse().read().decode()
    line.close()
    found = re.findall(rf'{name}_bucket\{{{labels}le="(\S+)"\}} (\S+)', text)
    found += re.findall(rf'{name}_bucket\{{le="(\S+)",{labels.rstrip(",")}\}} (\S+)', text)
    return {float(bound): float(count) for bound, count in found}


def bounds(name: str, before: dict[float, float], after: dict[float, float]) -> Iterator[Figure]:
    """Return upper bounds of what a histogram has counted between two looks."""
    since = {bound: count - before[bound] for bound, count in after.items()}
    for share in (0.5, 0.99, 1.0):
        most = min(bound for bound, count in since.items() if count >= share * since[math.inf])
        yield Figure(f"{name}, {share:.0%} at most", 1e3 * most, "ms")


def report(people: int, arrivals: Arrivals) -> Iterator[Figure]:
    """Return the figures of the crowd."""
    seconds = arrivals.seconds
    goal = GOAL_S if people == MOST_SOCKETS else None
    yield Figure("sockets that came back at once", people, "")
    yield Figure("half of them are seated after", centile(seconds, 0.5) / 1e3, "s")
    yield Figure("all of them are seated after", centile(seconds, 1) / 1e3, "s", at_most=goal)
    yield Figure("never seated", people - len(seconds), "", at_most=0)
    told = arrivals.failures.get("busy", 0)
    failed = sum(arrivals.failures.values()) - told
    yield Figure("told in a bye to come again later", told, "")
    yield Figure("failed attempts", failed, "", at_most=0)
    for reason, count in sorted(arrivals.failures.items()):
        yield Figure(f"  {reason}", count, "")


def allow_files() -> None:
    """Allow as many open files as the system does: one for each socket."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main() -> None:
    """Start the server, seat everybody, restart it, and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sockets", type=int, default=SOCKETS, help=f"at most {MOST_SOCKETS}")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="uvicorn")
    parser.add_argument("--signal", choices=("TERM", "KILL"), default="TERM")
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    count = max(2, min(asked.sockets, MOST_SOCKETS)) // 2
    allow_files()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribbage-return-")))
        folder.chmod(0o755)
        redis = stack.enter_context(Redis(folder))
        postgres = stack.enter_context(Postgres(folder))
        url = postgres.create_database("returning")
        manage(url, "migrate", "-v", "0")
        site = BenchSite(
            folder,
            server=asked.server,
            database_url=url,
            redis_url=redis.url,
            extra={"EMBEDDED_WORKER": "none"},  # as on a public site
        )
        tables = make_tables(url, *[wish(games=9) for _ in range(count + asked.rounds * OTHERS)])
        for at in range(asked.rounds):
            others = tables[count + at * OTHERS :][:OTHERS]
            stack.enter_context(site)
            print(f"{asked.server}, PostgreSQL, one process, SIG{asked.signal}", flush=True)
            measure_return(site, tables[:count], others, asked.signal)
            site.stop()


def measure_return(
    site: BenchSite, tables: Sequence[Table], others: Sequence[Table], name: str
) -> None:
    """Seat the crowd, restart the server, and print how the crowd came back."""
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    process = context.Process(target=crowd, args=(theirs, site.port, tables), daemon=True)
    process.start()
    try:
        people = pipe.recv()
        site.stop(signal.Signals[f"SIG{name}"])
        started = time.monotonic()
        site.start()
        ready = time.monotonic() - started
        arrivals, figures = asyncio.run(come_back(site, pipe, others))
        pipe.send("leave")
        show(report(people, arrivals))
        show(figures)
        show([Figure("the server's start before that", ready, "s")])
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    finally:
        process.join(5)
        process.terminate()


if __name__ == "__main__":
    main()
