"""Blocks that are stored by one process while another seats the two players, on PostgreSQL."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.support import shared_postgres
from tests.support.blocks import WITH_ACCOUNTS, block_while_seating, post
from tests.support.clients import Client
from tests.support.data_servers import Postgres, Redis
from tests.support.logs import query, run_script
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish

pytestmark = pytest.mark.slow

LISTED = wish(join=False, watchers=1, listed=True)
PRIVATE = wish(join=False, watchers=1)
FINISHED = wish(points=121)

POSTED = "UPDATE games_match SET days = 3 WHERE id = {match}"
INVITED = """INSERT INTO games_tableinvitation (match_id, inviter_id, invited_id, made_at)
SELECT m.id, m.created_by_id, p.id, now() FROM games_match m, games_player p
WHERE m.id = {match} AND p.id > m.created_by_id"""
PEOPLE = """SELECT p.public_id FROM games_match m JOIN games_player p ON p.id >= m.created_by_id
WHERE m.id = ? ORDER BY p.id"""


def accept(site: Site, table: Table) -> None:
    """Accept a posted game or an invitation as the second player."""
    post(site, f"/join/{table.invite}/", table.cookies[1])


def wish_again(site: Site, table: Table, *, swap: bool) -> None:
    """Let both players ask for a rematch, until there is one."""

    async def wish_it(cookie: str) -> None:
        async with Client(site.socket_url, table.match, cookie) as person:
            await person.see(lambda: bool(person.table))
            await person.act("rematch", {"swap": swap})
            await person.see(lambda: person.table["rematch"]["match"] is not None)

    async def session() -> None:
        await asyncio.gather(*map(wish_it, table.cookies))

    asyncio.run(session())


@pytest.fixture(scope="module")
def pair(
    postgres: Postgres, start_file_site: StartSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, Site]]:
    """Run two processes of one site for the file: each test has a table of its own."""
    name = f"blocks_{os.getpid()}"
    url = postgres.create_database(name, template=shared_postgres.EMPTY)
    with Redis(tmp_path_factory.mktemp("redis")) as redis:
        seats, blocks = (start_file_site(database_url=url, redis_url=redis.url) for _ in range(2))
        yield seats, blocks
        seats.kill()
        blocks.kill()
    postgres.drop_database(name)


@pytest.mark.parametrize("blocker", [0, 1])
@pytest.mark.parametrize(
    ("table", "script", "seat"),
    [
        pytest.param(LISTED, POSTED, accept, id="posted"),
        pytest.param(PRIVATE, INVITED, accept, id="invitation"),
        pytest.param(FINISHED, POSTED, partial(wish_again, swap=False), id="rematch"),
        pytest.param(FINISHED, POSTED, partial(wish_again, swap=True), id="swapped"),
    ],
)
def test_nobody_is_seated_with_a_player_after_blocking_them(
    pair: tuple[Site, Site],
    table: dict[str, Any],
    script: str,
    seat: Callable[[Site, Table], None],
    blocker: int,
) -> None:
    """One process has read the blocks and is seating the two when the other one stores a block."""
    seats, blocks = pair
    url = seats.database_url
    (made,) = make_tables(url, table)
    run_script(url, f"DELETE FROM games_block; {WITH_ACCOUNTS}")
    run_script(url, script.format(match=made.pk))
    ids = [row[0] for row in query(url, PEOPLE, made.pk)]
    address = f"/friends/{ids[1 - blocker]}/block/"
    block_while_seating(
        url,
        # The seating stops after it has read the blocks, where it stores the match.
        lock="LOCK TABLE games_match IN SHARE MODE",
        seat=partial(seat, seats, made),
        block=partial(post, blocks, address, made.cookies[blocker]),
    )
