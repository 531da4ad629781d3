"""Real faults: killed servers, lost Redis, lost database connections."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from tests.support.clients import Client
from tests.support.data_servers import Redis
from tests.support.killing import Bystander, play_through_kills, what_is_left
from tests.support.logs import check_log, query, read_log
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE, GAME_S

pytestmark = pytest.mark.slow

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
KILLS = 20

TRIES = 10
"""Attempts to kill a process between its player's card and its computer's answer."""

MOVES = 11
"""Acknowledged moves of each game, before and after kills, of which none may be lost."""


def test_a_killed_server_loses_no_acknowledged_move(start_site: StartSite) -> None:
    """SIGKILL at random moments: the server restarts, clients reconnect, games continue."""
    site = start_site(extra=EXTRA)
    wishes = [wish(games=9), wish(players=3, games=9), wish(games=9), wish(computers=(1,), games=9)]
    tables = make_tables(site.database_url, *wishes)
    games = [Bystander(site, table, seed * 10) for seed, table in enumerate(tables)]
    later = asyncio.run(play_through_kills(site, games, KILLS, moves=MOVES))
    site.stop()  # while it runs, a hand may end between two looks at the database
    assert any(later), "no game went on"
    for game in games:
        assert game.acknowledged >= MOVES
        left = what_is_left(site.database_url, game)
        assert (left.lost, left.doubled) == ([], [])
        assert left.summed == left.hands


def test_no_move_is_announced_before_it_is_stored(start_site: StartSite) -> None:
    """No answer comes while the database is locked; after a kill the move can be resent."""
    site = start_site(extra=EXTRA)
    (table,) = make_tables(site.database_url, wish())
    lock = sqlite3.connect(site.database_url.removeprefix("sqlite:///"), isolation_level=None)

    async def session() -> None:
        ann = await Client(site.socket_url, table.match, table.cookies[0]).connect()
        await ann.see(lambda: ann.view.get("phase") == "discard")
        lock.execute("BEGIN IMMEDIATE")
        ident = await ann.act("discard", {"cards": ann.view["cards"][:2]})
        with pytest.raises(TimeoutError):
            await ann.hear_until(lambda m: m["t"] in {"ok", "steps", "view"}, within=1)
        await asyncio.to_thread(site.kill)
        lock.execute("ROLLBACK")
        assert all(row.client_id != ident for row in read_log(site.database_url, table.pk))
        await asyncio.to_thread(site.start)
        await ann.connect()
        await ann._resend()
        await ann.see(lambda: ident in ann.acknowledged)
        await ann.close()

    asyncio.run(session())
    lock.close()
    (stored,) = [row for row in read_log(site.database_url, table.pk) if row.client_id]
    assert stored.seat == 0


def test_another_process_takes_over_a_computers_move_after_a_crash(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """One process accepts a player's card and dies before its computer answers: another answers."""
    slow = {**EXTRA, "COMPUTER_PAUSE_MS": "1500"}
    first, second = (
        start_site(database_url=postgres_url, redis_url=redis_url, extra=slow) for _ in range(2)
    )
    (table,) = make_tables(postgres_url, wish(computers=(1,)))

    async def session() -> None:
        here = await Client(first.socket_url, table.match, table.cookies[0], seed=1).connect()
        there = await Client(second.socket_url, table.match, table.cookies[0], seed=1).connect()
        await there.hear_view()
        for _ in range(TRIES):
            await here.play(until=lambda: here.view.get("count", 0) > 0 and is_computers_turn(here))
            version = here.version or 0
            await there.see(lambda: (there.version or 0) >= (here.version or 0), within=DEADLINE)
            await asyncio.to_thread(first.kill)
            if len(read_log(postgres_url, table.pk)) == version:
                break
            # The computer had already moved: continue the game, and kill the process again.
            await asyncio.to_thread(first.start)
            await here.connect()
            await here._resend()
            await here.hear_view()
        else:
            pytest.fail("the process always moved before it was killed")
        await there.see(lambda: not is_computers_turn(there), within=DEADLINE)
        await there.close()
        assert read_log(postgres_url, table.pk)[version].seat == 1

    asyncio.run(session())


def is_computers_turn(client: Client) -> bool:
    """Return whether it is the computer's turn, in seat 1."""
    return bool(client.view.get("waiting") == [1])


def test_games_continue_while_redis_is_down_and_sync_when_it_returns(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """Nothing is lost and games continue while Redis is down, also between two processes."""
    first, second = (
        start_site(database_url=postgres_url, redis_url=redis_server.url, extra=EXTRA)
        for _ in range(2)
    )
    shared, local = make_tables(postgres_url, wish(), wish(computers=(1,)))

    async def session() -> None:
        ann = await Client(first.socket_url, shared.match, shared.cookies[0], seed=1).connect()
        bob = await Client(second.socket_url, shared.match, shared.cookies[1], seed=2).connect()
        for one in (ann, bob):
            await one.see(lambda one=one: one.view.get("phase") == "discard")
        await asyncio.to_thread(redis_server.kill)

        alone = await Client(first.socket_url, local.match, local.cookies[0], seed=3).connect()
        await alone.play()
        await alone.close()

        await ann.act("discard", {"cards": ann.view["cards"][:2]})
        await ann.see(lambda: bool(ann.acknowledged))
        # Bob may not have heard of Ann's discard, but his own is applied on top of it.
        await bob.act("discard", {"cards": bob.view["cards"][:2]})
        await bob.see(lambda: bob.view["phase"] != "discard")
        assert ann.view["phase"] == "discard"
        await ann.see(lambda: ann.version == bob.version)

        await asyncio.to_thread(redis_server.start)
        await asyncio.gather(ann.play(), bob.play())

    asyncio.run(session())
    check_log(postgres_url, shared.pk)
    check_log(postgres_url, local.pk)


def test_a_game_survives_dropped_database_connections(
    start_site: StartSite, postgres_url: str
) -> None:
    """Writer and Reader reconnect: the game continues and no client has to reload."""
    site = start_site(database_url=postgres_url, extra=EXTRA)
    (table,) = make_tables(postgres_url, wish(target=61))

    async def session() -> None:
        people = [
            Client(site.socket_url, table.match, cookie, seed=at)
            for at, cookie in enumerate(table.cookies)
        ]
        for person in people:
            await person.connect()
        for moves in (10, 20, 30):
            await asyncio.gather(
                *(
                    person.play(until=lambda p=person, n=moves: (p.version or 0) >= n)
                    for person in people
                )
            )
            await asyncio.to_thread(drop_connections, postgres_url)
            # A new connection is served by the Reader, moves by the Writer.
            await people[0].close()
            await people[0].connect()
            await people[0]._resend()
        await asyncio.gather(*(person.play() for person in people))
        assert not any(person.refused for person in people)

    asyncio.run(session())
    check_log(postgres_url, table.pk)


def drop_connections(url: str) -> None:
    """End all other connections to a PostgreSQL database."""
    dropped = query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    assert dropped


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_a_client_that_does_not_read_is_dropped(start_site: StartSite, server: str) -> None:
    """A client that neither reads nor writes is dropped; the others at the table notice nothing."""
    site = start_site(server=server, extra=EXTRA)
    (table,) = make_tables(site.database_url, wish(games=9, watchers=1, watchable=True))

    async def session() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port, limit=1024)
        writer.write(handshake(site, table))
        await reader.readuntil(b"\r\n\r\n")  # and from here on nothing is read
        writer.write(client_frame('{"t":"hello","d":{"v":null}}'))
        await writer.drain()
        people = [
            await Client(site.socket_url, table.match, cookie, seed=at).connect()
            for at, cookie in enumerate(table.cookies[:2])
        ]
        await people[0].see(lambda: people[0].table.get("watchers") == 1)
        await asyncio.gather(
            *(person.play(until=lambda p=person: p.table.get("watchers") == 0) for person in people)
        )
        assert people[0].table["watchers"] == 0, "the match ended before the socket was given up"
        writer.close()

    asyncio.run(session())


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_a_client_that_sends_but_does_not_read_is_dropped(
    start_site: StartSite, server: str
) -> None:
    """Sending requests without reading the answers does not count as being alive."""
    site = start_site(server=server, extra=EXTRA)
    (table,) = make_tables(site.database_url, wish(watchers=1, watchable=True))

    async def session() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port, limit=1024)
        writer.write(handshake(site, table))
        await reader.readuntil(b"\r\n\r\n")  # and from here on nothing is read
        with pytest.raises(ConnectionError):
            await ask_on(writer)
        ann = await Client(site.socket_url, table.match, table.cookies[0]).connect()
        await ann.see(lambda: ann.table.get("watchers") == 0)
        await ann.close()

    asyncio.run(session())


async def ask_on(writer: asyncio.StreamWriter) -> None:
    """Request the view again and again, below the rate limit, until the server gives up."""
    async with asyncio.timeout(GAME_S):
        while True:
            writer.write(client_frame('{"t":"hello","d":{"v":null}}'))
            await writer.drain()
            await asyncio.sleep(0.002)


def handshake(site: Site, table: Table) -> bytes:
    """Return a websocket's opening handshake as bytes."""
    lines = [
        f"GET /ws/t/{table.match}/ HTTP/1.1",
        f"Host: 127.0.0.1:{site.port}",
        f"Origin: {site.url}",
        f"Cookie: sessionid={table.cookies[2]}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def client_frame(text: str) -> bytes:
    """Return a short text message as a client's frame, masked with zeros."""
    payload = text.encode()
    assert len(payload) < 126
    return bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload


def test_dropped_redis_connections_are_reopened(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """Redis keeps running but drops connections: lost messages are made up for within seconds."""
    first, second = (
        start_site(database_url=postgres_url, redis_url=redis_server.url, extra=EXTRA)
        for _ in range(2)
    )
    (table,) = make_tables(postgres_url, wish(target=61))

    async def session() -> None:
        ann = await Client(first.socket_url, table.match, table.cookies[0], seed=1).connect()
        bob = await Client(second.socket_url, table.match, table.cookies[1], seed=2).connect()
        for kind in ("normal", "pubsub"):
            start = max(ann.version or 0, bob.version or 0)
            await asyncio.gather(
                *(
                    one.play(until=lambda o=one, n=start: (o.version or 0) > n + 8)
                    for one in (ann, bob)
                )
            )
            await asyncio.to_thread(drop_redis_connections, redis_server, kind)
        await asyncio.gather(ann.play(), bob.play())

    asyncio.run(session())
    check_log(postgres_url, table.pk)


def drop_redis_connections(server: Redis, kind: str) -> None:
    """Close all connections of a kind: "normal" ones publish, "pubsub" ones listen."""
    import redis

    with redis.Redis.from_url(server.url) as client:
        assert client.execute_command("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")
