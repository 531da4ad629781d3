"""Turns of page requests: how many are answered at once, who waits, and when a turn ends."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from cribbage_site.busy_page import busy_page
from cribbage_site.page_turns import AT_ONCE, PageTurns, at_once
from games.ops import metrics
from tests.support.clients import Client
from tests.support.data_servers import Postgres
from tests.support.probes import readiness
from tests.support.servers import Site, StartSite
from tests.support.shared_postgres import EMPTY
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import wait_for

WHOLE = {"type": "http.request", "body": b"", "more_body": False}
PART = {"type": "http.request", "body": b"a", "more_body": True}
GONE = {"type": "http.disconnect"}
SCOPE = {"method": "GET", "path": "/", "headers": []}


class Asked:
    """A page request: what its client sends, and what it was answered."""

    def __init__(self, turns: PageTurns, *received: dict[str, Any]) -> None:
        self.begun, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_end = asyncio.Event()
        self.sent: list[dict[str, Any]] = []
        self.seen: list[dict[str, Any]] = []
        self.client: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        for message in received:
            self.client.put_nowait(message)
        self.task = asyncio.ensure_future(
            turns.pages(self._page)(SCOPE, self.client.get, self._send)
        )

    async def _page(self, _scope: Any, receive: Any, send: Any) -> None:
        """Read the request, wait, and answer in two parts, as Django does."""
        while not self.seen or self.seen[-1].get("more_body"):
            self.seen.append(await receive())
        if self.seen[-1] == GONE:
            return
        self.begun.set()
        await self.may_answer.wait()
        await send({"type": "http.response.start"})
        await send({"type": "http.response.body", "more_body": True})
        await self.may_end.wait()
        self.seen.append(await receive())

    async def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(20):
        await asyncio.sleep(0)


async def cancel(*asked: Asked) -> None:
    for each in asked:
        each.task.cancel()
    await asyncio.gather(*(each.task for each in asked), return_exceptions=True)


def begun(*asked: Asked) -> list[bool]:
    return [each.begun.is_set() for each in asked]


def test_requests_are_answered_in_turn() -> None:
    async def scenario() -> None:
        turns = PageTurns(2)
        asked = [Asked(turns, WHOLE) for _ in range(4)]
        await settle()
        assert begun(*asked) == [True, True, False, False]
        asked[1].may_answer.set()
        await settle()
        assert begun(*asked) == [True, True, True, False], "also while the answer is being sent"
        await cancel(asked[0])
        await settle()
        assert begun(*asked) == [True, True, True, True], "a request that fails passes it on"
        await cancel(*asked)

    asyncio.run(scenario())


def test_a_slow_sender_has_no_turn() -> None:
    async def scenario() -> None:
        turns = PageTurns(1)
        slow, other = Asked(turns, PART), Asked(turns, WHOLE)
        await settle()
        assert begun(slow, other) == [False, True]
        slow.client.put_nowait(WHOLE)
        other.may_answer.set()
        await settle()
        assert (slow.begun.is_set(), slow.seen) == (True, [PART, WHOLE])
        await cancel(slow, other)

    asyncio.run(scenario())


def test_a_client_that_has_left_is_not_answered() -> None:
    async def scenario() -> None:
        turns = PageTurns(1)
        first, left, last = (Asked(turns, WHOLE) for _ in range(3))
        await settle()
        left.client.put_nowait(GONE)
        first.may_answer.set()
        await settle()
        assert (left.begun.is_set(), left.seen, left.sent) == (False, [GONE], [])
        assert last.begun.is_set()
        await cancel(first, left, last)

    asyncio.run(scenario())


def test_a_page_learns_that_its_client_has_left() -> None:
    async def scenario() -> None:
        asked = Asked(PageTurns(1), WHOLE)
        asked.may_answer.set()
        asked.may_end.set()
        await settle()
        assert not asked.task.done()
        asked.client.put_nowait(GONE)
        await asked.task
        assert asked.seen == [WHOLE, GONE]

    asyncio.run(scenario())


def test_who_waits_for_too_long_gets_a_page_that_says_so() -> None:
    async def scenario() -> None:
        before = metrics.PAGES_REFUSED["late"]
        turns = PageTurns(1, max_wait=0)
        first, late = Asked(turns, WHOLE), Asked(turns, WHOLE)
        await late.task
        assert (late.begun.is_set(), late.sent[0]["status"], turns.waiting) == (False, 503, 0)
        assert metrics.PAGES_REFUSED["late"] == before + 1
        first.may_answer.set()
        await settle()
        last = Asked(turns, WHOLE)
        await settle()
        assert last.begun.is_set(), "the turn was not lost with the one that waited"
        await cancel(first, last)

    asyncio.run(scenario())


def test_no_more_than_a_limit_wait() -> None:
    async def scenario() -> None:
        turns = PageTurns(1, max_waiting=1)
        asked = [Asked(turns, WHOLE) for _ in range(2)]
        await settle()
        assert turns.waiting == 1
        one_more = Asked(turns, WHOLE)
        await one_more.task
        assert one_more.sent[0]["status"] == 503
        asked[0].may_answer.set()
        await settle()
        assert (asked[1].begun.is_set(), turns.waiting) == (True, 0)
        await cancel(*asked)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Very busy"), ("de", "Gerade ist viel"), ("xx", "Very busy")]
)
def test_the_page_for_those_without_a_turn_is_in_their_language(language: str, title: str) -> None:
    scope = {**SCOPE, "headers": [(b"accept-language", language.encode())]}
    start, body = busy_page(scope)
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"10")
    assert f"<h1>{title}" in body["body"].decode()
    assert b" src=" not in body["body"], "nothing else has to be loaded"


def test_a_form_without_a_turn_is_sent_again_and_not_followed_as_a_link() -> None:
    """Few forms have a page at their own address."""
    page = list(busy_page({**SCOPE, "method": "POST"}))[1]["body"].decode()
    assert "Go back and send it again." in page
    assert "href" not in page


def test_programs_get_json_instead_of_the_page() -> None:
    start, body = busy_page({**SCOPE, "path": "/api/v1/me"})
    assert json.loads(body["body"])["error"] == "busy"
    assert (start["status"], dict(start["headers"])[b"content-type"]) == (503, b"application/json")


def test_an_answer_to_head_has_no_body() -> None:
    assert list(busy_page({**SCOPE, "method": "HEAD"}))[1]["body"] == b""


def test_some_connections_are_left_for_moves() -> None:
    assert [at_once(size) for size in (0, 1, 5, 20)] == [AT_ONCE, 1, 3, 12]


def ask(site: Site) -> int:
    with urllib.request.urlopen(f"{site.url}/tournaments/", timeout=90) as answer:
        return int(answer.status)


def refused(site: Site) -> urllib.error.HTTPError:
    """Ask for a page; return the refusal."""
    asked = urllib.request.Request(f"{site.url}/tournaments/", headers={"Accept-Language": "de"})
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(asked, timeout=90)
    return raised.value


def hanging(watch: psycopg.Connection[Any]) -> int:
    """Return how many connections of this database wait for a lock."""
    rows = watch.execute(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
        " AND wait_event_type = 'Lock'"
    )
    return len(rows.fetchall())


@pytest.mark.slow
@pytest.mark.parametrize("server", ["uvicorn", "daphne"])
def test_many_pages_at_once_leave_connections_to_the_tables(
    server: str, start_site: StartSite, postgres: Postgres
) -> None:
    """While every page hangs in the database, the process still gets a connection."""
    url = postgres.create_database(f"turns_{server}", template=EMPTY)
    # On a busy machine the process takes its time, while pages wait for theirs.
    extra = {"DATABASE_POOL": "5", "EMBEDDED_WORKER": "none", "PAGE_WAIT_SECONDS": "90"}
    site = start_site(database_url=url, server=server, extra=extra)
    # The lock goes before the browsers are waited for, also after a failure.
    with (
        ThreadPoolExecutor(30) as browsers,
        psycopg.connect(url) as holder,
        psycopg.connect(url, autocommit=True) as watch,
    ):
        holder.execute("LOCK TABLE ratings_event IN ACCESS EXCLUSIVE MODE")
        asked = [browsers.submit(ask, site) for _ in range(30)]
        wait_for(lambda: hanging(watch) >= 3)
        wait_for(lambda: readiness(site)[0] == 200, message=lambda: readiness(site))
        assert hanging(watch) == 3
        holder.rollback()
        assert [each.result() for each in asked] == [200] * 30


@pytest.mark.slow
@pytest.mark.parametrize("server", ["uvicorn", "daphne"])
def test_a_page_without_a_turn_is_refused_while_sockets_and_probes_are_answered(
    server: str, start_site: StartSite, postgres: Postgres
) -> None:
    url = postgres.create_database(f"refused_{server}", template=EMPTY)
    (table,) = make_tables(url, wish())
    extra = {"DATABASE_POOL": "5", "EMBEDDED_WORKER": "none", "PAGE_WAIT_SECONDS": "1"}
    site = start_site(database_url=url, server=server, extra=extra)
    with (
        ThreadPoolExecutor(10) as browsers,
        psycopg.connect(url) as holder,
        psycopg.connect(url, autocommit=True) as watch,
    ):
        holder.execute("LOCK TABLE ratings_event IN ACCESS EXCLUSIVE MODE")
        asked = [browsers.submit(ask, site) for _ in range(3)]
        wait_for(lambda: hanging(watch) == 3)
        refusal = refused(site)
        assert (refusal.code, refusal.headers["Retry-After"]) == (503, "10")
        assert '<html lang="de">' in refusal.read().decode()
        wait_for(lambda: readiness(site)[0] == 200, message=lambda: readiness(site))
        asyncio.run(greeted(site, table))
        with urllib.request.urlopen(f"{site.url}/metrics", timeout=90) as metrics_page:
            assert 'cribbage_pages_refused_total{reason="late"} 1.0' in metrics_page.read().decode()
        holder.rollback()
        assert [each.result() for each in asked] == [200] * 3


async def greeted(site: Site, table: Table) -> None:
    """Open a table's socket, and wait for the answer to `hello`."""
    async with Client(site.socket_url, table.match, table.cookies[0]) as client:
        await client.hear_view()
