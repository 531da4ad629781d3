"""A PostgreSQL that works but takes no more connections: those that are open stay in use."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.faults.test_database_away import KNOWN, ask
from tests.faults.test_servers import EXTRA, play_until, seated
from tests.support.data_servers import Postgres
from tests.support.servers import StartSite
from tests.support.shared_postgres import EMPTY
from tests.support.tables import make_tables, wish
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

FULL = "the database takes no more connections"
ROOM = "there are free connections again"
"""What the log says when a process learns that it gets no more connections, and that it does."""

PAGES = 3
"""Pages that use a connection each, and wait."""

LATE = 6
"""Pages that are asked for later. Some may still get a connection that the site has to spare, and
wait as well, but not all."""

WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'site' AND wait_event_type = 'Lock'"
)

Refusal = Callable[[contextlib.ExitStack, Postgres, psycopg.Connection], None]


def make_role(url: str) -> str:
    """Make a role that may use a database; return its address for that role.

    No limit of connections holds for a superuser.
    """
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("CREATE ROLE site LOGIN")
        admin.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO site")
        admin.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO site")
    return url.replace("postgres@", "site@")


def limit_role(_: contextlib.ExitStack, __: Postgres, admin: psycopg.Connection) -> None:
    """Let the role have fewer connections than it has: "too many connections for role"."""
    admin.execute("ALTER ROLE site CONNECTION LIMIT 1")


def fill(stack: contextlib.ExitStack, server: Postgres, admin: psycopg.Connection) -> None:
    """Use all connections that a superuser can have: "sorry, too many clients already"."""
    with contextlib.suppress(psycopg.OperationalError):
        for _ in itertools.count():
            stack.enter_context(contextlib.closing(psycopg.connect(server.url)))


def stop_slowly(_: contextlib.ExitStack, server: Postgres, __: psycopg.Connection) -> None:
    """Begin the shutdown that waits for all clients: "the database system is shutting down"."""
    assert server.process is not None
    server.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("refuse", [limit_role, fill, stop_slowly])
def test_open_connections_stay_in_use_while_further_ones_are_refused(
    start_site: StartSite, own_postgres: Postgres, refuse: Refusal
) -> None:
    url = own_postgres.create_database("games", template=EMPTY)
    site = start_site(database_url=make_role(url), extra=EXTRA)
    table, other = make_tables(url, wish(games=3), wish(join=False))
    people = seated(site, table)

    def ranked_page() -> int:
        return ask(site, "GET", "/ranked/", other.cookies[0]).status

    async def session(stack: contextlib.ExitStack) -> None:
        loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor(PAGES + LATE)
        admin = stack.enter_context(psycopg.connect(url, autocommit=True))
        lock = stack.enter_context(psycopg.connect(url))
        for person in people:
            await person.connect()
        await play_until(people, 12)
        lock.execute("LOCK TABLE django_session")
        busy = [loop.run_in_executor(threads, ranked_page) for _ in range(PAGES)]
        await asyncio.to_thread(wait_for, lambda: admin.execute(WAITING).fetchone() == (PAGES,))
        refuse(stack, own_postgres, admin)
        late = [loop.run_in_executor(threads, ranked_page) for _ in range(LATE)]
        await asyncio.to_thread(wait_for, lambda: FULL in site.log.read_text())
        await play_until(people, (people[0].version or 0) + 6)
        refused, _ = await asyncio.wait(late, return_when=asyncio.FIRST_COMPLETED)
        assert {answer.result() for answer in refused} == {503}
        lock.rollback()
        assert await asyncio.gather(*busy) == [200] * PAGES
        assert set(await asyncio.gather(*late)) <= {200, 503}
        assert await asyncio.to_thread(ranked_page) == 200
        await asyncio.to_thread(wait_for, lambda: ROOM in site.log.read_text())

    with contextlib.ExitStack() as stack:
        asyncio.run(session(stack))
    assert [person.refused for person in people] == [[], []]
    assert KNOWN not in site.log.read_text()
