"""Blocks that are stored by one process while another seats the two players, on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.support.blocks import WITH_ACCOUNTS, block_while_seating, post
from tests.support.clients import Client
from tests.support.logs import query, run_script
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish

pytestmark = pytest.mark.slow

LISTED = wish(join=False, watchers=1, listed=True)
PRIVATE = wish(join=False, watchers=1)
FINISHED = wish(points=121)

POSTED = "UPDATE games_match SET days = 3"
INVITED = """INSERT INTO games_tableinvitation (match_id, inviter_id, invited_id, made_at)
SELECT m.id, m.created_by_id, p.id, now() FROM games_match m, games_player p
WHERE p.kind = 'person' AND p.id <> m.created_by_id"""
PEOPLE = "SELECT public_id FROM games_player WHERE kind = 'person' ORDER BY id"


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
    start_site: StartSite,
    postgres_url: str,
    redis_url: str,
    table: dict[str, Any],
    script: str,
    seat: Callable[[Site, Table], None],
    blocker: int,
) -> None:
    """One process has read the blocks and is seating the two when the other one stores a block."""
    seats, blocks = (start_site(database_url=postgres_url, redis_url=redis_url) for _ in range(2))
    (made,) = make_tables(postgres_url, table)
    run_script(postgres_url, WITH_ACCOUNTS)
    run_script(postgres_url, script)
    ids = [row[0] for row in query(postgres_url, PEOPLE)]
    address = f"/friends/{ids[1 - blocker]}/block/"
    block_while_seating(
        postgres_url,
        # The seating stops after it has read the blocks, where it stores the match.
        lock="LOCK TABLE games_match IN SHARE MODE",
        seat=partial(seat, seats, made),
        block=partial(post, blocks, address, made.cookies[blocker]),
    )
