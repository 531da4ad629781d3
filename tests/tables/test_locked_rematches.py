"""A rematch of which a player is locked by another process, on PostgreSQL."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from tests.support.at_once import LOCK_WAITS
from tests.support.clients import Client
from tests.support.logs import query
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.slow

FINISHED = wish(points=121)
HELD = """SELECT p.id FROM games_player p JOIN games_seat s ON s.player_id = p.id
WHERE s.match_id = %s ORDER BY p.id FOR UPDATE OF p"""


async def rematch(site: Site, table: Table, both_asked: asyncio.Event | None = None) -> None:
    """Let both players ask for a rematch once, and wait until there is one.

    ``both_asked`` is set when they see that both have asked, without a rematch.
    """
    async with asyncio.timeout(DEADLINE), asyncio.TaskGroup() as players:
        for cookie in table.cookies:
            players.create_task(_ask(site, table, cookie, both_asked or asyncio.Event()))


async def _ask(site: Site, table: Table, cookie: str, both_asked: asyncio.Event) -> None:
    async with Client(site.socket_url, table.match, cookie) as person:
        await person.see(lambda: bool(person.table))
        await person.act("rematch", {"swap": False})
        while person.table["rematch"]["match"] is None:
            if person.table["rematch"]["wanted"] == [0, 1]:
                both_asked.set()
            assert (await person.hear())["t"] != "error"


def test_a_player_who_is_locked_delays_no_other_rematch(
    start_site: StartSite, postgres_url: str
) -> None:
    """Their own is made once the lock is released; the deletion of an account may hold it long."""
    site = start_site(database_url=postgres_url)
    waiting, free = make_tables(postgres_url, FINISHED, FINISHED)

    async def scenario() -> None:
        with psycopg.connect(postgres_url) as deletion:
            deletion.execute(HELD, [waiting.pk])
            both_asked = asyncio.Event()
            held_up = asyncio.create_task(rematch(site, waiting, both_asked))
            await asyncio.to_thread(wait_for, lambda: query(postgres_url, LOCK_WAITS)[0][0] > 0)
            await rematch(site, free)
            assert not held_up.done()
            await both_asked.wait()  # their own attempts have failed
            deletion.rollback()
            await held_up

    asyncio.run(scenario())
    made = "SELECT count(*) FROM games_match WHERE rematch_id IS NOT NULL"
    assert query(postgres_url, made) == [(2,)]
