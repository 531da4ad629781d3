"""How many sockets one player and one network address may have open, on a real server."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from games.sockets.socket_counts import address_of
from tests.support.clients import Client
from tests.support.programs import Program, make_program
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE

EACH, ADDRESS = 4, 7
"""The limits of the site of these tests, for a player and for an address."""


@pytest.fixture(scope="module")
def site(start_file_site: StartSite) -> Site:
    return start_file_site(
        extra={
            "SOCKETS_PER_PLAYER": str(EACH),
            "SOCKETS_PER_ADDRESS": str(ADDRESS),
            "TRUSTED_PROXIES": "1",
        }
    )


@pytest.fixture(scope="module")
def table(site: Site) -> Table:
    return make_tables(site.database_url, wish(watchable=True, watchers=3))[0]


async def opened(site: Site, table: Table, who: int, address: str) -> ClientConnection:
    """Open a socket to the table as the player or watcher ``who``, from this address."""
    client = Client(site.socket_url, table.match, table.cookies[who])
    headers = {"Cookie": f"sessionid={client.cookie}", "X-Forwarded-For": address}
    socket = await connect(
        f"{site.socket_url}/ws/t/{table.match}/",
        origin=site.url,  # type: ignore[arg-type]
        additional_headers=headers,
        compression=None,
        proxy=None,
    )
    with contextlib.suppress(ConnectionClosed):  # it may have been refused already
        await socket.send('{"t":"hello","d":{}}')
    return socket


async def first(socket: ClientConnection) -> dict[str, Any]:
    """Return the first message of a socket, and for a refused one the close code as well."""
    said: dict[str, Any] = json.loads(await socket.recv())
    if said["t"] == "bye":
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        said["close"] = socket.close_code
    return said


def is_refusal(said: dict[str, Any]) -> bool:
    if said["t"] != "bye":
        return False
    assert said["d"]["code"] == "too_many_sockets"
    assert said["d"]["retry"] > 0
    assert said["close"] == 4429
    return True


async def test_a_player_opens_a_limited_number_of_sockets(site: Site, table: Table) -> None:
    own = [await opened(site, table, 0, f"198.51.100.{at}") for at in range(EACH)]
    assert [(await first(socket))["t"] for socket in own] == ["view"] * EACH
    more = await opened(site, table, 0, "198.51.100.99")
    assert is_refusal(await first(more)), "from whatever address"
    other = await opened(site, table, 1, "198.51.100.1")
    assert (await first(other))["t"] == "view", "other players are not affected"
    await own.pop().close()
    async with asyncio.timeout(DEADLINE):  # a closed socket makes room for another
        again = await opened(site, table, 0, "198.51.100.99")
        while is_refusal(await first(again)):
            again = await opened(site, table, 0, "198.51.100.99")
    for socket in (*own, other, again):
        await socket.close()


@pytest.mark.parametrize(
    "addresses", [["203.0.113.5"] * 9, [f"2001:db8:1:2::{at}" for at in range(9)]]
)
async def test_an_address_opens_a_limited_number_of_sockets(
    site: Site, table: Table, addresses: list[str]
) -> None:
    """Many guests at one address; for IPv6, at one network of a customer."""
    taken = []
    for at, address in zip(range(ADDRESS), addresses, strict=False):
        socket = await opened(site, table, at % 4, address)
        assert (await first(socket))["t"] == "view"
        taken.append(socket)
    assert is_refusal(await first(await opened(site, table, 4, addresses[-1])))
    elsewhere = await opened(site, table, 4, "192.0.2.77")
    assert (await first(elsewhere))["t"] == "view"
    for socket in (*taken, elsewhere):
        await socket.close()


async def test_a_program_counts_as_a_player(site: Site) -> None:
    token = make_program(site.database_url)
    proxy = {"X-Forwarded-For": "192.0.2.1"}
    sockets = [Program(site.socket_url, token, **proxy) for _ in range(EACH + 1)]
    for program in sockets[:EACH]:
        await program.__aenter__()
        await program.hear("ready")
    async with sockets[EACH] as refused:
        assert (await refused.hear("bye"))["d"]["code"] == "too_many_sockets"
    for program in sockets[:EACH]:
        await program.__aexit__()


def test_the_address_is_that_of_pages(settings: Any) -> None:
    headers = [(b"x-forwarded-for", b"1.2.3.4")]
    scope: dict[str, Any] = {"client": ("10.0.0.9", 5), "headers": headers}
    assert address_of(scope) == "10.0.0.9", "no proxy is trusted"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address_of(scope) == "1.2.3.4"
    headers.insert(0, (b"x-forwarded-for", b"6.6.6.6"))
    assert address_of(scope) == "1.2.3.4", "the last one is the proxy's"
    assert address_of({"client": None, "headers": []}) == "", "a Unix socket"
