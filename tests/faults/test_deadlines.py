"""The clock of ranked games with several processes: one truth, and no verdict in the dark."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import psycopg
import pytest

from games.cluster.outages import BREAK
from games.engine.cards import parse_cards
from games.engine.moves import Discard, to_text
from tests.support.clients import Client
from tests.support.data_servers import Redis
from tests.support.logs import query
from tests.support.seated import make_ranked
from tests.support.servers import StartSite
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}

EARLIER_S = 3.0
"""Seconds that an older process runs before the new one starts."""

CLOCK_S = 12
"""Seconds for a decision: players connect in this time, and then do nothing."""

AFTERWARDS_S = 6.0
"""Seconds after a deadline in which a process would have given its verdict; the slack is two."""

STOPS = "its clock stops until the next search"
"""What the log says when a verdict could not be stored."""

LEFT = "SELECT seat, left_at FROM games_seat WHERE match_id = ? AND left_at IS NOT NULL"


def test_a_new_process_shows_the_deadline_that_the_older_one_enforces(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """As after a rolling restart: the time for a decision does not start again."""
    older = start_site(database_url=postgres_url, redis_url=redis_url, extra=EXTRA)
    (table,) = make_ranked(postgres_url, tables=1, clock=300)

    async def session() -> None:
        async with Client(older.socket_url, table.match, table.cookies[0]) as ann:
            before = await discard_clock(ann)
            await asyncio.sleep(EARLIER_S)
            newer = await asyncio.to_thread(
                start_site, database_url=postgres_url, redis_url=redis_url, extra=EXTRA
            )
            async with Client(newer.socket_url, table.match, table.cookies[1]) as bob:
                assert await discard_clock(bob) == before

    asyncio.run(session())


async def discard_clock(client: Client) -> dict[str, Any]:
    """Return the version, seats and deadline of the first discard."""
    while True:
        told = (await client.hear_until(lambda m: m["t"] == "clock"))["d"]
        if client.view["phase"] == "discard" and told["v"] == client.version:
            return {key: told[key] for key in ("v", "seats", "until")}


def test_no_time_runs_out_while_redis_is_down(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """Players may not see that it is their turn; when Redis is back the time starts again."""
    sites = [
        start_site(database_url=postgres_url, redis_url=redis_server.url, extra=EXTRA)
        for _ in range(2)
    ]
    (table,) = make_ranked(postgres_url, tables=1, clock=CLOCK_S)

    async def session() -> None:
        for site, cookie in zip(sites, table.cookies, strict=True):
            async with Client(site.socket_url, table.match, cookie) as person:
                told = await discard_clock(person)
        await asyncio.to_thread(redis_server.kill)
        late = told["until"] - time.time() + AFTERWARDS_S
        await asyncio.sleep(max(late, BREAK.total_seconds() + 2))

    asyncio.run(session())
    assert query(postgres_url, LEFT, table.pk) == []
    redis_server.start()
    back = time.time()
    wait_for(lambda: len(query(postgres_url, LEFT, table.pk)) == 2, pause=0.2)
    assert time.time() > back + CLOCK_S


def test_a_move_that_is_being_stored_at_the_deadline_wins(
    start_site: StartSite, postgres_url: str
) -> None:
    """Its transaction is open when the time runs out: the verdict waits for it."""
    site = start_site(database_url=postgres_url, extra=EXTRA)
    (table,) = make_ranked(postgres_url, tables=1, clock=CLOCK_S)

    async def session() -> int:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            told = await discard_clock(ann)
            cards = parse_cards(" ".join(ann.view["cards"][:2]))
            with psycopg.connect(postgres_url) as connection:
                connection.execute(
                    "INSERT INTO games_move (match_id, sequence, seat, text, client_id, at) "
                    "VALUES (%s, %s, 0, %s, '', now())",
                    (table.pk, told["v"], to_text(Discard(0, cards))),
                )
                await asyncio.sleep(max(0.0, told["until"] - time.time()) + AFTERWARDS_S)
                assert query(postgres_url, LEFT, table.pk) == []
            await ann.see(lambda: ann.view["discarded"][0])
            return int(told["v"]) + 1

    # The other seat has not moved; it is given away at the length that the log has then.
    length = asyncio.run(session())
    given = LEFT + " AND seat = 1"
    wait_for(lambda: query(postgres_url, given, table.pk) == [(1, length)], pause=0.2)


def test_no_verdict_waits_until_an_administrator_unlocks_a_table(
    start_site: StartSite, postgres_url: str
) -> None:
    """As during `VACUUM FULL`: moves are waiting too, and count first when it ends."""
    site = start_site(database_url=postgres_url, extra=EXTRA)
    (table,) = make_ranked(postgres_url, tables=1, clock=CLOCK_S)

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await discard_clock(ann)
            with psycopg.connect(postgres_url) as admin:
                admin.execute("LOCK TABLE games_seat IN ACCESS EXCLUSIVE MODE")
                await asyncio.to_thread(wait_for, lambda: STOPS in site.log.read_text(), pause=0.2)
                ident = await ann.act("discard", {"cards": ann.view["cards"][:2]})
            await ann.see(lambda: ident in ann.acknowledged)

    asyncio.run(session())
    assert query(postgres_url, LEFT + " AND seat = 0", table.pk) == []
