"""Benchmark P9, the whole life of matches: ``python -m benchmarks.lives [--seconds N]``.

People play game after game to 121: create a match, take their seats, play, end it, and go to the
next one. This is compared with matches that don't end within the run, alternately on the same
server, so that the difference is what beginnings and ends cost the process that serves sockets.
The tables of both are spread over the moves of a game, as people's are: tables in step end all
their hands in one statement, so that a move of theirs costs less, with or without ends.
A run sees few ends, so others resign every match at once: hundreds of beginnings and ends. Jobs run
in a worker of their own and are counted apart. PostgreSQL and Redis, one process.

A table page is fetched over HTTP when a browser goes to the next match; its cost is printed apart.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from benchmarks.figures import Figure
from benchmarks.realtime import FAST, BenchSite, seat, show
from benchmarks.wsload import Run, connect, cpu_seconds, gather_some, measure, tree
from benchmarks.wsplay import BriefRoom, GameRoom, LifeRoom
from tests.support import launcher, orphans
from tests.support.data_servers import Postgres, Redis, Server
from tests.support.logs import query
from tests.support.servers import Site, manage, site_environment
from tests.support.tables import Table, make_tables, wish

SECONDS = 6.0
"""Seconds of each run."""

ROUNDS = 3
TABLES = 250
MOVES = 110
"""Moves of a game to 121, about; all tables start spread over them."""

BRIEF = 12
"""Tables whose people resign every match at once."""

AT_ONCE = 5
"""Tables whose people take their seats at the same time."""

PAGES = 40
"""Table pages fetched, to measure one."""

SERVERS = ("uvicorn", "daphne")
JOBS = "django_tasks_database_dbtaskresult"
END = "games.log.endings.follow_up"
IDLE_SECONDS = 60.0
"""Longest wait for the worker to finish its jobs."""


class JobWorker(Server):
    """A process that runs ``manage.py worker``."""

    def __init__(self, folder: Path, *, database_url: str, redis_url: str) -> None:
        super().__init__(folder)
        self._environment = site_environment(database_url, redis_url)

    def launch(self, log: IO[bytes]) -> launcher.Process:
        """Start the process."""
        return launcher.launch(["manage.py", "worker"], self._environment, stdout=log, stderr=log)

    def ready(self) -> bool:
        """Return whether it is running."""
        return self.is_running()


@dataclass(frozen=True)
class Servers:
    """A site's servers in a temporary folder: a migrated database, Redis, and a worker."""

    folder: Path
    postgres: Postgres
    redis: Redis
    url: str
    worker: JobWorker


@contextmanager
def servers(name: str) -> Iterator[Servers]:
    """Start PostgreSQL with a database of this name, Redis and a worker; stop them at the end."""
    with ExitStack() as stack:
        made = stack.enter_context(tempfile.TemporaryDirectory(prefix=f"cribbage-{name}-"))
        folder = Path(made)
        folder.chmod(0o755)
        orphans.remove_later(folder)
        redis = stack.enter_context(Redis(folder))
        postgres = stack.enter_context(Postgres(folder))
        url = postgres.create_database(name)
        manage(url, "migrate", "-v", "0")
        worker = stack.enter_context(JobWorker(folder, database_url=url, redis_url=redis.url))
        yield Servers(folder, postgres, redis, url, worker)


def bench_site(on: Servers, server: str) -> BenchSite:
    """Return a site process on these servers, whose jobs run in their worker."""
    return BenchSite(
        on.folder,
        server=server,
        database_url=on.url,
        redis_url=on.redis.url,
        extra={**FAST, "EMBEDDED_WORKER": "none"},
    )


async def live_seat(site: Site, table: Table, kind: type[LifeRoom] = LifeRoom) -> LifeRoom:
    """Open the sockets of a table whose people play one match after another."""
    address = f"/ws/t/{table.match}/"
    sockets = [await connect(site.port, address, cookie) for cookie in table.cookies]
    room = kind(sockets, port=site.port, cookies=table.cookies)
    for socket in sockets:
        socket.send(b'{"t":"hello","d":{"v":null}}')
    return room


async def spread(rooms: Sequence[GameRoom]) -> None:
    """Play until the tables are spread evenly over the moves of a game."""
    goals = {room: at * MOVES // len(rooms) for at, room in enumerate(rooms)}
    waiting = set(rooms)
    for room in rooms:
        room.start()
    while waiting:
        await asyncio.sleep(0.02)
        for room in [each for each in waiting if len(each.waits) >= goals[each]]:
            room.stop()
            waiting.discard(room)
    await asyncio.sleep(0.5)


async def settle(rooms: Sequence[LifeRoom]) -> None:
    """Wait until everybody who goes to another match has got there."""
    while any(room.moving or not room.seated for room in rooms):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.2)


async def page_cost(site: Site, tables: Sequence[Table]) -> float:
    """Return the CPU time of a table page, microseconds."""

    async def fetch(table: Table) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        head = f"GET /t/{table.match}/ HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n"
        head += f"Cookie: sessionid={table.cookies[0]}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        status = await reader.readline()
        if b" 200 " not in status:
            raise RuntimeError(f"/t/{table.match}/: {status!r}")
        await reader.read()
        writer.close()

    await fetch(tables[0])
    before = cpu_seconds(site.pid)
    await gather_some([partial(fetch, table) for table in tables], at_once=4)
    return (cpu_seconds(site.pid) - before) / len(tables) * 1e6


async def compare(
    site: BenchSite, tables: dict[str, list[Table]], postgres: Postgres, seconds: float
) -> list[Figure]:
    """Measure moves with and without ends, and nothing but ends, alternately."""

    def backends() -> list[int]:
        return tree(postgres.pid)

    without: list[GameRoom] = await gather_some(
        [partial(seat, site, table) for table in tables["endless"]], at_once=AT_ONCE
    )
    ending: list[LifeRoom] = await gather_some(
        [partial(live_seat, site, table) for table in tables["ending"]], at_once=AT_ONCE
    )
    brief: list[LifeRoom] = await gather_some(
        [partial(live_seat, site, table, BriefRoom) for table in tables["brief"]], at_once=AT_ONCE
    )
    while not all(room.seated for room in (*without, *ending, *brief)):  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    await spread(without)
    await spread(ending)
    await settle(ending)
    groups = [site.pids, backends]
    runs: dict[str, list[Run]] = {"with": [], "without": [], "brief": []}
    lives = 0
    for _ in range(ROUNDS):
        runs["without"].append(await measure(without, groups, seconds))
        before = sum(room.lives for room in ending)
        runs["with"].append(await measure(ending, groups, seconds))
        lives += sum(room.lives for room in ending) - before
        await settle(ending)
        runs["brief"].append(await measure(brief, groups, seconds))
        await settle(brief)
    close_all = [*without, *ending, *brief]
    page = await page_cost(site, tables["endless"][:PAGES])
    for room in close_all:
        for socket in room.sockets:
            socket.close()
    return figures(site.server, runs, lives, page)


def figures(server: str, runs: dict[str, list[Run]], lives: int, page: float) -> list[Figure]:
    """Return the figures of a server."""
    plain, whole, brief = (
        statistics.median(run.per_move() for run in runs[name])
        for name in ("without", "with", "brief")
    )
    stored, stored_whole = (
        statistics.median(run.per_move(1) for run in runs[name]) for name in ("without", "with")
    )
    moves = sum(run.moves for run in runs["with"])
    each = moves / max(1, lives)
    ends = (whole - plain) * each
    return [
        Figure(f"{server}: a move, no match ends: server", plain, "us"),
        Figure(f"{server}: a move, matches begin and end: server", whole, "us"),
        # A short run may see too few ends: so the ratio is for a game of the usual length.
        Figure(
            f"P9 {server}: with an end every {MOVES} moves / without",
            1 + ends / (MOVES * plain),
            "x",
            at_most=1.25,
        ),
        Figure(f"{server}: a beginning and an end", ends / 1e3, "ms"),
        Figure(f"{server}: the same of matches resigned at once", (brief - plain) / 1e3, "ms"),
        Figure(f"{server}: matches resigned", sum(run.moves for run in runs["brief"]), ""),
        Figure(
            f"P9 {server}: with such an end every {MOVES} moves / without",
            1 + (brief - plain) / (MOVES * plain),
            "x",
            at_most=1.25,
        ),
        Figure(f"{server}: matches that ended in the runs", lives, ""),
        Figure(f"{server}: moves to a match", each, ""),
        Figure(f"{server}: moves on a free core, with ends", 1e6 / whole, "/s"),
        Figure(f"{server}: database, a move without ends", stored, "us"),
        Figure(f"{server}: database, a move with ends", stored_whole, "us"),
        Figure(f"{server}: a table page over HTTP", page / 1e3, "ms"),
    ]


def jobs_left(url: str) -> int:
    """Return the number of jobs that follow ends and are not done."""
    open_jobs = f"SELECT COUNT(*) FROM {JOBS} WHERE task_path = ? AND status <> 'SUCCESSFUL'"  # noqa: S608
    rows = query(url, open_jobs, END)
    return int(rows[0][0])


def job_figures(url: str, worker: JobWorker) -> list[Figure]:
    """Wait until the worker has followed up all ends; return what that cost."""
    behind = left = jobs_left(url)
    until = time.monotonic() + IDLE_SECONDS
    while left and time.monotonic() < until:
        time.sleep(0.5)
        before, left = left, jobs_left(url)
        if left < before:
            until = time.monotonic() + IDLE_SECONDS
    done = query(url, f"SELECT COUNT(*) FROM {JOBS} WHERE task_path = ?", END)[0][0]  # noqa: S608
    spent = cpu_seconds(worker.pid)
    return [
        Figure("jobs that follow ends", done, ""),
        Figure("of these still open when the runs ended", behind, ""),
        Figure("of these never done", jobs_left(url), "", at_most=0),
        Figure("worker, CPU a match, its start included", spent / max(1, done) * 1e3, "ms"),
    ]


def main() -> None:
    """Start the servers, measure, stop the servers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each run")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--servers", nargs="+", choices=SERVERS, default=SERVERS)
    asked = parser.parse_args()
    with servers("lives") as on:
        print("P9: the whole life of matches (processor time of the server a move)", flush=True)
        for server in asked.servers:
            tables = {
                "endless": make_tables(on.url, *[wish(games=9) for _ in range(asked.tables)]),
                "ending": make_tables(on.url, *[wish() for _ in range(asked.tables)]),
                "brief": make_tables(on.url, *[wish() for _ in range(BRIEF)]),
            }
            with bench_site(on, server) as site:
                show(asyncio.run(compare(site, tables, on.postgres, asked.seconds)))
        show(job_figures(on.url, on.worker))


if __name__ == "__main__":
    main()
