"""A PostgreSQL whose connections take no changes, as after another server has taken its place."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from tests.faults.test_database_away import ask
from tests.faults.test_servers import EXTRA, play_until, seated, try_to_play
from tests.support.data_servers import Postgres
from tests.support.logs import check_log, read_log
from tests.support.servers import StartSite
from tests.support.shared_postgres import EMPTY
from tests.support.tables import make_tables, wish

pytestmark = pytest.mark.slow

READ_ONLY = "ALTER ROLE postgres SET default_transaction_read_only = on"
NO_LONGER = "ALTER ROLE postgres RESET default_transaction_read_only"
"""Both concern new connections alone: one that is open stays as it is."""

OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid()"
)


def test_connections_to_a_read_only_server_are_replaced(
    start_site: StartSite, own_postgres: Postgres
) -> None:
    url = own_postgres.create_database("games", template=EMPTY)
    site = start_site(database_url=url, extra=EXTRA)
    table, other = make_tables(url, wish(), wish(join=False))
    people = seated(site, table)

    def form() -> int:
        return ask(site, "POST", "/ranked/enter/", other.cookies[0]).status

    async def session(admin: psycopg.Connection) -> None:
        for person in people:
            await person.connect()
        await play_until(people, 12)
        admin.execute(READ_ONLY)
        admin.execute(OTHERS)
        await try_to_play(people)
        assert await asyncio.to_thread(form) == 503
        admin.execute(NO_LONGER)
        await asyncio.gather(*(person.play() for person in people))
        assert await asyncio.to_thread(form) == 302

    with psycopg.connect(url, autocommit=True) as admin:
        asyncio.run(session(admin))
    assert {code for person in people for code in person.refused} == {"unavailable"}
    assert check_log(url, table.pk).winner is not None
    stored = {row.client_id for row in read_log(url, table.pk)}
    assert all(set(person.acknowledged) <= stored for person in people)
    assert "Traceback" not in site.log.read_text()
