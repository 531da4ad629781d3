"""Faults around a process: its database, disk, client connections, and other processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import signal
import sqlite3
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from cribbage_site.serve import PING_INTERVAL, PING_TIMEOUT
from tests.support.clients import Client
from tests.support.data_servers import HOST, Postgres
from tests.support.dead_wire import DeadWire
from tests.support.logs import check_log, query, read_log, run_script
from tests.support.probes import readiness
from tests.support.seated import make_ranked
from tests.support.servers import Site, StartSite
from tests.support.shared_postgres import EMPTY
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE, GAME_S, wait_for

pytestmark = pytest.mark.slow

ROOM = 4096
"""Size in bytes to which files may grow on a disk that is practically full."""

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}


def seated(site: Site, table: Table, *, seed: int = 1) -> list[Client]:
    """Return the clients of a table, not connected yet."""
    return [
        Client(site.socket_url, table.match, cookie, seed=seed + seat)
        for seat, cookie in enumerate(table.cookies)
    ]


async def play_until(people: list[Client], version: int) -> None:
    """Play until all clients have seen this many log entries, or the end."""
    await asyncio.gather(
        *(one.play(until=lambda one=one: (one.version or 0) >= version) for one in people)
    )


async def try_to_play(people: list[Client]) -> None:
    """Let a player whose turn it is act, and wait for the refusal."""
    who = next(one for one in people if one.view["legal"]["action"] != "wait")
    await who.play(until=lambda: bool(who.refused))


def test_a_game_survives_a_postgresql_crash_and_restart(
    start_site: StartSite, own_postgres: Postgres
) -> None:
    """Moves are refused while it is down, and the same sockets play to the end when it is back."""
    postgres_url = own_postgres.create_database("games", template=EMPTY)
    site = start_site(database_url=postgres_url, extra=EXTRA)
    (table,) = make_tables(postgres_url, wish())
    people = seated(site, table)

    async def session() -> None:
        for person in people:
            await person.connect()
        await play_until(people, 12)
        # SIGQUIT ends it like a crash: when started again it recovers from its journal.
        await asyncio.to_thread(own_postgres.stop, signal.SIGQUIT)
        try:
            await try_to_play(people)
            status, checks = await asyncio.to_thread(readiness, site)
            assert status == 503
            assert checks["database"] != "ok"
        finally:
            await asyncio.to_thread(own_postgres.start)
        await asyncio.gather(*(person.play() for person in people))

    asyncio.run(session())
    assert {code for person in people for code in person.refused} == {"unavailable"}
    wait_for(lambda: readiness(site)[0] == 200, message=lambda: readiness(site))
    state = check_log(postgres_url, table.pk)
    assert state.winner is not None
    stored = {row.client_id for row in read_log(postgres_url, table.pk)}
    for person in people:
        assert set(person.acknowledged) <= stored


def test_a_full_disk_refuses_moves_and_corrupts_nothing(start_site: StartSite) -> None:
    """SQLite cannot write: moves are refused clearly; with space again the game continues."""
    site = start_site(extra=EXTRA)
    (table,) = make_tables(site.database_url, wish(games=3))
    file = Path(site.database_url.removeprefix("sqlite:///"))
    people = seated(site, table)

    async def session() -> None:
        for person in people:
            await person.connect()
        await play_until(people, 10)
        before = resource.prlimit(site.pid, resource.RLIMIT_FSIZE, (ROOM, -1))
        try:
            await try_to_play(people)
            check = sqlite3.connect(file)
            assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            check.close()
        finally:
            resource.prlimit(site.pid, resource.RLIMIT_FSIZE, before)
        await asyncio.gather(*(person.play() for person in people))

    asyncio.run(session())
    assert {code for person in people for code in person.refused} == {"unavailable"}
    assert query(site.database_url, "PRAGMA integrity_check") == [("ok",)]
    check_log(site.database_url, table.pk)
    stored = {row.client_id for row in read_log(site.database_url, table.pk)}
    for person in people:
        assert set(person.acknowledged) <= stored


def test_two_processes_can_serve_the_same_match(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """Both players connect to both processes and send every move to both: it is stored once."""
    sites = [
        start_site(database_url=postgres_url, redis_url=redis_url, extra=EXTRA) for _ in range(2)
    ]
    (table,) = make_tables(postgres_url, wish(target=61))
    # Each player follows a different process, so the two processes race for every entry.
    twins = [
        [seated(site, table)[seat] for site in order]
        for seat, order in enumerate((sites, sites[::-1]))
    ]

    async def both(seat: list[Client]) -> None:
        """Play one seat through two processes, sending every move to both at the same time."""
        here, there = seat
        for one in seat:
            await one.connect()
        hearing = asyncio.create_task(hear_all(there))
        known = len(here.sent)
        async with asyncio.timeout(GAME_S):
            while not here.over:
                await here._offer()
                for ident in list(here.sent)[known:]:
                    await there.socket.send(json.dumps(here.sent[ident]))
                known = len(here.sent)
                await here.hear()
            await hearing

    async def session() -> None:
        await asyncio.gather(*(both(seat) for seat in twins))

    asyncio.run(session())
    check_log(postgres_url, table.pk)
    named = [(row.seat, row.client_id) for row in read_log(postgres_url, table.pk) if row.client_id]
    assert len(named) == len(set(named)), "a move was stored twice"
    for here, there in twins:
        assert here.refused == []
        assert here.view == there.view
        for ident in here.acknowledged.keys() & there.acknowledged.keys():
            assert here.acknowledged[ident] == there.acknowledged[ident]


async def hear_all(client: Client) -> None:
    """Receive messages until the end of the match."""
    while not client.over:
        await client.hear(within=GAME_S)


def test_a_flooding_client_is_disconnected_and_others_play_on(start_site: StartSite) -> None:
    """Endless frames, valid and invalid: the socket is closed for `too_many`."""
    site = start_site(extra={**EXTRA, "SOCKET_RATE": "20"})
    flooded, other = make_tables(
        site.database_url, wish(watchers=1, watchable=True), wish(target=61, computers=(1,))
    )

    async def session() -> None:
        flooder = Client(site.socket_url, flooded.match, flooded.cookies[2])
        await flooder.connect()
        flood = asyncio.create_task(pour(flooder))
        with pytest.raises(ConnectionClosed) as end:
            await hear_forever(flooder)
        await flood
        # A client that still sends when the line is cut may lose what it hasn't read yet.
        assert end.value.rcvd is None or end.value.rcvd.code == 4429
        person = Client(site.socket_url, other.match, other.cookies[0])
        await play_slowly(person)

    asyncio.run(session())
    assert 'cribbage_sockets_dropped_total{reason="too_many"} 1.0' in scrape(site)


async def pour(client: Client) -> None:
    """Send until the socket is closed."""
    with contextlib.suppress(ConnectionClosed):
        for number in range(100_000):
            await client.socket.send('{"t":"ping"}' if number % 2 else "{")
            # A send with buffer space does not yield: let incoming messages be read as well.
            await asyncio.sleep(0)
        raise AssertionError("the flood was not stopped")


async def hear_forever(client: Client) -> None:
    while True:
        await client.hear()


async def play_slowly(person: Client) -> None:
    """Play a few moves, no faster than the server allows."""
    await person.connect()
    await person.play(until=lambda: len(person.acknowledged) >= 3)
    assert len(person.acknowledged) >= 3


def scrape(site: Site) -> str:
    with urllib.request.urlopen(f"{site.url}/metrics", timeout=DEADLINE) as answer:
        return str(answer.read().decode())


PINGS = ["--ping-interval", str(PING_INTERVAL), "--ping-timeout", str(PING_TIMEOUT)]


def test_a_dead_connection_is_detected_by_pings(start_site: StartSite) -> None:
    """Half-open: no data arrives and neither side closes; the server's pings detect it."""
    site = start_site(extra=EXTRA, arguments=PINGS)
    (table,) = make_tables(site.database_url, wish())

    async def session() -> None:
        ann, bob = seated(site, table)
        async with DeadWire(site.port) as wire:
            bob.url = f"ws://{HOST}:{wire.port}"
            await ann.connect()
            await bob.connect()
            await ann.see(lambda: all(seat.get("online") for seat in ann.table.get("seats", [{}])))
            wire.dead = True
            await ann.see(lambda: not ann.table["seats"][1]["online"])
            assert ann.table["seats"][0]["online"]

    asyncio.run(session())


CLOCK_S = 20
"""Seconds for each decision: both players connect in this time, and then do nothing."""

MEANWHILE = 3.0
"""Seconds in which another process's timer would have given the seats away again."""

AUDIT = """
CREATE TABLE given_away (seat integer);
CREATE FUNCTION note() RETURNS trigger AS
  'BEGIN INSERT INTO given_away VALUES (NEW.seat); RETURN NEW; END' LANGUAGE plpgsql;
CREATE TRIGGER note AFTER UPDATE OF left_at ON games_seat FOR EACH ROW EXECUTE FUNCTION note();
"""


def test_a_timeout_is_handled_once_by_several_processes_and_after_a_restart(
    start_site: StartSite, postgres_url: str
) -> None:
    """Two processes without a shared bus run the same clock: each seat is given away once."""
    run_script(postgres_url, AUDIT)
    sites = [start_site(database_url=postgres_url, extra=EXTRA) for _ in range(2)]
    (table,) = make_ranked(postgres_url, tables=1, clock=CLOCK_S)

    async def look_in() -> None:
        for site, cookie in zip(sites, table.cookies, strict=True):
            async with Client(site.socket_url, table.match, cookie) as person:
                await person.hear_until(lambda m: m["t"] == "clock")

    asyncio.run(look_in())
    given = "SELECT seat FROM given_away ORDER BY seat"
    wait_for(lambda: len(query(postgres_url, given)) == 2, pause=0.2)
    time.sleep(MEANWHILE)
    sites[0].kill()
    sites[0].start()
    time.sleep(MEANWHILE)
    assert query(postgres_url, given) == [(0,), (1,)]
    late = "SELECT seat FROM games_seat WHERE match_id = ? AND timed_out ORDER BY seat"
    assert query(postgres_url, late, table.pk) == [(0,), (1,)]
