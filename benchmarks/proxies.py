"""Benchmark P9, the site behind nginx and Caddy: ``python -m benchmarks.proxies [nginx] [caddy]``.

120 people sit at 60 tables, some of which are played, and one more opens pages and posts forms
without a pause. Then both processes are restarted one after the other, one is killed (SIGKILL), and
one hangs (SIGSTOP). Measured is how long people are without their table.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.realtime import show
from tests.proxies.test_failures import goes_on
from tests.support.data_servers import Postgres
from tests.support.proxied_site import PUBLIC, Behind, behind_proxies
from tests.support.proxies import PROXIES, Caddy, Proxy
from tests.support.residents import Reader, Resident, at_tables
from tests.support.servers import manage, sqlite_url
from tests.support.tables import Table, wish
from tests.support.waiting import GAME_S, wait_until

TABLES, PLAYING = 60, 12
GOAL_RESTART_S, GOAL_KILL_S = 2.0, 6.0


async def rolling_restart(behind: Behind, proxy: Proxy) -> list[Figure]:
    """Restart both processes, waiting for each until it is ready."""
    reader = Reader(behind, proxy)
    async with at_tables(behind, proxy, some_tables(behind, TABLES), playing=PLAYING) as seated:
        people = await everybody(seated)
        with reader:
            for site in behind.sites:
                await asyncio.to_thread(site.stop)
                await wait_until(lambda: all(one.present for one in people), within=GAME_S)
                await asyncio.to_thread(site.start)
    away = sorted(
        back - left for one in people for left, back in zip(one.left, one.arrived[1:], strict=False)
    )
    name = f"P9 {type(proxy).__name__}, rolling restart:"
    answers = [*reader.pages, *reader.posts]
    return [
        Figure(f"{name} connections that ended", len(away), ""),
        Figure(f"{name} half were away for", away[len(away) // 2], "s"),
        Figure(f"{name} longest absence of a player", away[-1], "s", at_most=GOAL_RESTART_S),
        Figure(f"{name} handshakes refused", sum(len(one.refusals) for one in people), ""),
        Figure(f"{name} pages and forms", len(answers), ""),
        Figure(
            f"{name} of these failed",
            sum(status not in {200, 302} for status in answers),
            "",
            at_most=0,
        ),
        Figure(f"{name} the slowest took", reader.slowest, "s"),
    ]


async def failure(behind: Behind, proxy: Proxy, number: signal.Signals) -> list[Figure]:
    """Kill or stop a process, and wait until every table is played elsewhere."""
    site = behind.sites[0]
    async with at_tables(behind, proxy, some_tables(behind, PLAYING), playing=PLAYING) as seated:
        await everybody(seated)
        await wait_until(lambda: all(one.acknowledged for pair in seated for one in pair))
        reader = Reader(behind, proxy)
        with reader:
            before = time.monotonic()
            site.send_signal(number)
            await wait_until(lambda: all(goes_on(pair, before) for pair in seated))
            seconds = time.monotonic() - before
    if number == signal.SIGSTOP:
        site.send_signal(signal.SIGCONT)
    else:
        site.kill()
    name = f"P9 {type(proxy).__name__}, {number.name}:"
    failed = sum(status not in {200, 302} for status in (*reader.pages, *reader.posts))
    goal = GOAL_KILL_S if number == signal.SIGKILL else None
    return [
        Figure(f"{name} all tables go on after", seconds, "s", at_most=goal),
        Figure(f"{name} pages and forms that failed", failed, ""),
        Figure(f"{name} the slowest took", reader.slowest, "s"),
    ]


def some_tables(behind: Behind, number: int) -> list[Table]:
    """Create long matches of two people."""
    return behind.make_tables(*(wish(games=9) for _ in range(number)))


async def everybody(seated: list[list[Resident]]) -> list[Resident]:
    """Return all people, when they are there."""
    people = [one for pair in seated for one in pair]
    await wait_until(lambda: all(one.present for one in people), within=GAME_S)
    return people


def main() -> int:
    """Run everything with each proxy; return 1 if a goal was missed."""
    names = sys.argv[1:] or list(PROXIES)
    figures: list[Figure] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribbage-proxies-")))
        folder.chmod(0o755)
        postgres = stack.enter_context(Postgres(folder))
        url = postgres.create_database("proxies")
        manage(url, "migrate", "-v", "0")
        static = folder / "static"
        settings = {**PUBLIC, "STATIC_ROOT": str(static)}
        manage(sqlite_url(folder), "collectstatic", "--noinput", "-v", "0", extra=settings)
        place = folder / "behind"
        place.mkdir()
        Caddy.variables = {}  # its own patience, not that of the tests
        behind = stack.enter_context(behind_proxies(place, database_url=url, static=static))
        for name in names:
            proxy = behind.proxies[name]
            figures += asyncio.run(rolling_restart(behind, proxy))
            for number in (signal.SIGKILL, signal.SIGSTOP):
                behind.revive()
                figures += asyncio.run(failure(behind, proxy, number))
            behind.revive()
    show(figures)
    return int(any(f.at_most is not None and f.value > f.at_most for f in figures))


if __name__ == "__main__":
    sys.exit(main())
