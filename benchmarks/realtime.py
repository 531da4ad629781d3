"""Benchmark of sockets, P1 to P4: ``python -m benchmarks.realtime [seconds a run]``.

The measure is the server's CPU time (user and system) per move, which is steadier than moves per
second. Rivals alternate within one run.
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

from benchmarks.figures import Figure
from benchmarks.wsload import Processes, Room, Run, Socket, connect, gather_some, measure, tree
from benchmarks.wsplay import GameRoom
from tests.support.data_servers import Postgres, Redis
from tests.support.servers import Site, manage, sqlite_url
from tests.support.tables import Table, make_tables, wish

SECONDS = 0.6
ROUNDS = 3
FEW, SOME, MANY = 10, 100, 1000
"""Numbers of concurrent rooms (games)."""

TABLES, NAIVE_TABLES = 250, 20
"""Numbers of concurrent tables of real games: per server, and for the common stack.

The common stack drops sockets with more than a hundred tables; few tables favour it.
"""

MESSAGE = b'{"t":"pass","d":{},"id":"bench-1"}'
FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000000"}


class BenchSite(Site):
    """A site process that also serves the applications to compare with."""

    def pids(self) -> list[int]:
        """Return its process id."""
        return [self.pid]

    def command(self) -> list[str]:
        """Return its command line."""
        site = "cribbage_site.asgi:application"
        return [
            part if part != site else "benchmarks.wsapps:application" for part in super().command()
        ]


@dataclass
class Candidate:
    """A candidate to measure: its rooms, and the processes whose CPU time counts."""

    name: str
    rooms: list[Room]
    groups: Sequence[Processes]


async def take_turns(rivals: Iterable[Candidate], seconds: float) -> dict[str, list[Run]]:
    """Measure rivals alternately, in rounds."""
    rivals = list(rivals)
    runs: dict[str, list[Run]] = {rival.name: [] for rival in rivals}
    for _ in range(ROUNDS):
        for rival in rivals:
            runs[rival.name].append(await measure(rival.rooms, rival.groups, seconds))
    return runs


def cost(runs: Sequence[Run]) -> float:
    """Return the median CPU time per move of all process groups, microseconds."""
    return statistics.median(sum(run.cpu) / max(1, run.moves) * 1e6 for run in runs)


def server_cost(runs: Sequence[Run]) -> float:
    """Return the median CPU time per move of the first group, microseconds."""
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
    """P1: an echo by our consumer, compared with raw ASGI and Channels' consumer."""
    rivals = [
        Candidate(name, await rooms_at([site.port], [f"/{name}/"] * FEW, MESSAGE, 1), [site.pids])
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
    """P2: sending to two sockets, in one process and in two, compared with a channel layer."""
    both: list[Processes] = [lambda: [first.pid, second.pid]]
    one: list[Processes] = [first.pids]

    def paths(name: str, count: int) -> list[str]:
        return [f"/{name}/r{name}{count}n{at}/" for at in range(count)]

    ports = [first.port, second.port]
    rivals = [
        Candidate("echo", await rooms_at(ports[:1], ["/ours/"] * SOME, MESSAGE, 1), one),
        Candidate("fan", await rooms_at(ports[:1], paths("fan", SOME), MESSAGE, 2), one),
        Candidate("across", await rooms_at(ports, paths("across", SOME), MESSAGE, 2), both),
        Candidate("stock", await rooms_at(ports[:1], paths("stockfan", SOME), MESSAGE, 2), one),
        Candidate("few", await rooms_at(ports[:1], paths("fan", FEW), MESSAGE, 2), one),
        Candidate("many", await rooms_at(ports[:1], paths("fan", MANY), MESSAGE, 2), one),
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
    """P3: stored, then sent to two sockets: our Writer compared with single statements."""
    third = len(tables) // 3
    rivals = []
    # Each way has its own matches, so that sequences do not collide.
    for at, way in enumerate(("durable", "insert", "locked")):
        keys = [table.pk for table in tables[at * third : (at + 1) * third]]
        rooms = await rooms_at([site.port], [f"/{way}/{key}/" for key in keys], MESSAGE, 2)
        rivals.append(Candidate(way, rooms, [site.pids, database]))
    plain = [f"/fan/plain{at}/" for at in range(third)]
    rooms = await rooms_at([site.port], plain, MESSAGE, 2)
    rivals.append(Candidate("plain", rooms, [site.pids, database]))
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
    """Open the sockets of one table, and send hello."""
    address = f"/ws/t/{table.match}/"
    room = GameRoom([await connect(site.port, address, cookie) for cookie in table.cookies])
    for socket in room.sockets:
        socket.send(b'{"t":"hello","d":{"v":null}}')
    return room


async def real_moves(
    sites: Sequence[BenchSite], tables: Sequence[Table], database: Processes, seconds: float
) -> list[Figure]:
    """P4: whole games of two people with engine, views and log, compared with the common stack.

    Both run on the same server, Daphne or uvicorn, beside raw ASGI that only answers to two
    sockets. Each runs the number of tables that suits it: grouped writes are cheap only with many
    tables.
    """
    rivals = []
    for at, site in enumerate(sites):
        own = tables[at * TABLES : (at + 1) * TABLES]
        rooms = await gather_some([partial(seat, site, table) for table in own])
        rivals.append(Candidate(site.server, rooms, [site.pids, database]))
        pairs = [f"/rawpair/p{number}/" for number in range(TABLES)]
        rooms = await rooms_at([site.port], pairs, MESSAGE, 2)
        rivals.append(Candidate(f"raw on {site.server}", rooms, [site.pids]))
    for at, site in enumerate(sites):
        own = tables[len(sites) * TABLES + at * NAIVE_TABLES :][:NAIVE_TABLES]
        naive = []
        for table in own:
            paths = [f"/naive/{table.match}/{number}/" for number in range(2)]
            naive.append(GameRoom([await connect(site.port, path) for path in paths]))
        rivals.append(Candidate(f"naive on {site.server}", list(naive), [site.pids, database]))
    await asyncio.sleep(2)
    runs = await take_turns(rivals, seconds)
    close(rivals)
    figures = []
    for site, goal in zip(sites, (2400, 3600), strict=False):
        speed = 1e6 / server_cost(runs[site.server])
        figures += [
            Figure(f"P4 {site.server}: real moves on a free core", speed, "/s", at_least=goal),
            Figure(
                f"raw ASGI, answered to two sockets ({site.server}): server",
                server_cost(runs[f"raw on {site.server}"]),
                "us",
            ),
            Figure(
                f"P4 {site.server}: a real move / raw ASGI",
                server_cost(runs[site.server]) / server_cost(runs[f"raw on {site.server}"]),
                "x",
                at_most=3,
            ),
            Figure(
                f"P4 {site.server}: CPU of the naive stack / ours",
                cost(runs[f"naive on {site.server}"]) / cost(runs[site.server]),
                "x",
                at_least=10,
            ),
            Figure(
                f"naive stack ({site.server}, RedisChannelLayer): server",
                server_cost(runs[f"naive on {site.server}"]),
                "us",
            ),
        ]
    return figures


def close(rivals: Iterable[Candidate]) -> None:
    """Close all sockets."""
    for rival in rivals:
        for room in rival.rooms:
            for socket in room.sockets:
                socket.close()


async def measure_all(
    sites: dict[str, BenchSite], tables: dict[str, list[Table]], postgres: Postgres, seconds: float
) -> None:
    """Run all measurements and print them."""
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
    """Print figures, one per line."""
    for figure in figures:
        print(figure, flush=True)


def main(seconds: float = SECONDS) -> None:
    """Start the servers, measure, stop the servers."""
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
            "games": make_tables(
                url, *[wish(games=9) for _ in range(2 * TABLES + 2 * NAIVE_TABLES)]
            ),
        }
        asyncio.run(measure_all(sites, tables, postgres, seconds))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
