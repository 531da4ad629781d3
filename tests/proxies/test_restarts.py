"""A new release without downtime, as docs/deployment.md describes it, with 120 sockets."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence

from tests.support.logs import query, read_log
from tests.support.proxied_site import Behind
from tests.support.proxies import Proxy
from tests.support.residents import Reader, Resident, are_there, at_tables, until_all
from tests.support.tables import wish
from tests.support.waiting import DEADLINE, GAME_S

TABLES, PLAYING = 60, 3
EXTRA = {"EMBEDDED_WORKER": "none"}
"""Settings of the site. On a public one with PostgreSQL another process does the jobs; here house
computers would play each of many challenges, in the processes whose pages are watched."""

CHALLENGES = "SELECT COUNT(*) FROM ratings_standardgame WHERE purpose = 'challenge'"


def test_nobody_notices_a_rolling_restart(behind: Behind, proxy: Proxy) -> None:
    """All 120 sockets come back, no page fails, no form is sent twice, and no move is lost."""
    tables = behind.make_tables(*(wish(games=9) for _ in range(TABLES)))
    reader = Reader(behind, proxy)
    ((made_before,),) = query(behind.database_url, CHALLENGES)

    async def session() -> list[list[Resident]]:
        async with at_tables(behind, proxy, tables, playing=PLAYING, patience=DEADLINE) as seated:
            await until_all(seated, are_there, within=GAME_S)
            with reader:
                for site in behind.sites:
                    await asyncio.to_thread(site.stop)
                    await until_all(seated, are_there, within=GAME_S)
                    await asyncio.to_thread(site.start)
                over = time.monotonic()
                await until_all(seated[:PLAYING], lambda pair: on_since(pair, over), within=GAME_S)
        return seated

    seated = asyncio.run(session())
    assert set(reader.pages) == {200}, Counter(reader.pages)
    assert set(reader.posts) == {302}, Counter(reader.posts)
    # Every answer stands for one challenge, so no form arrived twice.
    assert query(behind.database_url, CHALLENGES) == [(made_before + len(reader.posts),)]
    for table, pair in zip(tables, seated, strict=True):
        stored = {row.client_id for row in read_log(behind.database_url, table.pk)}
        assert all(set(one.acknowledged) <= stored for one in pair)


def on_since(pair: Sequence[Resident], moment: float) -> bool:
    """Return whether both people of a table are there, and one has moved since then."""
    return any(one.moved_at > moment or one.over for one in pair) and are_there(pair)
