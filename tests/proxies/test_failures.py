"""A process that is killed, and one that hangs: its tables go on in the other one."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from tests.support.logs import query, read_log
from tests.support.proxied_site import Answer, Behind, PublicSite, Visitor
from tests.support.proxies import Proxy
from tests.support.residents import Resident, at_tables
from tests.support.tables import Table, wish
from tests.support.waiting import GAME_S, wait_for, wait_until

TABLES = 6

FORM = {"players": "2", "target": "121", "games": "1"}


@pytest.fixture
def stopped(behind: Behind) -> Iterator[PublicSite]:
    """Return a process that a test may stop; it runs on in the end."""
    site = behind.sites[0]
    yield site
    if site.is_running():
        site.send_signal(signal.SIGCONT)


def test_the_tables_of_a_killed_process_move_to_the_other(behind: Behind, proxy: Proxy) -> None:
    tables = behind.make_tables(*(wish(games=9) for _ in range(TABLES)))

    async def session() -> list[list[Resident]]:
        async with at_tables(behind, proxy, tables, playing=TABLES) as seated:
            await wait_until(
                lambda: all(one.acknowledged for pair in seated for one in pair), within=GAME_S
            )
            killed = time.monotonic()
            await asyncio.to_thread(behind.sites[0].kill)
            await wait_until(lambda: all(goes_on(pair, killed) for pair in seated), within=GAME_S)
        return seated

    check_moves(behind, tables, asyncio.run(session()))
    assert Visitor(behind, proxy).get("/").status == 200
    assert Visitor(behind, proxy).post("/play/", FORM).status == 302


def test_the_tables_of_a_hung_process_move_to_the_other(
    behind: Behind, proxy: Proxy, stopped: PublicSite
) -> None:
    """It accepts connections and answers nothing; when it goes on, it is used again."""
    tables = behind.make_tables(*(wish(games=9) for _ in range(TABLES)))
    visitor = Visitor(behind, proxy)

    async def session() -> list[list[Resident]]:
        async with at_tables(behind, proxy, tables, playing=TABLES) as seated:
            await wait_until(
                lambda: all(one.acknowledged for pair in seated for one in pair), within=GAME_S
            )
            hung = time.monotonic()
            stopped.send_signal(signal.SIGSTOP)
            await wait_until(lambda: all(goes_on(pair, hung) for pair in seated), within=GAME_S)
            for _ in range(3):
                page = await asyncio.to_thread(visitor.get, "/")
                made = await asyncio.to_thread(visitor.post, "/play/", FORM)
                assert (page.status, made.status) == (200, 302)
        return seated

    check_moves(behind, tables, asyncio.run(session()))
    stopped.send_signal(signal.SIGCONT)
    asyncio.run(fill(behind, proxy, stopped))


async def fill(behind: Behind, proxy: Proxy, site: PublicSite) -> None:
    """Open tables until one is in that process."""
    while True:
        tables = await asyncio.to_thread(behind.make_tables, *(wish() for _ in range(TABLES)))
        async with at_tables(behind, proxy, tables, playing=0) as seated:
            await wait_until(
                lambda: all(one.present for pair in seated for one in pair), within=GAME_S
            )
            if (await asyncio.to_thread(site.metrics))["cribbage_tables"]:
                return


def goes_on(pair: list[Resident], moment: float) -> bool:
    """Return whether both people of a table are there, and have moved since then, or it is over."""
    return any(one.over for one in pair) or all(
        one.present and one.moved_at > moment for one in pair
    )


def check_moves(behind: Behind, tables: list[Table], seated: list[list[Resident]]) -> None:
    """Check that each acknowledged move is stored, once."""
    for table, pair in zip(tables, seated, strict=True):
        named = [row.client_id for row in read_log(behind.database_url, table.pk) if row.client_id]
        assert len(named) == len(set(named))
        assert {ident for one in pair for ident in one.acknowledged} <= set(named)


class Asking(threading.Thread):
    """A request that waits for its answer."""

    def __init__(self, visitor: Visitor, method: str, path: str) -> None:
        super().__init__(daemon=True)
        self.visitor, self.method, self.path = visitor, method, path
        self.answer: Answer | None = None

    def run(self) -> None:
        if self.method == "POST":
            self.answer = self.visitor.post(self.path, FORM)
        else:
            self.answer = self.visitor.get(self.path)


LOOKS = 10
"""How often a process is looked at: by then it has answered a proxy's question for its health."""


def busy(site: PublicSite) -> bool:
    """Return whether a process keeps a request that waits for the database."""
    return all(site.is_running() and site.metrics()["cribbage_requests"] > 0 for _ in range(LOOKS))


def test_a_form_is_never_sent_twice_and_a_page_is(behind: Behind, proxy: Proxy) -> None:
    """Both are with a process that waits for the database when it is killed."""
    visitor = Visitor(behind, proxy)
    assert visitor.post("/play/", FORM).status == 302
    count = "SELECT COUNT(*) FROM games_match"
    before = query(behind.database_url, count)
    with psycopg.connect(behind.database_url) as lock:
        lock.execute("LOCK TABLE games_player IN ACCESS EXCLUSIVE MODE")
        post = Asking(visitor, "POST", "/play/")
        post.start()
        first = killed_while_busy(behind)
        post.join()
        assert post.answer is not None
        assert post.answer.status in {502, 503}
        (other,) = (site for site in behind.sites if site is not first)
        assert not busy(other), "the form was sent again"
        first.start()
        wait_for(lambda: visitor_of_nobody(behind, proxy))
        page = Asking(visitor, "GET", "/matches/")
        page.start()
        second = killed_while_busy(behind)
        (last,) = (site for site in behind.sites if site is not second)
        wait_for(lambda: busy(last))
        lock.rollback()
    page.join()
    assert page.answer is not None
    assert page.answer.status == 200
    assert query(behind.database_url, count) == before


def killed_while_busy(behind: Behind) -> PublicSite:
    """Kill the process that has a request, as soon as one has; return it."""
    found: list[PublicSite] = []
    wait_for(lambda: found.extend(filter(busy, behind.sites)) or found)
    found[0].kill()
    return found[0]


def visitor_of_nobody(behind: Behind, proxy: Proxy) -> bool:
    """Return whether a page without a session is shown."""
    return Visitor(behind, proxy).get("/rules/").status == 200
