"""Faults that really happen: killed servers, a lost Redis, a lost connection to the database."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from tests.games.clients import Client
from tests.games.killing import Bystander, play_through_kills, what_is_left
from tests.games.logs import check_log, query, read_log
from tests.games.tables import Table, make_tables, wish
from tests.servers import Redis, Site, StartSite

pytestmark = pytest.mark.slow

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
KILLS = 20


def test_a_killed_server_loses_no_acknowledged_move(start_site: StartSite) -> None:
    """SIGKILL at random moments: the server comes back, people reconnect, games go on."""
    site = start_site(extra=EXTRA)
    wishes = [wish(games=9), wish(players=3, games=9), wish(games=9), wish(computers=(1,), games=9)]
    tables = make_tables(site.database_url, *wishes)
    games = [Bystander(site, table, seed * 10) for seed, table in enumerate(tables)]
    later = asyncio.run(play_through_kills(site, games, KILLS))
    assert any(later), "no game went on"
    for game in games:
        assert game.acknowledged > 10
        left = what_is_left(site.database_url, game)
        assert (left.lost, left.doubled) == ([], [])
        assert left.summed == left.hands


def test_nobody_is_told_of_a_move_before_it_is_on_the_disk(start_site: StartSite) -> None:
    """While the database takes nothing no answer comes; killed then, the move is made later."""
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


def test_a_computer_moves_though_the_process_that_should_has_died(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """One process takes a person's card and dies before the computer answers: another does it."""
    slow = {**EXTRA, "COMPUTER_PAUSE_MS": "1500"}
    first, second = (
        start_site(database_url=postgres_url, redis_url=redis_url, extra=slow) for _ in range(2)
    )
    (table,) = make_tables(postgres_url, wish(computers=(1,)))

    async def session() -> None:
        here = await Client(first.socket_url, table.match, table.cookies[0], seed=1).connect()
        there = await Client(second.socket_url, table.match, table.cookies[0], seed=1).connect()
        await there.hear_view()
        await here.play(until=lambda: here.view.get("count", 0) > 0 and computer_waited_for(here))
        await there.see(lambda: there.version == here.version)
        await asyncio.to_thread(first.kill)
        await there.see(lambda: not computer_waited_for(there), within=10)
        await there.close()

    asyncio.run(session())
    assert read_log(postgres_url, table.pk)[-1].seat == 1


def computer_waited_for(client: Client) -> bool:
    """Whether the computer in seat 1 is to act."""
    return bool(client.view.get("waiting") == [1])


def test_redis_goes_and_comes_back(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """While Redis is away nothing is lost and nobody stops; once back, all are told in a second."""
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
        # Bob was told nothing of it, and his own discard is judged on what Ann stored.
        await bob.act("discard", {"cards": bob.view["cards"][:2]})
        await bob.see(lambda: bob.view["phase"] != "discard")
        assert ann.view["phase"] == "discard"

        await asyncio.to_thread(redis_server.start)
        await ann.see(lambda: ann.version == bob.version, within=3)
        await asyncio.gather(ann.play(), bob.play())

    asyncio.run(session())
    check_log(postgres_url, shared.pk)
    check_log(postgres_url, local.pk)


def test_the_database_drops_every_connection(start_site: StartSite, postgres_url: str) -> None:
    """Writer and reader connect anew: the game goes on, and nobody has to reload."""
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
            # Who comes anew is served by the Reader, the others by the Writer.
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
    """Who reads nothing and says nothing is given up; the others at the table notice nothing."""
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
            *(
                person.play(until=lambda p=person: p.table.get("watchers") == 0, within=90)
                for person in people
            )
        )
        assert people[0].table["watchers"] == 0, "the match ended before the socket was given up"
        writer.close()

    asyncio.run(session())


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_a_client_that_talks_and_does_not_read_is_dropped(
    start_site: StartSite, server: str
) -> None:
    """Who asks and asks, and never reads an answer, is given up too; what he said is no sign."""
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
    """Ask for the view again and again, at a pace that is no flood, for a minute at most."""
    async with asyncio.timeout(60):
        while True:
            writer.write(client_frame('{"t":"hello","d":{"v":null}}'))
            await writer.drain()
            await asyncio.sleep(0.002)


def handshake(site: Site, table: Table) -> bytes:
    """Return the opening of a websocket, as bytes."""
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


def test_a_connection_that_redis_drops_is_made_anew(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """Redis stays, the connections go: what was lost with them is said again, within seconds."""
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
    """End all connections of a kind: "normal" ones publish, "pubsub" ones listen."""
    import redis

    with redis.Redis.from_url(server.url) as client:
        assert client.execute_command("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")
