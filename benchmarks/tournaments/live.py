"""Moves in live events: how long they take while rounds end and are paired by the worker.

    python -m benchmarks.tournaments.live [--players 100] [--rounds 2] [--gap 0.7] [--server NAME]

PostgreSQL, Redis, one server process and one worker, all real. Two events of Swiss duplicate play
at the same time, the second half a round behind the first, so that each round of one ends while the
other plays. Everyone plays over sockets at a steady pace, always the first legal choice. A player
who waits for the next table polls the event's page every four seconds, as its script does.

A wait is the time from sending a move until both players of the table have received it. A round's
end is the time from its last move until the last table of the next round has been seated, or until
the event is over.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from benchmarks.figures import Figure
from benchmarks.lives import servers
from benchmarks.load import centile
from benchmarks.realtime import FAST, show
from benchmarks.wsload import Socket, connect, cpu_seconds, since, tree
from benchmarks.wsplay import GameRoom
from tests.support.launcher import Script
from tests.support.servers import Site, site_environment

EVENTS = 2
POLL_S = 4.0
"""Seconds between two requests of a page of an event, as in its script."""
MOVES = 106
"""Moves of a game to 121, about: the second event begins half a game after the first."""
LIMIT_S = 900.0
"""Seconds after which the run is given up."""
MODULE = ("-m", "benchmarks.tournaments.live")
TABLE = re.compile(rb'data-table="/t/([^/"]+)/"')
OVER = b'data-state="over'


@dataclass
class Made:
    """An event that was planned: its public id, and its players' session cookies."""

    event: str
    cookies: list[str]


@dataclass
class Log:
    """A log of what the clients saw; times are those of the event loop.

    Attributes:
        moves: when each move was sent, and its wait, both in seconds.
        ends: when the last move of each game was received, by event.
        polls: the seconds that each request of an event's page took.
    """

    moves: list[tuple[float, float]] = field(default_factory=list)
    ends: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    polls: list[float] = field(default_factory=list)


class EventRoom(GameRoom):
    """The two players of a table of an event."""

    def __init__(self, sockets: Sequence[Socket], log: Log) -> None:
        super().__init__(sockets)
        self._log = log

    def _take(self, seat: int, text: bytes) -> None:
        known, sent = len(self.waits), self._sent
        super()._take(seat, text)
        if len(self.waits) > known:
            self._log.moves.append((sent, self.waits[-1]))


class Play:
    """The players of one event."""

    def __init__(self, site: Site, made: Made, log: Log, gap: float) -> None:
        self.site, self.made, self.log, self.gap = site, made, log, gap
        self._waiting: dict[str, list[tuple[str, asyncio.Event]]] = defaultdict(list)

    async def run(self) -> None:
        """Play until the event is over."""
        await asyncio.gather(*(self._player(cookie) for cookie in self.made.cookies))

    async def _player(self, cookie: str) -> None:
        tag, played = "", ""
        # Pages are not opened all at the same moment.
        await asyncio.sleep(random.uniform(0, POLL_S))
        while True:
            body, tag = await self._poll(cookie, tag)
            if OVER in body:
                return
            found = TABLE.search(body)
            match = found[1].decode() if found else played
            if match == played:
                await asyncio.sleep(POLL_S)
                continue
            await self._game(match, cookie)
            played, tag = match, ""

    async def _poll(self, cookie: str, tag: str) -> tuple[bytes, str]:
        """Ask for the live part of the event's page; return it, empty if unchanged, and its tag."""
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.site.port)
        lines = [
            f"GET /tournaments/{self.made.event}/live/ HTTP/1.1",
            f"Host: 127.0.0.1:{self.site.port}",
            f"Cookie: sessionid={cookie}",
            *([f"If-None-Match: {tag}"] if tag else []),
            "Connection: close",
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        answer = await reader.read()
        writer.close()
        self.log.polls.append(time.perf_counter() - begun)
        head, _, body = answer.partition(b"\r\n\r\n")
        if b" 304 " in head[:20]:
            return b"", tag
        if b" 200 " not in head[:20]:
            raise RuntimeError(head.decode())
        kept = re.search(rb"(?i)^etag: (.+?)\r?$", head, re.MULTILINE)
        return body, kept[1].decode() if kept else ""

    async def _game(self, match: str, cookie: str) -> None:
        """Play a game with the opponent, as soon as both have come; the second plays for both."""
        here = self._waiting[match]
        here.append((cookie, asyncio.Event()))
        if len(here) == 1:
            await here[0][1].wait()
            return
        address = f"/ws/t/{match}/"
        sockets = [await connect(self.site.port, address, each) for each, _ in here]
        room = EventRoom(sockets, self.log)
        for socket in sockets:
            socket.send(b'{"t":"hello","d":{"v":null}}')
        while not room.seated:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        room.start(self.gap)
        await room.ended.wait()
        room.stop()
        self.log.ends[self.made.event].append(asyncio.get_running_loop().time())
        for socket in sockets:
            socket.leave()
        here[0][1].set()


def call(database_url: str, redis_url: str, wish: dict[str, Any]) -> Any:
    """Have another process, with the site loaded, do what `wish` says; return its answer."""
    script = Script([*MODULE], {**site_environment(database_url, redis_url)}, text=json.dumps(wish))
    return json.loads(script.finish())


def inside(wish: dict[str, Any]) -> Any:
    """Do in a process of the site what `call` asks for."""
    import django

    django.setup()
    return _plan(**wish["plan"]) if "plan" in wish else _rounds()


def _plan(players: int, rounds: int, later: float) -> list[dict[str, Any]]:
    """Plan the events with their players; each begins `later` seconds after the one before."""
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Player
    from ratings.events import events
    from tests.support.sessions import session_of

    made = []
    start = timezone.now() + timedelta(seconds=5)
    for number in range(EVENTS):
        people = [
            Player.objects.create_user(f"E{number} P{each}", kind="person")
            for each in range(players)
        ]
        plan = events.Plan(
            title=f"Event {number}", format="swiss", rounds=rounds, places=players,
            starts_at=start + timedelta(days=1),
        )  # fmt: skip
        event = events.plan(by=people[0], plan=plan)
        cookies = []
        for person in people:
            events.join(event=event, player=person)
            cookies.append(session_of(person))
        made.append({"event": event.public_id, "cookies": cookies})
    # Only now: the first must not begin while players of the second are still being made.
    from ratings.events import progress
    from ratings.models import Event

    begins = timezone.now() + timedelta(seconds=5)
    for event in Event.objects.order_by("pk"):
        event.starts_at = begins
        event.save(update_fields=["starts_at"])
        progress.advance_later.using(run_after=begins).enqueue(event.pk)
        begins += timedelta(seconds=later)
    return made


def _rounds() -> dict[str, Any]:
    """Return by event when each round was paired, its last table seated, and when it was over."""
    from django.db.models import Max, Min

    from ratings.models import Event, EventGame

    found: dict[str, Any] = {}
    for event in Event.objects.order_by("pk"):
        rounds = [
            {
                "paired": row.began_at.isoformat(),
                "seated": EventGame.objects.filter(table__round=row).aggregate(
                    at=Max("play__match__created_at")
                )["at"].isoformat(),
                "first_seated": EventGame.objects.filter(table__round=row).aggregate(
                    at=Min("play__match__created_at")
                )["at"].isoformat(),
            }
            for row in event.played.order_by("number")
        ]  # fmt: skip
        titles = event.entrants.filter(titled=True).count()
        over = event.over_at.isoformat() if event.over_at else ""
        found[event.public_id] = {"rounds": rounds, "over": over, "titles": titles}
    return found


def windows(stored: dict[str, Any], log: Log, tables: int, offset: float) -> list[list[float]]:
    """Return when each round's end began and ended, in times of the event loop."""
    found = []
    for event, row in stored.items():
        ends = sorted(log.ends[event])
        marks = [each["seated"] for each in row["rounds"][1:]] + [row["over"]]
        for number, mark in enumerate(marks, start=1):
            until = datetime.fromisoformat(mark).timestamp() - offset
            found.append([ends[number * tables - 1], until])
    return found


def figures(stored: dict[str, Any], log: Log, tables: int, offset: float) -> list[Figure]:
    """Return the waits in all, within the ends of rounds, and outside them."""
    at_end = windows(stored, log, tables, offset)
    near: list[float] = []
    far: list[float] = []
    for sent, wait in log.moves:
        hit = any(begins <= sent + wait and sent <= until for begins, until in at_end)
        (near if hit else far).append(wait)
    lasts = [until - begins for begins, until in at_end]
    rows = [Figure("moves", len(log.moves), "")]
    for name, waits in (
        ("all moves", [wait for _, wait in log.moves]),
        ("while no round ends", far),
        ("while a round of the other event ends", near),
    ):
        rows += [
            Figure(f"{name}: number", len(waits), ""),
            Figure(f"{name}: p50", centile(waits, 0.5), "ms"),
            Figure(f"{name}: p99", centile(waits, 0.99), "ms"),
            Figure(f"{name}: longest", 1e3 * max(waits, default=0.0), "ms"),
        ]
    return [
        *rows,
        Figure("ends of rounds and events", len(lasts), ""),
        Figure("from the last move to the last table of the next round: median",
               statistics.median(lasts), "s"),
        Figure("the same: longest", max(lasts), "s"),
        Figure("requests of the events' pages", len(log.polls), ""),
        Figure("the same: p50", centile(log.polls, 0.5), "ms"),
        Figure("the same: p99", centile(log.polls, 0.99), "ms"),
        Figure("titles", sum(row["titles"] for row in stored.values()), ""),
    ]  # fmt: skip


async def play(site: Site, made: Sequence[Made], log: Log, gap: float) -> None:
    """Play all events to their end."""
    async with asyncio.timeout(LIMIT_S):
        await asyncio.gather(*(Play(site, each, log, gap).run() for each in made))


def measure(server: str, players: int, rounds: int, gap: float) -> list[Figure]:
    """Start the servers, play, and stop the servers."""
    extra = {**FAST, "EMBEDDED_WORKER": "none"}
    with (
        servers("event") as on,
        Site(
            on.folder, server=server, database_url=on.url, redis_url=on.redis.url, extra=extra
        ) as site,
    ):
        plan = {"players": players, "rounds": rounds, "later": MOVES * gap / 2}
        made = [Made(**each) for each in call(on.url, on.redis.url, {"plan": plan})]
        log = Log()
        groups = {
            "server": [site.pid], "worker": [on.worker.pid], "database": tree(on.postgres.pid),
        }  # fmt: skip
        before = {name: {pid: cpu_seconds(pid) for pid in pids} for name, pids in groups.items()}
        begun = time.monotonic()
        # The event loop's clock is the monotonic one.
        offset = time.time() - time.monotonic()
        asyncio.run(play(site, made, log, gap))
        took = time.monotonic() - begun
        used = {
            name: sum(since(pid, then) for pid, then in pids.items())
            for name, pids in before.items()
        }
        stored = call(on.url, on.redis.url, {"rounds": True})
    return [
        *figures(stored, log, players // 2, offset),
        Figure("seconds", took, "s"),
        *(Figure(f"{name}: share of a core", 100 * spent / took, "%")
          for name, spent in used.items()),
        Figure("server: processor time a move, pages included",
               1e6 * used["server"] / len(log.moves), "us"),
    ]  # fmt: skip


def main() -> None:
    """Run the command line."""
    if not sys.argv[1:] and not sys.stdin.isatty() and (wish := sys.stdin.read()):
        print(json.dumps(inside(json.loads(wish))))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=100, help="of each of the two events")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--gap", type=float, default=0.7, help="seconds between moves of a table")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="uvicorn")
    asked = parser.parse_args()
    print(
        f"{EVENTS} events of {asked.players} players, {asked.rounds} rounds of Swiss duplicate, a "
        f"move every {asked.gap:g} s at each table; {asked.server}, PostgreSQL, one worker"
    )
    print(f"load of the machine: {os.getloadavg()[0]:.1f} at the start", flush=True)
    show(measure(asked.server, asked.players, asked.rounds, asked.gap))
    print(f"load of the machine: {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
