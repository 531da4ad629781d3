"""What nginx and Caddy refuse for the site: large bodies and headers, too many connections."""

from __future__ import annotations

import asyncio
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from tests.support.data_servers import HOST
from tests.support.proxied_site import Behind, Visitor
from tests.support.proxies import Caddy, Proxy
from tests.support.waiting import wait_for

OF_ONE_ADDRESS = 256
"""`limit_conn` in deploy/nginx.conf."""

MEGABYTE = 1_000_000


def test_large_bodies_are_refused(behind: Behind, proxy: Proxy) -> None:
    """The pages that take files get less than a megabyte; without a token that is refused later."""
    visitor = Visitor(behind, proxy)
    assert visitor.ask("POST", "/matches/import/", b"x" * (3 * MEGABYTE)).status == 413
    assert visitor.ask("POST", "/matches/import/", b"x" * MEGABYTE).status == 403


def test_large_headers_are_refused(behind: Behind, proxy: Proxy) -> None:
    answer = Visitor(behind, proxy).get("/", {"X-Long": "x" * 40_000})
    assert answer.status in {400, 431}


def test_nginx_limits_the_sockets_of_one_address(behind: Behind) -> None:
    proxy = behind.proxies["nginx"]

    async def session() -> None:
        opened = await open_sockets(behind, proxy, OF_ONE_ADDRESS, address="127.0.5.1")
        assert len(opened) == OF_ONE_ADDRESS
        assert await open_sockets(behind, proxy, 2, address="127.0.5.1") == [429, 429]
        page = await asyncio.to_thread(Visitor(behind, proxy, address="127.0.5.1").get, "/")
        assert (page.status, page.headers["retry-after"]) == (429, "10")
        assert "Too many requests" in page.text
        assert "nginx" not in page.text
        # Others notice nothing.
        opened += await open_sockets(behind, proxy, 2, address="127.0.5.2")
        await close(opened)

    asyncio.run(session())


def test_caddy_limits_the_connections_of_a_process(behind: Behind, tmp_path: Path) -> None:
    """It knows no limit for one address; here the limit is five for each of two processes."""
    caddy = Caddy(tmp_path, behind.certificate, behind.proxies["caddy"].processes)
    caddy.variables = {"MAX_REQUESTS": "5"}
    with caddy as proxy:

        async def session() -> None:
            found = await open_sockets(behind, proxy, 12, at_once=1)
            assert [one for one in found if isinstance(one, int)] == [503, 503]
            await close(found)

        asyncio.run(session())
        visitor = Visitor(behind, proxy)
        wait_for(lambda: visitor.get("/rules/").status == 200)


async def open_sockets(
    behind: Behind, proxy: Proxy, number: int, *, address: str = HOST, at_once: int = 16
) -> list[ClientConnection | int]:
    """Open sockets of the lobby from that address; return each, or the status of its refusal."""
    some = asyncio.Semaphore(at_once)

    async def one() -> ClientConnection | int:
        async with some:
            try:
                return await connect(
                    f"{proxy.socket_url}/ws/lobby/",
                    origin=proxy.url,  # type: ignore[arg-type]
                    ssl=behind.tls,
                    local_addr=(address, 0),
                    family=2,  # IPv4, as the address
                    open_timeout=60,
                    compression=None,
                    proxy=None,
                )
            except InvalidStatus as refusal:
                return refusal.response.status_code

    return list(await asyncio.gather(*(one() for _ in range(number))))


async def close(opened: list[ClientConnection | int]) -> None:
    await asyncio.gather(*(one.close() for one in opened if not isinstance(one, int)))
