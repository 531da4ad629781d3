"""Whole games over real websockets and real servers, and what everybody at the table was told."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from tests.games.clients import Client, play_match
from tests.games.logs import check_log
from tests.games.tables import Table, make_tables, wish
from tests.servers import Site, StartSite

FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
_seeds = count(1)


def clients(table: Table, *sites: Site) -> list[Client]:
    """Return a client for each person, spread over the sites."""
    return [
        Client(sites[at % len(sites)].socket_url, table.match, cookie, seed=next(_seeds))
        for at, cookie in enumerate(table.cookies)
    ]


def play(matches: list[list[Client]]) -> None:
    """Play matches to their ends at once; everybody at one ends with the same result."""

    async def session() -> None:
        await asyncio.gather(*(play_match(*people, within=120) for people in matches))

    asyncio.run(session())
    for people in matches:
        assert len({str(person.view["results"]) for person in people}) == 1
        # Of two who answer a claim, one may be told that the other's muggins has closed it.
        assert {code for person in people for code in person.refused} <= {"no_claim_open"}


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_sqlite_alone(start_site: StartSite, server: str) -> None:
    """One process on a database file: two people, three, against computers, counting by hand."""
    site = start_site(server=server, extra=FAST)
    kinds = [wish(), wish(players=3, computers=(2,), counting="manual", muggins=True)]
    if server == "daphne":
        kinds += [wish(players=3), wish(computers=(1,), target=61)]
        kinds += [wish(counting="manual", target=61, games=2)]
    tables = make_tables(site.database_url, *kinds)
    play([clients(table, site) for table in tables])
    for table in tables:
        check_log(site.database_url, table.pk)


def test_two_processes_on_postgresql_and_redis(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """The people of one match are connected to different processes."""
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
