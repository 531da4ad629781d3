"""A process that cannot hear the others: it judges nobody, and says that it is deaf."""

from __future__ import annotations

import asyncio
import time

import pytest
import redis

from games.live.presence import FORGOTTEN_AFTER
from tests.support.clients import Client
from tests.support.data_servers import HOST, Redis
from tests.support.dead_wire import DeadWire
from tests.support.logs import check_log, query
from tests.support.probes import metric, readiness
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000", "ABSENCE_GRACE_SECONDS": "1"}

UNTIL_ABSENT_S, MARGIN_S = 15, 3
"""The grace period where a process needs time to learn that another one is deaf, and a margin."""

DEAF_S = 14.0
"""Seconds without Redis: longer than a silent process is remembered, plus the grace period."""


def test_no_win_can_be_claimed_while_redis_is_down(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """The opponent is connected to another process: nobody here knows that they are absent."""
    first, second = (
        start_site(database_url=postgres_url, redis_url=redis_server.url, extra=EXTRA)
        for _ in range(2)
    )

    async def session() -> None:
        table, ann, bob = await seated(postgres_url, first, second)
        await ann.see(lambda: both_online(ann) and ann.view.get("phase") == "discard")
        await asyncio.to_thread(redis_server.kill)
        await claim_for(ann, DEAF_S)
        assert ann.view["phase"] == "discard"
        assert ann.table["absent"] == []
        await asyncio.to_thread(redis_server.start)
        await asyncio.gather(ann.play(), bob.play())
        check_log(postgres_url, table.pk)
        ended = query(postgres_url, "SELECT ended_by FROM games_match WHERE id = ?", table.pk)
        assert ended == [("played",)]

    asyncio.run(session())


def both_online(client: Client) -> bool:
    """Return whether the client has been told that both players are connected."""
    return all(seat.get("online") for seat in client.table.get("seats", [{}]))


async def claim_for(client: Client, seconds: float, seat: int = 1) -> None:
    """Claim the win from a seat again and again; each claim must be refused."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ident = await client.act("claim_win", {"seat": seat, "v": client.version})
        answer = await client.hear_until(lambda m, ident=ident: m.get("id") == ident)
        assert answer["t"] == "error", "the win was given"
        assert answer["d"]["code"] == "not_offered"
        await asyncio.sleep(0.5)


def test_half_open_redis_connections_are_replaced(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """They swallow everything without an error: the process notices, and both sides play on."""

    async def session() -> None:
        async with DeadWire(redis_server.port) as wire:
            sites = await asyncio.to_thread(two_sites, start_site, postgres_url, redis_server, wire)
            table, ann, bob = await seated(postgres_url, *sites)
            for one in (ann, bob):
                await one.see(lambda o=one: both_online(o) and o.view.get("phase") == "discard")
            wire.swallow()
            await bob.act("discard", {"cards": bob.view["cards"][:2]})
            await ann.see(lambda: ann.view["discarded"] == [False, True])
            await ann.act("discard", {"cards": ann.view["cards"][:2]})
            await bob.see(lambda: bob.view["phase"] != "discard")
            await asyncio.gather(ann.play(), bob.play())
            check_log(postgres_url, table.pk)

    asyncio.run(session())


def test_a_deaf_process_is_not_ready_and_judges_nobody(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """Not even new connections to Redis carry anything; when they do again, it is ready again."""

    async def session() -> None:
        async with DeadWire(redis_server.port) as wire:
            first, second = await asyncio.to_thread(
                two_sites, start_site, postgres_url, redis_server, wire
            )
            table, ann, bob = await seated(postgres_url, first, second)
            await ann.see(lambda: both_online(ann) and ann.view.get("phase") == "discard")
            wire.dead = True
            await claim_for(ann, DEAF_S)
            await until_ready(first, ready=False)
            assert "cannot" in (await asyncio.to_thread(readiness, first))[1]["redis"]
            assert await asyncio.to_thread(metric, first, "cribbage_redis_connected") == 0
            assert (await asyncio.to_thread(readiness, second))[1]["redis"] == "ok"
            wire.swallow()
            await until_ready(first, ready=True)
            await asyncio.gather(ann.play(), bob.play())
            check_log(postgres_url, table.pk)

    asyncio.run(session())


def test_no_win_can_be_claimed_while_another_process_is_deaf(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """It alone lost Redis, so that it looks dead; its player is there, and plays on."""

    async def session() -> None:
        async with DeadWire(redis_server.port) as wire:
            first, second = await asyncio.to_thread(
                two_sites, start_site, postgres_url, redis_server, wire, grace=UNTIL_ABSENT_S
            )
            table, ann, bob = await seated(postgres_url, first, second)
            await bob.see(lambda: both_online(bob) and bob.view.get("phase") == "discard")
            wire.dead = True
            await until_told(second, deaf=True)
            await claim_for(bob, FORGOTTEN_AFTER + UNTIL_ABSENT_S + MARGIN_S, seat=0)
            assert bob.table["absent"] == []
            wire.swallow()
            await until_ready(first, ready=True)
            await until_told(second, deaf=False)
            await asyncio.gather(ann.play(), bob.play())
            check_log(postgres_url, table.pk)

    asyncio.run(session())


def test_a_process_at_a_replica_of_redis_is_deaf(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """It hears itself and the others, who never hear it: after a failover, or a wrong address."""

    async def session(replica: Redis) -> None:
        first, second = await asyncio.to_thread(
            lambda: [
                start_site(database_url=postgres_url, redis_url=url, extra=extra)
                for url in (replica.url, redis_server.url)
            ]
        )
        _, _, bob = await seated(postgres_url, first, second)
        await bob.see(lambda: bob.view.get("phase") == "discard")
        await until_told(second, deaf=True)
        await claim_for(bob, UNTIL_ABSENT_S + MARGIN_S, seat=0)
        assert bob.table["absent"] == []
        assert "cannot" in (await asyncio.to_thread(readiness, first))[1]["redis"]

    extra = {**EXTRA, "ABSENCE_GRACE_SECONDS": str(UNTIL_ABSENT_S)}
    with Redis(redis_server.folder) as replica, redis.Redis.from_url(replica.url) as admin:
        admin.replicaof(HOST, redis_server.port)
        asyncio.run(session(replica))


async def seated(database_url: str, first: Site, second: Site) -> tuple[Table, Client, Client]:
    """Return a new match, and its two players: each is connected to one of the processes."""
    (table,) = await asyncio.to_thread(make_tables, database_url, wish(target=61))
    ann = await Client(first.socket_url, table.match, table.cookies[0], seed=1).connect()
    bob = await Client(second.socket_url, table.match, table.cookies[1], seed=2).connect()
    return table, ann, bob


async def until_told(site: Site, *, deaf: bool) -> None:
    """Wait until a process has learned that another one is deaf, or that none is."""
    await asyncio.to_thread(
        wait_for, lambda: metric(site, "cribbage_others_deaf") == deaf, pause=0.2
    )


def two_sites(
    start_site: StartSite, database_url: str, redis: Redis, wire: DeadWire, grace: int = 1
) -> tuple[Site, Site]:
    """Start two processes, the first with a wire to Redis that can go dead."""
    through = f"redis://{HOST}:{wire.port}/0"
    first, second = (
        start_site(
            database_url=database_url,
            redis_url=url,
            extra={**EXTRA, "ABSENCE_GRACE_SECONDS": str(grace)},
        )
        for url in (through, redis.url)
    )
    return first, second


async def until_ready(site: Site, *, ready: bool) -> None:
    """Wait until a process says that it hears the others, or that it does not."""
    await asyncio.to_thread(
        wait_for, lambda: (readiness(site)[1]["redis"] == "ok") is ready, pause=0.1
    )
