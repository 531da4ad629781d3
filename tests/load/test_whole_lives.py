"""Whole lives of matches on PostgreSQL: create, play, end, and go to the rematch."""

from __future__ import annotations

import asyncio

from benchmarks.lives import live_seat
from tests.support.data_servers import Redis
from tests.support.logs import query
from tests.support.servers import StartSite, manage
from tests.support.tables import make_tables, wish
from tests.support.waiting import GAME_S

TABLES, LIVES = 4, 2


def test_matches_end_and_their_rematches_begin_and_end(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """Several end in one batch; results, outcomes and follow-ups are stored for each."""
    extra = {"SOCKET_RATE": "100000", "EMBEDDED_WORKER": "none"}
    site = start_site(
        server="uvicorn", database_url=postgres_url, redis_url=redis_server.url, extra=extra
    )
    tables = make_tables(postgres_url, *[wish(target=61) for _ in range(TABLES)])

    async def session() -> None:
        rooms = [await live_seat(site, table) for table in tables]
        for room in rooms:
            room.start()
        async with asyncio.timeout(2 * GAME_S):
            while min(room.lives for room in rooms) < LIVES:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        for room in rooms:
            room.stop()
            for socket in room.sockets:
                socket.close()

    asyncio.run(session())
    assert "0 differ" in manage(postgres_url, "verify_matches")
    over = "FROM games_match WHERE status = 'finished' AND 1 = ?"
    ((matches,),) = query(postgres_url, f"SELECT COUNT(*) {over}", 1)
    assert matches >= TABLES * LIVES
    ((counted,),) = query(postgres_url, "SELECT SUM(matches) FROM games_outcome WHERE 1 = ?", 1)
    assert counted == 2 * matches
    kind = "task_path = 'games.log.endings.follow_up'"
    jobs = query(
        postgres_url,
        f"SELECT COUNT(*) FROM django_tasks_database_dbtaskresult WHERE {kind} AND 1 = ?",
        1,
    )
    assert jobs == [(matches,)]
