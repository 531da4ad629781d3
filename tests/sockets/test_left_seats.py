"""A player who lost a ranked seat for good, with connections to two processes."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.support.clients import Client
from tests.support.data_servers import Redis
from tests.support.logs import check_log
from tests.support.seated import make_ranked
from tests.support.servers import StartSite

pytestmark = pytest.mark.slow

CARD = re.compile(r'"([A2-9TJQK][CDHS])"')
EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}


async def until_told(client: Client) -> int:
    """Hear messages until a client knows that its seat is lost; return how many it has heard."""
    await client.see(lambda: bool(client.table.get("seats", [{}])[0].get("left")))
    return len(client.heard)


def test_no_process_sends_a_card_to_who_has_resigned(
    start_site: StartSite, postgres_url: str, redis_server: Redis
) -> None:
    """They resign in one process, while another one has the opponent and their second page."""
    first, second = (
        start_site(database_url=postgres_url, redis_url=redis_server.url, extra=EXTRA)
        for _ in range(2)
    )
    (table,) = make_ranked(postgres_url, tables=1)

    async def session() -> None:
        here, there, again = (
            Client(site.socket_url, table.match, table.cookies[0])
            for site in (first, second, second)
        )
        stays = Client(second.socket_url, table.match, table.cookies[1], seed=1)
        for client in (here, there, stays):
            await client.connect()
            await client.see(lambda one=client: one.view.get("phase") == "discard")
        assert here.view["cards"] == there.view["cards"] != []
        await here.act("resign")
        heard = [await until_told(client) for client in (here, there)]
        await again.connect()
        await asyncio.gather(*(client.play() for client in (here, there, again, stays)))
        for client, since in zip((here, there, again), (*heard, 0), strict=True):
            assert client.view["phase"] == "over"
            assert client.view["seat"] == 0
            told = client.heard[since:]
            assert len(told) > 20
            assert not [text for text in told if CARD.search(text)]
        assert any(CARD.search(text) for text in stays.heard[-10:])

    asyncio.run(session())
    check_log(postgres_url, table.pk)
