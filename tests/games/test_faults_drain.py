"""The end of a process that really happens: people go elsewhere, and nobody sees a fault."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import signal
import sqlite3
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cribbage_site import draining
from cribbage_site.draining import LOOK_EVERY, Draining
from games.sockets import RESTART, Bye
from tests.games.clients import Client
from tests.games.logs import query, steps_of
from tests.games.tables import make_tables, wish
from tests.servers import HOST, Site, StartSite, listens

pytestmark = pytest.mark.slow

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
ELSEWHERE_WITHIN = 20.0
"""Seconds, for a machine that does much else; on a free one it takes a tenth of one."""


class Traveller(Client):
    """A person who plays on at another process as soon as this one says good-bye."""

    def __init__(self, addresses: list[str], match: str, cookie: str, *, seed: int) -> None:
        super().__init__(addresses[0], match, cookie, seed=seed)
        self.addresses = addresses
        self.arrived_at = 0
        self.byes: list[dict[str, Any]] = []
        self.attempts = 0
        self.closed: list[int] = []

    def _take(self, message: dict[str, Any]) -> None:
        if message["t"] == "bye":
            self.byes.append(message["d"])
        super()._take(message)

    async def travel(self) -> None:
        """Play; when a connection ends, be at the next address in time."""
        await self.connect()
        while not self.over:
            try:
                await self.play(within=120)
            except ConnectionClosed as end:
                # A send may have found out before what came last was read.
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        await self.hear()
                self.closed.append(end.rcvd.code if end.rcvd else 0)
                self.addresses.append(self.addresses.pop(0))
                async with asyncio.timeout(ELSEWHERE_WITHIN):
                    await self._again()

    async def _again(self) -> None:
        while True:
            self.url = self.addresses[0]
            self.attempts += 1
            try:
                await self.connect()
                await self._resend()
                await self.hear_view()
                self.arrived_at = self.version or 0
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.addresses.append(self.addresses.pop(0))
                await asyncio.sleep(0.05)
            else:
                return


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_a_process_that_is_told_to_end_sends_its_people_elsewhere(
    start_site: StartSite, postgres_url: str, redis_url: str, server: str
) -> None:
    """SIGTERM: a `bye` to everybody, everybody at the other process soon, no move refused."""
    sites = [
        start_site(database_url=postgres_url, redis_url=redis_url, server=server, extra=EXTRA)
        for _ in range(2)
    ]
    tables = make_tables(postgres_url, *(wish(games=9) for _ in range(3)))
    pairs = [
        [
            Traveller([site.socket_url for site in sites], table.match, cookie, seed=seed)
            for cookie in table.cookies
        ]
        for seed, table in enumerate(tables)
    ]
    people = [person for pair in pairs for person in pair]

    async def session() -> None:
        playing = [asyncio.create_task(person.travel()) for person in people]
        await come_to(playing, lambda: all(len(one.acknowledged) > 5 for one in people))
        await asyncio.to_thread(sites[0].stop)
        await come_to(playing, lambda: all(map(played_on, pairs)))
        while pending := [task for task in playing if not task.done()]:
            # A socket that is being closed may take a cancellation for itself.
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=1)

    asyncio.run(session())
    for person in people:
        assert ([bye["code"] for bye in person.byes], person.closed) == (["restart"], [4503])
        # So nobody waits before a second attempt: that each is elsewhere within two seconds rests
        # on this, and on the good-byes, which take half a second.
        assert person.attempts == 1
        assert person.refused == []
    for table in tables:
        assert len(steps_of(postgres_url, table.pk)) > 10


def test_good_byes_to_ten_thousand_take_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are; counted in the pauses that are made between them."""
    told: list[int] = []
    pauses: list[float] = []

    class Held:
        def end(self, bye: Bye) -> None:
            told.append(bye.close)

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    for people in (1, 49, 1_000, 10_000):
        told.clear()
        pauses.clear()
        with monkeypatch.context() as patched:
            patched.setattr(draining, "OPEN", {Held() for _ in range(people)})
            patched.setattr(asyncio, "sleep", pause)
            asyncio.run(draining._send_away())
        assert told == [RESTART] * people
        assert sum(pauses) <= draining.SPREAD_SECONDS


async def come_to(playing: list[asyncio.Task[None]], state: Callable[[], bool]) -> None:
    """Wait until something is so, while people play."""
    async with asyncio.timeout(90):
        while not state():
            for task in playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.02)


def played_on(pair: list[Traveller]) -> bool:
    """Whether both people of a table came elsewhere, and played there."""
    return all(one.arrived_at and (one.version or 0) > one.arrived_at + 3 for one in pair)


def test_who_is_told_to_end_takes_nobody_in_and_finishes_what_it_answers(
    start_site: StartSite,
) -> None:
    """A form that waits for the database is answered; a new connection is not taken any more."""
    site = start_site(extra=EXTRA)
    browser = http.client.HTTPConnection(HOST, site.port, timeout=20)
    browser.request("GET", "/accounts/signup/")
    page = browser.getresponse()
    token = str(page.headers["Set-Cookie"]).partition("csrftoken=")[2].partition(";")[0]
    page.read()
    fields = {"username": "Margery", "password1": "fifteen-two-4", "csrfmiddlewaretoken": token}
    headers = {
        "Cookie": f"csrftoken={token}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    lock = sqlite3.connect(site.database_url.removeprefix("sqlite:///"), isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    browser.request("POST", "/accounts/signup/", urllib.parse.urlencode(fields), headers)
    wait_for(lambda: numbers(site)["cribbage_requests"] == 1)
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    wait_for(lambda: not listens(site.port))
    lock.execute("ROLLBACK")
    lock.close()
    assert browser.getresponse().status == 302
    assert site.process.wait(10) is not None
    people = query(site.database_url, "SELECT COUNT(*) FROM games_player WHERE name = ?", "Margery")
    assert people == [(1,)]


def test_the_server_is_stopped_only_when_the_last_request_is_answered() -> None:
    """Daphne and uvicorn wait by themselves too, but only after the parts of the process closed."""
    order: list[str] = []

    async def session() -> None:
        process, gate = Draining(), asyncio.Event()

        async def page(*_: object) -> None:
            await gate.wait()
            order.append("answered")

        request = asyncio.create_task(process.pages(page)({}, None, None))
        await asyncio.sleep(0)
        process._begin(lambda: order.append("closed to new ones"), lambda: order.append("stopped"))
        await asyncio.sleep(10 * LOOK_EVERY)
        gate.set()
        await request
        assert process._task is not None
        await process._task

    asyncio.run(session())
    assert order == ["closed to new ones", "answered", "stopped"]


def numbers(site: Site) -> dict[str, float]:
    """Return what a process counts, by name and labels."""
    with urllib.request.urlopen(f"{site.url}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


def wait_for(state: Callable[[], bool], within: float = 20.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + within
    while not state():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)
