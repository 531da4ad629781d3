"""The sockets' speed, P1 to P4: ``python -m benchmarks.realtime [seconds a run]``.

Processor time of the server process (user and system) for each move is the measure: it is steady
where moves a second swing with what else the machine does. Rivals run in turns, in one go.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.wsload import Processes, Room, Run, Socket, connect, gather_some, measure, tree
from benchmarks.wsplay import GameRoom
from tests.games.tables import Table, make_tables, wish
from tests.servers import Postgres, Redis, Site, manage, sqlite_url

SECONDS = 0.6
ROUNDS = 3
FEW, SOME, MANY = 10, 100, 1000
"""Rooms (games) at once."""

TABLES, NAIVE_TABLES = 250, 20
"""Tables of real games at once for each server, and for the common stack, which loses sockets when
more than a hundred are told at once; few cost it least."""

MESSAGE = b'{"t":"pass","d":{},"id":"bench-1"}'
FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000000"}


class BenchSite(Site):
    """The site's process with the applications that are measured beside it."""

    def pids(self) -> list[int]:
        """Return its process."""
        return [self.pid]

    def command(self) -> list[str]:
        """Return what is run."""
        site = "cribbage_site.asgi:application"
        return [
            part if part != site else "benchmarks.wsapps:application" for part in super().command()
        ]


@dataclass(frozen=True)
class Figure:
    """One number with its goal, at least or at most."""

    name: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    def __str__(self) -> str:
        """Return it as a line."""
        line = f"{self.name:66} {self.value:10,.2f} {self.unit:8}"
        if self.at_least is not None:
            verdict = "met" if self.value >= self.at_least else "MISSED"
            return f"{line} {verdict}: at least {self.at_least:,.1f}"
        if self.at_most is not None:
            verdict = "met" if self.value <= self.at_most else "MISSED"
            return f"{line} {verdict}: at most {self.at_most:,.1f}"
        return line.rstrip()


@dataclass
class Rival:
    """Something measured: who makes its rooms, and whose processor time counts."""

    name: str
    rooms: list[Room]
    groups: Sequence[Processes]


async def take_turns(rivals: Iterable[Rival], seconds: float) -> dict[str, list[Run]]:
    """Measure rivals one after the other, round by round."""
    rivals = list(rivals)
    runs: dict[str, list[Run]] = {rival.name: [] for rival in rivals}
    for _ in range(ROUNDS):
        for rival in rivals:
            runs[rival.name].append(await measure(rival.rooms, rival.groups, seconds))
    return runs


def cost(runs: Sequence[Run]) -> float:
    """Return the median of microseconds a move, all groups of processes together."""
    return statistics.median(sum(run.cpu) / max(1, run.moves) * 1e6 for run in runs)


def server_cost(runs: Sequence[Run]) -> float:
    """Return the median of microseconds a move of the first group alone."""
    return statistics.median(run.per_move() for run in runs)


async def rooms_at(
    ports: Sequence[int], paths: Sequence[str], message: bytes, size: int
) -> list[Room]:
    """Open a room of ``size`` sockets for each path, spread over the ports."""

    def opener(path: str, at: int) -> Callable[[], Awaitable[Socket]]:
        return lambda: connect(ports[at % len(ports)], path)

    openers = [opener(path, at) for path in paths for at in range(size)]
    sockets = await gather_some(openers)
    return [
        Room(sockets[start : start + size], lambda _: message)
        for start in range(0, len(sockets), size)
    ]


async def echo(site: BenchSite, seconds: float) -> list[Figure]:
    """P1: an echo through our consumer against raw ASGI and against Channels' own."""
    rivals = [
        Rival(name, await rooms_at([site.port], [f"/{name}/"] * FEW, MESSAGE, 1), [site.pids])
        for name in ("raw", "ours", "stock")
    ]
    runs = {name: cost(them) for name, them in (await take_turns(rivals, seconds)).items()}
    close(rivals)
    return [
        Figure(f"{site.server}: echo, raw ASGI", runs["raw"], "us"),
        Figure(f"{site.server}: echo, our consumer", runs["ours"], "us"),
        Figure(f"{site.server}: echo, Channels' consumer", runs["stock"], "us"),
        Figure("P1 ours / raw", runs["ours"] / runs["raw"], "x", at_most=1.3),
    ]


async def fan_out(first: BenchSite, second: BenchSite, seconds: float) -> list[Figure]:
    """P2: telling two sockets, in one process and in two, against a channel layer."""
    both: list[Processes] = [lambda: [first.pid, second.pid]]
    one: list[Processes] = [first.pids]

    def paths(name: str, count: int) -> list[str]:
        return [f"/{name}/r{name}{count}n{at}/" for at in range(count)]

    ports = [first.port, second.port]
    rivals = [
        Rival("echo", await rooms_at(ports[:1], ["/ours/"] * SOME, MESSAGE, 1), one),
        Rival("fan", await rooms_at(ports[:1], paths("fan", SOME), MESSAGE, 2), one),
        Rival("across", await rooms_at(ports, paths("across", SOME), MESSAGE, 2), both),
        Rival("stock", await rooms_at(ports[:1], paths("stockfan", SOME), MESSAGE, 2), one),
        Rival("few", await rooms_at(ports[:1], paths("fan", FEW), MESSAGE, 2), one),
        Rival("many", await rooms_at(ports[:1], paths("fan", MANY), MESSAGE, 2), one),
    ]
    runs = {name: cost(them) for name, them in (await take_turns(rivals, seconds)).items()}
    close(rivals)
    return [
        Figure("echo, our consumer, 100 sockets", runs["echo"], "us"),
        Figure("fan-out to 2 sockets in the process, 100 games", runs["fan"], "us"),
        Figure("the same over two processes, both together", runs["across"], "us"),
        Figure("RedisPubSubChannelLayer, Channels' consumer", runs["stock"], "us"),
        Figure("P2 fan-out / echo", runs["fan"] / runs["echo"], "x", at_most=1.7),
        Figure("P2 across / fan-out", runs["across"] / runs["fan"], "x", at_most=1.4),
        Figure("P2 fan-out / stock layer", runs["fan"] / runs["stock"], "x", at_most=0.25),
        Figure("P2 at 1,000 games / at 10", runs["many"] / runs["few"], "x", at_most=1.3),
    ]


async def durable(
    name: str, site: BenchSite, tables: Sequence[Table], database: Processes, seconds: float
) -> list[Figure]:
    """P3: stored, then told to two sockets: our Writer against single statements."""
    third = len(tables) // 3
    rivals = []
    # Each way has matches of its own, so that its sequences are.
    for at, way in enumerate(("durable", "insert", "locked")):
        keys = [table.pk for table in tables[at * third : (at + 1) * third]]
        rooms = await rooms_at([site.port], [f"/{way}/{key}/" for key in keys], MESSAGE, 2)
        rivals.append(Rival(way, rooms, [site.pids, database]))
    plain = [f"/fan/plain{at}/" for at in range(third)]
    rooms = await rooms_at([site.port], plain, MESSAGE, 2)
    rivals.append(Rival("plain", rooms, [site.pids, database]))
    runs = await take_turns(rivals, seconds)
    calm = await measure(rivals[0].rooms, rivals[0].groups, max(2.0, seconds), rate=300)
    close(rivals)
    ours = server_cost(runs["durable"])
    speeds = {
        way: statistics.median(run.moves / run.seconds for run in them)
        for way, them in runs.items()
    }
    return [
        Figure(f"{name}: durable, our Writer: server", ours, "us"),
        Figure(f"{name}: durable, our Writer: moves", speeds["durable"], "/s"),
        Figure(f"{name}: one INSERT each: moves", speeds["insert"], "/s"),
        Figure(f"{name}: select_for_update, UPDATE, INSERT: moves", speeds["locked"], "/s"),
        Figure(
            f"P3 {name}: CPU of not durable / durable",
            server_cost(runs["plain"]) / ours,
            "x",
            at_least=0.6,
        ),
        Figure(
            f"P3 {name}: CPU of select_for_update / ours",
            cost(runs["locked"]) / cost(runs["durable"]),
            "x",
            at_least=10,
        ),
        Figure(
            f"P3 {name}: CPU of single INSERT / ours",
            cost(runs["insert"]) / cost(runs["durable"]),
            "x",
            at_least=5,
        ),
        Figure(f"P3 {name}: p50 at 300 moves/s", calm.median_wait, "ms", at_most=10),
    ]


async def seat(site: Site, table: Table) -> GameRoom:
    """Open the sockets of one table, and say hello."""
    address = f"/ws/t/{table.match}/"
    room = GameRoom([await connect(site.port, address, cookie) for cookie in table.cookies])
    for socket in room.sockets:
        socket.send(b'{"t":"hello","d":{"v":null}}')
    return room


async def real_moves(
    sites: Sequence[BenchSite], tables: Sequence[Table], database: Processes, seconds: float
) -> list[Figure]:
    """P4: whole games of two people: engine, views and log, against the common stack.

    Each plays at as many tables as the rivals of other makes were measured with: what is written
    together is written cheaply, and a process with few tables has little to write together.
    """
    rivals = []
    for at, site in enumerate(sites):
        own = tables[at * TABLES : (at + 1) * TABLES]
        rooms = await gather_some([partial(seat, site, table) for table in own])
        rivals.append(Rival(site.server, rooms, [site.pids, database]))
    naive = []
    for table in tables[len(sites) * TABLES :]:
        paths = [f"/naive/{table.match}/{number}/" for number in range(2)]
        naive.append(GameRoom([await connect(sites[0].port, path) for path in paths]))
    rivals.append(Rival("naive", list(naive), [sites[0].pids, database]))
    await asyncio.sleep(2)
    runs = await take_turns(rivals, seconds)
    close(rivals)
    figures = []
    for site, goal in zip(sites, (2400, 3600), strict=False):
        speed = 1e6 / server_cost(runs[site.server])
        figures += [
            Figure(f"P4 {site.server}: real moves on a free core", speed, "/s", at_least=goal),
            Figure(
                f"P4 {site.server}: CPU of the naive stack / ours",
                cost(runs["naive"]) / cost(runs[site.server]),
                "x",
                at_least=10,
            ),
        ]
    return [
        *figures,
        Figure("naive stack (daphne, RedisChannelLayer): server", server_cost(runs["naive"]), "us"),
    ]


def close(rivals: Iterable[Rival]) -> None:
    """Hang up."""
    for rival in rivals:
        for room in rival.rooms:
            for socket in room.sockets:
                socket.close()


async def measure_all(
    sites: dict[str, BenchSite], tables: dict[str, list[Table]], postgres: Postgres, seconds: float
) -> None:
    """Measure and print."""
    ours, across, daphne, lite = (sites[name] for name in ("first", "second", "daphne", "sqlite"))

    def backends() -> list[int]:
        return tree(postgres.pid)

    print("P1-P4: sockets and store (processor time of the server a move)")
    show(await echo(daphne, seconds))
    show(await echo(ours, seconds))
    show(await fan_out(ours, across, seconds))
    show(await durable("SQLite", lite, tables["sqlite"], list, seconds))
    show(await durable("PostgreSQL", ours, tables["postgres"], backends, seconds))
    show(await real_moves([daphne, ours], tables["games"], backends, 2 * seconds))


def show(figures: Iterable[Figure]) -> None:
    """Print figures, one a line."""
    for figure in figures:
        print(figure, flush=True)


def main(seconds: float = SECONDS) -> None:
    """Start the servers, measure, stop them."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribbage-bench-")))
        folder.chmod(0o755)
        redis = stack.enter_context(Redis(folder))
        postgres = stack.enter_context(Postgres(folder))
        url = postgres.create_database("bench")
        manage(url, "migrate", "-v", "0")
        lite = sqlite_url(folder)
        manage(lite, "migrate", "-v", "0")
        options = {"database_url": url, "redis_url": redis.url, "extra": FAST}
        sites = {
            "first": BenchSite(folder, server="uvicorn", **options),  # type: ignore[arg-type]
            "second": BenchSite(folder, server="uvicorn", **options),  # type: ignore[arg-type]
            "daphne": BenchSite(folder, server="daphne", **options),  # type: ignore[arg-type]
            "sqlite": BenchSite(
                folder, server="uvicorn", database_url=lite, redis_url=redis.url, extra=FAST
            ),
        }
        for site in sites.values():
            stack.enter_context(site)
        tables = {
            "sqlite": make_tables(lite, *[wish() for _ in range(3 * SOME)]),
            "postgres": make_tables(url, *[wish() for _ in range(3 * SOME)]),
            "games": make_tables(url, *[wish(games=9) for _ in range(2 * TABLES + NAIVE_TABLES)]),
        }
        asyncio.run(measure_all(sites, tables, postgres, seconds))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
