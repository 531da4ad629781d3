"""Graceful shutdown of real processes: clients move to another one and see no error."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import signal
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cribbage_site import draining
from cribbage_site.draining import LOOK_EVERY, Draining
from games.jobs.worker import Worker
from games.ops import ignored_signals
from games.sockets.connection import RESTART, Bye
from tests.support.clients import Client
from tests.support.data_servers import HOST, listens
from tests.support.logs import query, steps_of
from tests.support.servers import Site, StartSite
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_for, wait_until

pytestmark = pytest.mark.slow

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}


class Traveller(Client):
    """A client that moves to another process as soon as this one says goodbye."""

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
        """Play; when the connection ends, reconnect at the next address."""
        await self.connect()
        while not self.over:
            try:
                await self.play()
            except ConnectionClosed as end:
                # A send may have failed before the last messages were read.
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        await self.hear()
                self.closed.append(end.rcvd.code if end.rcvd else 0)
                self.addresses.append(self.addresses.pop(0))
                async with asyncio.timeout(DEADLINE):
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
def test_sigterm_sends_clients_to_another_process(
    start_site: StartSite, postgres_url: str, redis_url: str, server: str
) -> None:
    """Every client gets a `bye`, reconnects to the other process soon, and has no move refused.

    What scripts that rotate logs send by mistake ends no process.
    """
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
        await play_to(playing, lambda: all(one.acknowledged for one in people))
        for site, number in itertools.product(sites, ignored_signals.SIGNALS):
            assert site.process is not None
            site.process.send_signal(number)
        await play_to(playing, lambda: all(len(one.acknowledged) > 5 for one in people))
        await asyncio.to_thread(sites[0].stop)
        await play_to(playing, lambda: all(map(played_on, pairs)))
        while pending := [task for task in playing if not task.done()]:
            # A closing socket may swallow a cancellation.
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=1)

    asyncio.run(session())
    for person in people:
        assert ([bye["code"] for bye in person.byes], person.closed) == (["restart"], [4503])
        # No client has to wait for a second attempt. The promise of two seconds rests on this and
        # on the goodbyes, which take half a second.
        assert person.attempts == 1
        assert person.refused == []
    for table in tables:
        assert len(steps_of(postgres_url, table.pk)) > 10


def test_goodbyes_to_ten_thousand_sockets_are_spread_over_half_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The total of the pauses between goodbyes is bounded for any number of sockets."""
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


async def play_to(playing: list[asyncio.Task[None]], state: Callable[[], bool]) -> None:
    """Wait for a condition while clients play; fail if one of them fails."""

    def reached() -> bool:
        for task in playing:
            if task.done():
                task.result()
        return state()

    await wait_until(reached)


def played_on(pair: list[Traveller]) -> bool:
    """Return whether both clients of a table have reconnected elsewhere and played there."""
    return all(one.arrived_at and (one.version or 0) > one.arrived_at + 3 for one in pair)


def test_sigterm_finishes_open_requests_and_refuses_new_connections(
    start_site: StartSite, postgres_url: str
) -> None:
    """A form post waiting for the database is answered; new connections are not accepted.

    PostgreSQL lets it wait for as long as a busy machine takes; SQLite gives up after 10 s.
    """
    site = start_site(
        database_url=postgres_url, extra={**EXTRA, "DRAIN_SECONDS": f"{DEADLINE:.0f}"}
    )
    browser = http.client.HTTPConnection(HOST, site.port, timeout=DEADLINE)
    browser.request("GET", "/accounts/signup/")
    page = browser.getresponse()
    token = str(page.headers["Set-Cookie"]).partition("csrftoken=")[2].partition(";")[0]
    page.read()
    fields = {"username": "Margery", "password1": "fifteen-two-4", "csrfmiddlewaretoken": token}
    headers = {
        "Cookie": f"csrftoken={token}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    lock = psycopg.connect(postgres_url)
    lock.execute("LOCK TABLE games_player IN EXCLUSIVE MODE")
    browser.request("POST", "/accounts/signup/", urllib.parse.urlencode(fields), headers)
    wait_for(lambda: numbers(site)["cribbage_requests"] == 1)
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    wait_for(lambda: not listens(site.port))
    lock.close()
    assert browser.getresponse().status == 302
    assert site.process.wait(DEADLINE) is not None
    people = query(site.database_url, "SELECT COUNT(*) FROM games_player WHERE name = ?", "Margery")
    assert people == [(1,)]


def test_the_server_stops_only_after_the_last_request_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Daphne and uvicorn also wait for requests, but only after the application has shut down."""
    order: list[str] = []
    looks: list[float] = []
    let_go_on = asyncio.sleep

    async def look(seconds: float) -> None:
        looks.append(seconds)
        await let_go_on(0)

    monkeypatch.setattr(asyncio, "sleep", look)

    async def session() -> None:
        process, gate = Draining(), asyncio.Event()

        async def page(*_: object) -> None:
            await gate.wait()
            order.append("answered")

        request = asyncio.ensure_future(process.pages(page)({}, None, None))
        await let_go_on(0)
        process._begin(lambda: order.append("closed to new ones"), lambda: order.append("stopped"))
        while looks.count(LOOK_EVERY) < 10:
            await let_go_on(0)
        gate.set()
        await request
        assert process._task is not None
        await process._task

    asyncio.run(session())
    assert order == ["closed to new ones", "answered", "stopped"]


def test_the_server_stops_even_if_the_site_cannot_be_shut_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail() -> None:
        raise RuntimeError("a component cannot be closed")

    monkeypatch.setattr(draining, "shut_down", fail)
    stopped: list[bool] = []

    async def session() -> None:
        process = Draining()
        process._begin(lambda: None, lambda: stopped.append(True))
        assert process._task is not None
        await asyncio.wait({process._task})
        assert isinstance(process._task.exception(), RuntimeError)

    asyncio.run(session())
    assert stopped


@pytest.fixture
def _own_handlers() -> Iterator[None]:
    """Put the signals' handlers of this process back."""
    changed = (*draining.SIGNALS, signal.SIGHUP, *ignored_signals.SIGNALS)
    before = {each: signal.getsignal(each) for each in changed}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_own_handlers")
@pytest.mark.parametrize("first", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_stops_a_server_as_sigterm_does(first: signal.Signals) -> None:
    """By default the signal would end the process at once, without a `bye`.

    The shell and the system may both send it, and systemd sends it after a SIGTERM.
    """
    order: list[object] = []
    signal.signal(signal.SIGTERM, lambda *_: order.append("stopped"))
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

    async def session() -> None:
        process = Draining()
        process.watch_signals(lambda: order.append("closed to new ones"))
        for number in (first, signal.SIGHUP):
            signal.raise_signal(number)
        await wait_until(lambda: order[-1:] == ["stopped"])

    asyncio.run(session())
    assert order == ["closed to new ones", "stopped"]


@pytest.mark.usefixtures("_own_handlers")
def test_a_closed_terminal_lets_a_worker_finish_its_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    stopped: list[bool] = []

    def run(worker: Worker, **_: object) -> None:
        assert [signal.getsignal(n) for n in ignored_signals.SIGNALS] == [signal.SIG_IGN] * 2
        signal.raise_signal(signal.SIGHUP)
        stopped.append(worker.stopping.wait(DEADLINE))

    monkeypatch.setattr(Worker, "run", run)
    call_command("worker")
    assert stopped == [True]


def numbers(site: Site) -> dict[str, float]:
    """Return a process's metrics by name and labels."""
    with urllib.request.urlopen(f"{site.url}/metrics", timeout=DEADLINE) as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}
