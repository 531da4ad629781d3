"""Ranked games at real tables: rated when they end, and played on by a computer after a timeout."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.clients import Client, play_match
from tests.support.seated import Table, attempts, make_ranked
from tests.support.servers import Site, StartSite
from tests.support.waiting import wait_for

FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
SHORT_S = 1
IDLE_S = 20
"""Seconds for each decision of two players: one never moves, the other decides in a moment."""

LONG_S = 120


def clients(table: Table, site: Site) -> list[Client]:
    return [
        Client(site.socket_url, table.match, cookie, seed=seat)
        for seat, cookie in enumerate(table.cookies)
    ]


def collected(site: Site, table: Table) -> list[dict[str, Any]]:
    """Wait until the result has been collected and rated."""
    rows: list[dict[str, Any]] = []

    def rated() -> bool:
        rows[:] = attempts(site.database_url, table.pk)
        return all(row["sequence"] is not None for row in rows)

    wait_for(rated, pause=0.2, message=lambda: (rows, site.read_log()))
    return rows


@pytest.fixture(scope="module")
def site(start_file_site: StartSite) -> Site:
    return start_file_site(extra=FAST)


def test_a_ranked_game_is_rated_when_it_ends(site: Site) -> None:
    for table in make_ranked(site.database_url, tables=2):
        asyncio.run(play_match(*clients(table, site)))
        rows = collected(site, table)
        assert [row["ended"] for row in rows] == ["played", "played"]
        assert sorted(row["won"] for row in rows) == [False, True]
        assert all(row["rated"] == 1 for row in rows)


def test_a_computer_plays_on_after_a_timeout(site: Site) -> None:
    """One player never moves; the other plays on against a computer."""
    (table,) = make_ranked(site.database_url, tables=1, clock=IDLE_S)

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
def test_the_clock_runs_without_any_connection(start_site: StartSite, server: str) -> None:
    """Both players have closed the page and the server has restarted: the timeouts still happen."""
    site = start_site(extra=FAST, server=server)
    (table,) = make_ranked(site.database_url, tables=1, clock=SHORT_S)

    async def look_in() -> None:
        one, _ = clients(table, site)
        async with one:
            await one.hear_view()

    asyncio.run(look_in())
    site.stop()
    site.start()
    rows = collected(site, table)
    assert [row["ended"] for row in rows] == ["timed_out", "timed_out"]


def test_players_are_told_their_deadline(site: Site) -> None:
    """Both get the same deadline, and a returning player gets it again unchanged."""
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
            assert later["until"] == told[0]["until"], (
                "one player's discard does not extend the other's time"
            )
        async with clients(table, site)[0] as again:
            assert await deadline_of(again) == later

    asyncio.run(session())


async def deadline_of(client: Client, *, after: int = -1) -> dict[str, Any]:
    """Return the newest deadline message to a client, without its `now`."""
    told = await client.hear_until(
        lambda m: m["t"] == "clock" and m["d"]["v"] > after and m["d"]["v"] == client.version
    )
    assert 0 < told["d"]["until"] - told["d"]["now"] <= told["d"]["limit"]
    return {name: value for name, value in told["d"].items() if name != "now"}
