"""Load test: ``python -m benchmarks.load [part ...] [--seconds N] [--server NAME]``.

``--tables N`` scales everything down for a quick check.

Clients play whole matches over real websockets on the loopback address, with sessions of
logged-in people; numbers and times are bounded. Parts, by default all:

- ``growth``: 10, 100 and 1,000 tables at 300 moves a second in all: waits, memory, CPU time.
- ``long``: 1,000 tables at that rate for ``--seconds`` (300).
- ``watchers``: 5,000 sockets that only watch: memory for each (P6).
- ``slow``: calls of 50 ms of Python and database work elsewhere in the process (P5).
- ``computers``: 500 games against the strongest computer, at the same time as people's games. It
  decides in a process of its own, as on a public site; with ``--threads`` in the site's.
- ``throws``: 200 games that begin at once, whose computers then discard.

A wait is the time from sending a move until both players have received it.
"""

from __future__ import annotations

import argparse
import asyncio
import http.cookiejar
import re
import statistics
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.realtime import BenchSite, seat, show
from benchmarks.wsload import Run, Socket, connect, cpu_seconds, gather_some, measure, tree
from benchmarks.wsplay import GameRoom
from tests.support.data_servers import Postgres, Redis
from tests.support.probes import metric
from tests.support.servers import Site, manage
from tests.support.tables import Table, make_tables, wish

RATE = 300.0
"""Moves per second over all tables."""

TABLES = 1_000
WATCHERS = 5_000
WATCHED = 50
"""Number of tables that the watchers are spread over."""

COMPUTERS = 500
WARM_MOVES = 3
"""Moves of each person before measuring, so that the computer has moved too."""

BEGINNERS = 200
"""Games that begin at once."""
BEGIN_AFTER, BEGIN_WITHIN = 1.5, 4.0
"""Seconds before they begin, and of each run, in which their computers discard."""
ROUNDS = 3

SHORT = 20.0
"""Seconds of every run except the long one."""

LOG_INS = 20
"""People who sign up and log in through the pages; sessions of the others are created directly."""

PARTS = ("growth", "long", "watchers", "slow", "computers", "throws")


def resident_kb(pid: int) -> int:
    """Return a process's resident memory, KB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else 0


def own_kb(pid: int) -> int:
    """Return a process's proportional share of memory (PSS), KB."""
    try:
        found = re.search(r"Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it has ended meanwhile
    return int(found[1]) if found else 0


def centile(waits: Sequence[float], share: float) -> float:
    """Return a percentile of the waits, milliseconds; ``share`` is 0..1."""
    ordered = sorted(waits)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1e3 if ordered else 0.0


async def seat_people(site: Site, tables: Sequence[Table]) -> list[GameRoom]:
    """Open both sockets of each table, and send hello."""
    rooms: list[GameRoom] = await gather_some([partial(seat, site, table) for table in tables])
    await asyncio.sleep(2)
    return rooms


def request_views(sockets: Iterable[Socket]) -> None:
    """Request the view on each socket."""
    for socket in sockets:
        socket.send(b'{"t":"hello","d":{"v":null}}')


def close_rooms(rooms: Iterable[GameRoom]) -> None:
    """Close the sockets of rooms."""
    for room in rooms:
        room.stop()
        for socket in room.sockets:
            socket.close()


class Load:
    """The servers, with a method for each part."""

    def __init__(self, site: Site, postgres: Postgres, url: str, tables: int = TABLES) -> None:
        self.site, self.postgres, self.url = site, postgres, url
        self.tables = tables
        self.share = tables / TABLES

    def backends(self) -> list[int]:
        """Return the process ids of the database."""
        return tree(self.postgres.pid)

    async def run(self, rooms: Sequence[GameRoom], seconds: float, rate: float = RATE) -> Run:
        """Play for some seconds."""
        return await measure(rooms, [lambda: [self.site.pid], self.backends], seconds, rate=rate)

    def figures_of(self, name: str, run: Run) -> list[Figure]:
        """Return the figures of a run."""
        return [
            Figure(f"{name}: moves a second", run.moves / run.seconds, "/s"),
            Figure(f"{name}: p50", run.median_wait, "ms", at_most=10),
            Figure(f"{name}: p99", centile(run.waits, 0.99), "ms"),
            Figure(f"{name}: server, a move", run.per_move(), "us"),
            Figure(f"{name}: database, a move", run.per_move(1), "us"),
            Figure(f"{name}: server, share of a core", 100 * run.cpu[0] / run.seconds, "%"),
            Figure(f"{name}: database, share of a core", 100 * run.cpu[1] / run.seconds, "%"),
            Figure(f"{name}: server, memory", resident_kb(self.site.pid) / 1024, "MB"),
            Figure(f"{name}: database, memory", sum(map(own_kb, self.backends())) / 1024, "MB"),
        ]

    async def growth(self, seconds: float) -> list[Figure]:
        """Measure 10, 100 and 1,000 tables at the same total rate."""
        tables = make_tables(self.url, *[wish(games=9) for _ in range(self.tables)])
        figures, costs = [], []
        for count in sorted({min(10, self.tables), min(100, self.tables), self.tables}):
            rooms = await seat_people(self.site, tables[:count])
            run = await self.run(rooms, min(SHORT, seconds))
            close_rooms(rooms)
            costs.append(run.per_move())
            figures += self.figures_of(f"{count} tables", run)
            await asyncio.sleep(1)
        figures.append(Figure("most tables / fewest, server a move", costs[-1] / costs[0], "x"))
        return figures

    async def long(self, seconds: float) -> list[Figure]:
        """Play at 1,000 tables for the whole time."""
        tables = make_tables(self.url, *[wish(games=9) for _ in range(self.tables)])
        before = resident_kb(self.site.pid)
        rooms = await seat_people(self.site, tables)
        run = await self.run(rooms, seconds)
        close_rooms(rooms)
        grown = (resident_kb(self.site.pid) - before) / 1024
        return [
            *self.figures_of(f"{self.tables} tables for {seconds:.0f} s", run),
            Figure("the same: memory grown", grown, "MB"),
        ]

    async def watchers(self, _: float) -> list[Figure]:
        """Open watching sockets, and measure the memory of each."""
        tables = make_tables(self.url, *[wish(watchable=True) for _ in range(WATCHED)])
        first = await self.watch(tables[0])
        await asyncio.sleep(2)
        before = resident_kb(self.site.pid)
        sockets = await gather_some(
            [
                partial(self.watch, tables[at % WATCHED])
                for at in range(round(self.share * WATCHERS))
            ]
        )
        await asyncio.sleep(5)
        each = (resident_kb(self.site.pid) - before) / len(sockets)
        still = sum(not socket.closed for socket in sockets)
        for socket in [first, *sockets]:
            socket.close()
        await asyncio.sleep(2)
        return [
            Figure("P6 watchers still connected", still, "", at_least=len(sockets)),
            Figure("P6 memory of an idle socket that watches", each, "KB", at_most=30),
        ]

    async def watch(self, table: Table) -> Socket:
        """Open a watching socket."""
        socket = await connect(self.site.port, f"/ws/t/{table.match}/")
        request_views([socket])
        return socket

    async def slow(self, seconds: float) -> list[Figure]:
        """Measure waits with and without concurrent slow database calls."""
        tables = make_tables(self.url, *[wish(games=9) for _ in range(min(100, self.tables))])
        rooms = await seat_people(self.site, tables)
        callers = [await connect(self.site.port, "/slow/") for _ in range(4)]
        with_them, without = [], []
        for _ in range(3):
            without.append(await self.run(rooms, min(SHORT, seconds) / 3))
            ask_on = asyncio.gather(*(keep_asking(socket) for socket in callers))
            with_them.append(await self.run(rooms, min(SHORT, seconds) / 3))
            ask_on.cancel()
            await asyncio.gather(ask_on, return_exceptions=True)
            await asyncio.sleep(0.3)
        close_rooms(rooms)
        for socket in callers:
            socket.close()
        calm, busy = (
            statistics.median(centile(run.waits, 0.99) for run in runs)
            for runs in (without, with_them)
        )
        return [
            Figure("people's p99 alone", calm, "ms"),
            Figure("people's p99 with calls of 50 ms of Python work", busy, "ms"),
            Figure("P5 p99 with slow calls / alone", busy / calm, "x", at_most=1.5),
        ]

    async def computers(self, seconds: float) -> list[Figure]:
        """Measure waits with and without computers thinking at the same time."""
        people = make_tables(self.url, *[wish(games=9) for _ in range(min(100, self.tables))])
        count = round(self.share * COMPUTERS)
        versus = [wish(computers=(1,), level="ada") for _ in range(count)]
        others = make_tables(self.url, *versus)
        rooms = await seat_people(self.site, people)
        alone = await self.run(rooms, min(SHORT, seconds), rate=100)
        against = await seat_people(self.site, others)
        for at, room in enumerate(against):
            room.start(gap=3.0)
            if at % 25 == 0:
                await asyncio.sleep(0.1)
        # The first decisions of a process wait for loading.
        while (  # noqa: ASYNC110
            not self.searches() or max(len(room.waits) for room in against) < WARM_MOVES
        ):
            await asyncio.sleep(0.5)
        await asyncio.sleep(3)
        before = sum(map(cpu_seconds, self.search_processes()))
        concurrent = await self.run(rooms, min(SHORT, seconds), rate=100)
        searched = sum(map(cpu_seconds, self.search_processes())) - before
        memory = sum(map(own_kb, self.search_processes()))
        played = sum(len(room.waits) for room in against)
        close_rooms([*rooms, *against])
        return [
            *self.figures_of("people alone", alone),
            *self.figures_of(f"people with {count} games against the strongest", concurrent),
            Figure("moves of people in those games", played, ""),
            Figure("search process, share of a core", 100 * searched / concurrent.seconds, "%"),
            Figure("search process, memory", memory / 1024, "MB"),
            Figure(
                "people's p99 with computers / alone",
                centile(concurrent.waits, 0.99) / centile(alone.waits, 0.99),
                "x",
                at_most=2,
            ),
        ]

    def search_processes(self) -> list[int]:
        """Return the id of the process in which the strongest computer decides, if there is one."""
        return tree(self.site.pid)[1:]

    def searches(self) -> bool:
        """Return whether that process takes decisions, if there is to be one."""
        wanted = self.site.extra["COMPUTER_PROCESS"] == "1"
        return not wanted or metric(self.site, "cribbage_search_process") == 1

    async def throws(self, _: float) -> list[Figure]:
        """Measure waits while many games begin at once, against weak and strong computers."""
        people = make_tables(self.url, *[wish(games=9) for _ in range(min(100, self.tables))])
        rooms = await seat_people(self.site, people)
        figures = []
        for players in (2, 3):
            for level in ("poppy", "ada"):
                waits: list[float] = []
                for _ in range(ROUNDS):
                    waits += await self.begin_together(rooms, players, level)
                name = f"people's p99 while games of {players} with {level} begin"
                figures.append(Figure(name, centile(waits, 0.99), "ms"))
        close_rooms(rooms)
        return figures

    async def begin_together(
        self, rooms: Sequence[GameRoom], players: int, level: str
    ) -> Sequence[float]:
        """Let games begin at once, whose computers then discard; return other people's waits."""
        others = wish(players=players, computers=tuple(range(1, players)), level=level)
        tables = make_tables(self.url, *[others] * round(self.share * BEGINNERS))
        sockets = await gather_some(
            [
                partial(connect, self.site.port, f"/ws/t/{table.match}/", table.cookies[0])
                for table in tables
            ]
        )
        playing = asyncio.create_task(self.run(rooms, BEGIN_WITHIN, rate=100))
        await asyncio.sleep(BEGIN_AFTER)
        request_views(sockets)
        run = await playing
        for socket in sockets:
            socket.close()
        return run.waits


async def keep_asking(socket: Socket) -> None:
    """Make slow calls one after another."""
    heard = asyncio.Event()
    socket.heard = lambda _: heard.set()
    while True:
        heard.clear()
        socket.send(b"{}")
        await heard.wait()


def log_in(site: Site, number: int) -> float:
    """Sign up and log in through the pages, like a browser; return the seconds of the log-in."""
    opener = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    )

    def fill(path: str, **fields: str) -> str:
        page = opener.open(f"{site.url}{path}", timeout=30).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        if token is None:
            raise RuntimeError(f"{path}: no form")
        data = {"csrfmiddlewaretoken": token[1], **fields}
        opener.addheaders = [("Referer", f"{site.url}{path}")]
        body = urllib.parse.urlencode(data).encode()
        with opener.open(f"{site.url}{path}", body, timeout=30) as answer:
            return str(answer.url)

    name, word = f"loader-{number}", f"a long pass phrase {number}"
    fill("/accounts/signup/", username=name, password1=word, password2=word)
    fill("/accounts/logout/")
    started = time.perf_counter()
    arrived = fill("/accounts/login/", login=name, password=word)
    if "/accounts/login/" in arrived:
        raise RuntimeError("the log-in was refused")
    return time.perf_counter() - started


async def measure_all(load: Load, parts: Sequence[str], seconds: float) -> None:
    """Run parts and print their figures."""
    for part in parts:
        print(f"== {part}", flush=True)
        show(await getattr(load, part)(seconds))


def main() -> None:
    """Start the servers, run the parts, stop the servers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--seconds", type=float, default=300.0, help="of the long part")
    parser.add_argument("--tables", type=int, default=TABLES, help="at once, at most")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--threads", action="store_true", help="computers in the site's process")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribbage-load-")))
        folder.chmod(0o755)
        redis = stack.enter_context(Redis(folder))
        postgres = stack.enter_context(Postgres(folder))
        url = postgres.create_database("load")
        manage(url, "migrate", "-v", "0")
        # The limits per address would stop a load from one address.
        extra = {
            "COMPUTER_PAUSE_MS": "300",
            "COMPUTERS_WARM": "1",
            "COMPUTER_PROCESS": "0" if asked.threads else "1",
            "SIGNUPS_PER_HOUR": "1000000",
        }
        site = stack.enter_context(
            BenchSite(
                folder, server=asked.server, database_url=url, redis_url=redis.url, extra=extra
            )
        )
        print(f"{asked.server}, PostgreSQL, one process")
        waits = [log_in(site, number) for number in range(LOG_INS)]
        print(Figure(f"{LOG_INS} sign-ups and log-ins; a log-in", 1e3 * min(waits), "ms"))
        asyncio.run(
            measure_all(
                Load(site, postgres, url, asked.tables), asked.parts or PARTS, asked.seconds
            )
        )


if __name__ == "__main__":
    main()
