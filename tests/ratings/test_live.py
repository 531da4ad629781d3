"""Ranked games at real tables: rated when they end, and given to the computer when time is up."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tests.games.clients import Client, play_match
from tests.ratings.seated import Table, attempts, make_ranked
from tests.servers import Site, StartSite

FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
CLOCK_S = 1
LONG_S = 120


def clients(table: Table, site: Site) -> list[Client]:
    return [
        Client(site.socket_url, table.match, cookie, seed=seat)
        for seat, cookie in enumerate(table.cookies)
    ]


def collected(site: Site, table: Table, within: float = 60.0) -> list[dict[str, Any]]:
    """Wait until the result is in and rated."""
    end = time.monotonic() + within
    while True:
        rows = attempts(site.database_url, table.pk)
        if all(row["sequence"] is not None for row in rows):
            return rows
        assert time.monotonic() < end, (rows, site.read_log()[:4000])
        time.sleep(0.2)


def test_a_game_at_a_table_is_rated_when_it_ends(start_site: StartSite) -> None:
    site = start_site(extra=FAST)
    for table in make_ranked(site.database_url, tables=2):
        asyncio.run(play_match(*clients(table, site)))
        rows = collected(site, table)
        assert [row["ended"] for row in rows] == ["played", "played"]
        assert sorted(row["won"] for row in rows) == [False, True]
        assert all(row["rated"] == 1 for row in rows)


def test_the_computer_plays_on_when_time_is_up(start_site: StartSite) -> None:
    """One person never moves; the other plays on, against the computer."""
    site = start_site(extra=FAST)
    (table,) = make_ranked(site.database_url, tables=1, clock=CLOCK_S)

    async def session() -> None:
        playing, idle = clients(table, site)
        async with idle:
            await play_match(playing)
            assert playing.over

    asyncio.run(session())
    rows = collected(site, table)
    assert [row["ended"] for row in rows] == ["played", "timed_out"]
    assert [row["won"] for row in rows] == [True, False]


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_the_clock_runs_where_nobody_looks(start_site: StartSite, server: str) -> None:
    """Both have closed the page and the server has started anew: nobody needs to come back."""
    site = start_site(extra=FAST, server=server)
    (table,) = make_ranked(site.database_url, tables=1, clock=CLOCK_S)

    async def look_in() -> None:
        one, _ = clients(table, site)
        async with one:
            await one.hear_view()

    asyncio.run(look_in())
    site.stop()
    site.start()
    rows = collected(site, table)
    assert [row["ended"] for row in rows] == ["timed_out", "timed_out"]


def test_players_are_told_until_when_they_must_decide(start_site: StartSite) -> None:
    """Both are told the same moment; who comes back is told it again, and not a later one."""
    site = start_site(extra=FAST)
    (table,) = make_ranked(site.database_url, tables=1, clock=LONG_S)

    async def session() -> None:
        one, other = clients(table, site)
        async with one, other:
            told = [await deadline_of(client) for client in (one, other)]
            assert told[0] == told[1]
            assert told[0]["seats"] == [0, 1], "both have to discard"
            assert told[0]["limit"] == LONG_S
            await one.act("discard", {"cards": one.view["legal"]["cards"][:2]})
            later = await deadline_of(one, after=told[0]["v"])
            assert later["seats"] == [1]
            assert later["until"] == told[0]["until"], "another's discard prolongs nobody's time"
        async with clients(table, site)[0] as again:
            assert await deadline_of(again) == later

    asyncio.run(session())


async def deadline_of(client: Client, *, after: int = -1) -> dict[str, Any]:
    """Return the newest deadline that a client has been told, less the moment of telling."""
    told = await client.hear_until(
        lambda m: m["t"] == "clock" and m["d"]["v"] > after and m["d"]["v"] == client.version
    )
    assert 0 < told["d"]["until"] - told["d"]["now"] <= told["d"]["limit"]
    return {name: value for name, value in told["d"].items() if name != "now"}
