"""Many concurrent tables on one process: every game ends, and logs and summaries agree."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.wsload import connect
from benchmarks.wsplay import GameRoom
from tests.support.logs import query
from tests.support.servers import StartSite, manage
from tests.support.tables import make_tables, wish
from tests.support.waiting import GAME_S

TABLES = 40


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_forty_concurrent_games_finish_without_loss(start_site: StartSite, server: str) -> None:
    """Two-player games to 61 at full speed: no move is refused or lost."""
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
        async with asyncio.timeout(GAME_S):
            for room in rooms:
                await room.ended.wait()
        return sum(len(room.waits) for room in rooms)

    moves = asyncio.run(session())
    stored = query(
        site.database_url, "SELECT COUNT(*) FROM games_move WHERE seat IS NOT NULL AND 1 = ?", 1
    )
    assert stored == [(moves,)]
    assert f"{TABLES} matches checked, 0 differ" in manage(site.database_url, "verify_matches")
