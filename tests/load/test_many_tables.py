"""Many tables at once on one process: every game ends, and every log is what the summaries say."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.wsload import connect
from benchmarks.wsplay import GameRoom
from tests.games.logs import query
from tests.games.tables import make_tables, wish
from tests.servers import StartSite, manage

TABLES = 40


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_forty_games_at_once(start_site: StartSite, server: str) -> None:
    """Two people each, to 61, as fast as they can; nothing is refused and nothing is lost."""
    site = start_site(server=server, extra={"SOCKET_RATE": "100000"})
    tables = make_tables(site.database_url, *[wish(target=61) for _ in range(TABLES)])

    async def session() -> int:
        rooms = []
        for table in tables:
            address = f"/ws/t/{table.match}/"
            sockets = [await connect(site.port, address, cookie) for cookie in table.cookies]
            rooms.append(GameRoom(sockets))
            for socket in sockets:
                socket.send(b'{"t":"hello","d":{"v":null}}')
            rooms[-1].start()
        async with asyncio.timeout(60):
            for room in rooms:
                await room.ended.wait()
        return sum(len(room.waits) for room in rooms)

    moves = asyncio.run(session())
    stored = query(
        site.database_url, "SELECT COUNT(*) FROM games_move WHERE seat IS NOT NULL AND 1 = ?", 1
    )
    assert stored == [(moves,)]
    assert f"{TABLES} matches folded, 0 differ" in manage(site.database_url, "verify_matches")
