"""Whole games over real websockets and real servers, with consistent results for all clients."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from tests.support.clients import Client, play_match
from tests.support.logs import check_log
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish

FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
_seeds = count(1)


def clients(table: Table, *sites: Site) -> list[Client]:
    """Return a client for each player, spread over the sites."""
    return [
        Client(sites[at % len(sites)].socket_url, table.match, cookie, seed=next(_seeds))
        for at, cookie in enumerate(table.cookies)
    ]


def play(matches: list[list[Client]]) -> None:
    """Play matches to the end concurrently; all clients of a match get the same result."""

    async def session() -> None:
        await asyncio.gather(*(play_match(*people) for people in matches))

    asyncio.run(session())
    for people in matches:
        assert len({str(person.view["results"]) for person in people}) == 1
        # Of two players answering a claim, one may find that the other's muggins has closed it.
        assert {code for person in people for code in person.refused} <= {"no_claim_open"}


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_whole_games_on_sqlite(start_site: StartSite, server: str) -> None:
    """One process on a database file: two players, three, computers, manual counting."""
    site = start_site(server=server, extra=FAST)
    kinds = [wish(), wish(players=3, computers=(2,), counting="manual", muggins=True)]
    if server == "daphne":
        kinds += [wish(players=3), wish(computers=(1,), target=61)]
        kinds += [wish(counting="manual", target=61, games=2)]
    tables = make_tables(site.database_url, *kinds)
    play([clients(table, site) for table in tables])
    for table in tables:
        check_log(site.database_url, table.pk)


def test_whole_games_across_two_processes(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """The players of one match are connected to different processes, on PostgreSQL and Redis."""
    sites = [
        start_site(database_url=postgres_url, redis_url=redis_url, extra=FAST) for _ in range(2)
    ]
    tables = make_tables(
        postgres_url,
        wish(),
        wish(players=3),
        wish(players=3, computers=(2,), counting="manual", muggins=True),
    )
    play([clients(table, *sites) for table in tables])
    for table in tables:
        check_log(postgres_url, table.pk)
