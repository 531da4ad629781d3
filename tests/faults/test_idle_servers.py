"""Connected players who do not act, with two processes of which one is killed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.faults.test_deafness import both_online
from tests.support.clients import Client
from tests.support.data_servers import Redis
from tests.support.logs import check_log, query
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish

pytestmark = pytest.mark.slow

LIMIT_S = 8
"""Long enough for what happens in each test before it has passed."""

EXTRA = {
    "SOCKET_RATE": "1000",
    "IDLE_LIMIT_SECONDS": str(LIMIT_S),
    "ABSENCE_GRACE_SECONDS": "1",
}


@pytest.fixture
def sites(start_site: StartSite, redis_server: Redis, postgres_url: str) -> list[Site]:
    return [
        start_site(database_url=postgres_url, redis_url=redis_server.url, extra=EXTRA)
        for _ in range(2)
    ]


async def at(site: Site, table: Table, seat: int) -> Client:
    """Connect a player to one of the processes."""
    client = Client(site.socket_url, table.match, table.cookies[seat], seed=1 + seat)
    return await client.connect()


async def waited_for(sites: list[Site], table: Table) -> tuple[Client, Client]:
    """Connect the players to different processes; the second has to discard."""
    ann, bob = await at(sites[0], table, 0), await at(sites[1], table, 1)
    await ann.see(lambda: both_online(ann) and ann.view.get("phase") == "discard")
    await ann.play(until=lambda: bool(ann.acknowledged))
    await bob.see(lambda: bob.view.get("waiting") == [1])
    return ann, bob


def entry(client: Client) -> dict[str, Any]:
    """Return what the table says about the idle second player, if anything."""
    idle = client.table.get("idle", [])
    return next((each for each in idle if each["seat"] == 1), {})


async def claim(client: Client) -> dict[str, Any]:
    """Claim the win from the second player; return the answer."""
    ident = await client.act("claim_win", {"seat": 1, "v": client.version})
    return await client.hear_until(lambda m: m.get("id") == ident)


def ended_by(postgres_url: str, table: Table) -> tuple[Any, ...]:
    """Return how the match ended, and the id of its last entry."""
    check_log(postgres_url, table.pk)
    (match,) = query(postgres_url, "SELECT winner FROM games_match WHERE id = ?", table.pk)
    asked = "SELECT client_id FROM games_move WHERE match_id = ? ORDER BY sequence DESC LIMIT 1"
    (move,) = query(postgres_url, asked, table.pk)
    return (*match, *move)


def test_the_time_goes_on_after_the_process_of_the_one_who_waits_was_killed(
    sites: list[Site], postgres_url: str
) -> None:
    (table,) = make_tables(postgres_url, wish())

    async def session() -> None:
        _ann, bob = await waited_for(sites, table)
        await bob.see(lambda: bool(entry(bob)))
        await asyncio.to_thread(sites[0].kill)
        again = await at(sites[1], table, 0)
        await again.see(lambda: bool(entry(again).get("can_claim")))
        assert entry(again)["since"] < 2 * LIMIT_S
        assert (await claim(again))["t"] == "ok"
        await bob.see(lambda: bob.table["claimed"] == "idle")
        for client in (again, bob):
            await client.close()

    asyncio.run(session())
    assert ended_by(postgres_url, table) == (0, "claimed:idle")


def test_an_idle_player_whose_process_was_killed_comes_back_and_moves(
    sites: list[Site], postgres_url: str
) -> None:
    (table,) = make_tables(postgres_url, wish())

    async def session() -> None:
        ann, _bob = await waited_for(sites, table)
        await ann.see(lambda: bool(entry(ann)))
        await asyncio.to_thread(sites[1].kill)
        back = await at(sites[0], table, 1)
        await back.play(until=lambda: bool(back.acknowledged))
        await ann.see(lambda: not entry(ann) and ann.view["phase"] != "discard")
        assert (await claim(ann))["d"]["code"] == "not_offered"
        for client in (ann, back):
            await client.close()

    asyncio.run(session())
