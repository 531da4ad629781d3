"""The end of open sockets when their player is banned or logs out, in all processes."""

from __future__ import annotations

import asyncio
import json
from urllib.request import Request, urlopen

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.clients import Client
from tests.support.servers import Site, StartSite, manage
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE

_BAN = """
from games.models import Match, Player
from games.safety.moderation import moderate
keeper = Player.objects.create_superuser("Keeper", password="x")
seat = Match.objects.get(public_id="{match}").seats.get(seat=0)
moderate(moderator=keeper, player=seat.player, action="ban", reason="swears", days=3)
"""


async def at_lobby(site: Site, cookie: str) -> ClientConnection:
    """Open a socket to the lobby and return it once it has been accepted."""
    socket = await connect(
        f"{site.socket_url}/ws/lobby/",
        origin=site.url,  # type: ignore[arg-type]
        additional_headers={"Cookie": f"sessionid={cookie}"},
        compression=None,
        proxy=None,
    )
    await socket.recv()
    return socket


async def ended(socket: ClientConnection) -> tuple[str, int | None]:
    """Return the code of the last message and the close code."""
    said = ""
    async with asyncio.timeout(DEADLINE):
        try:
            while True:
                said = await socket.recv()  # type: ignore[assignment]
        except ConnectionClosed:
            return json.loads(said)["d"].get("code", ""), socket.close_code


async def seated(site: Site, table: Table, who: int) -> Client:
    return await at_table(site, table, table.cookies[who])


async def at_table(site: Site, table: Table, cookie: str) -> Client:
    client = Client(site.socket_url, table.match, cookie)
    await client.connect()
    await client.hear_view()
    return client


def log_out(site: Site, cookie: str) -> None:
    """Log a session out as its page does."""
    fetched = urlopen(
        Request(f"{site.url}/accounts/logout/", headers={"Cookie": f"sessionid={cookie}"})
    )
    token = fetched.headers["Set-Cookie"].partition("csrftoken=")[2].partition(";")[0]
    headers = {
        "Cookie": f"sessionid={cookie}; csrftoken={token}",
        "X-CSRFToken": token,
        "Referer": site.url,
    }
    urlopen(Request(f"{site.url}/accounts/logout/", data=b"", headers=headers)).close()


@pytest.fixture
def sites(start_site: StartSite, redis_url: str, postgres_url: str) -> list[Site]:
    return [start_site(database_url=postgres_url, redis_url=redis_url) for _ in range(2)]


def test_a_ban_closes_the_players_sockets_in_all_processes(
    sites: list[Site], redis_url: str, postgres_url: str
) -> None:
    """Also those at a table that they only watch; chat has no socket of its own."""
    table, other = make_tables(postgres_url, wish(), wish(watchable=True), redis_url=redis_url)

    async def session() -> None:
        ann, bob = await seated(sites[0], table, 0), await seated(sites[1], table, 1)
        watching = [await at_table(site, other, table.cookies[0]) for site in sites]
        waiting = [await at_lobby(site, table.cookies[0]) for site in sites]
        script = _BAN.format(match=table.match)
        await asyncio.to_thread(
            manage, postgres_url, "shell", "-v", "0", "-c", script, redis_url=redis_url
        )
        for socket in (ann.socket, *(each.socket for each in watching), *waiting):
            assert await ended(socket) == ("logged_out", 4403)
        await bob.see(lambda: bool(bob.table and bob.table["seats"][0]["stand_in"]))
        await bob.close()

    asyncio.run(session())


def test_a_log_out_closes_the_sockets_of_its_session_only(
    sites: list[Site], redis_url: str, postgres_url: str
) -> None:
    (table,) = make_tables(postgres_url, wish(), redis_url=redis_url)

    async def session() -> None:
        ann, bob = await seated(sites[0], table, 0), await seated(sites[0], table, 1)
        await asyncio.to_thread(log_out, sites[1], table.cookies[0])
        assert await ended(ann.socket) == ("logged_out", 4403)
        await bob.see(lambda: bool(bob.table and not bob.table["seats"][0]["online"]))
        await bob.close()

    asyncio.run(session())
