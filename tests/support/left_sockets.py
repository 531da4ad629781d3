"""A program that opens and leaves websockets of its own server: ``uvicorn`` or ``daphne``.

It prints how many of the sockets, and of what the server keeps for each, are still in memory,
without help from the garbage collector.
"""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import threading
import weakref
from typing import Any

import django
import uvicorn
from websockets.sync.client import connect

from tests.support.waiting import wait_for

NUMBER = 20
BUSY = "/busy/"
"""The address at which the server accepts a socket only after its client has given up."""

SERVERS = ("autobahn.websocket", "daphne", "twisted.internet.tcp", "twisted.web.http", "uvicorn")
"""Beginnings of the names of the modules whose objects count as the server's."""

served: list[weakref.ref[object]] = []
ended: list[object] = []


def make_application() -> Any:
    """Return an application that serves websockets, and keeps a weak reference to each."""
    from games.sockets.connection import Socket
    from games.wire import protocol
    from games.wire.protocol import Command

    class Kept(Socket[Command]):
        """A socket that answers pings."""

        kind = "table"

        def read(self, text: str) -> Any:
            return protocol.parse(text)

        async def opened(self) -> None:
            served.append(weakref.ref(self))

        async def closed(self) -> None:
            ended.append(None)

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        serve = Kept.as_asgi()
        if scope["path"] != BUSY:
            await serve(dict(scope), receive, send)
            return
        heard = [await receive(), await receive()]

        async def read_again() -> Any:
            return heard.pop(0)

        await serve(dict(scope), read_again, send)

    return application


def visit(server: str, port: int) -> None:
    """Open and leave sockets, and print how many are still in memory, but for the first."""
    before = 0
    try:
        if server == "daphne":  # uvicorn tells of an end only after it has accepted
            give_up(port)
            wait_for(lambda: len(ended) == 1, within=30)
        ended.clear()
        call(port)
        wait_for(lambda: len(ended) == 1, within=30)
        served.clear()
        before = servers_own()
        for _ in range(NUMBER):
            call(port)
        wait_for(lambda: len(ended) > NUMBER and not alive() and servers_own() <= before, within=30)
    finally:
        more = max(0, servers_own() - before)
        print(f"{len(ended) - 1} ended, {alive()} in memory, {more} more of the server's")
        sys.stdout.flush()
        os._exit(0)


def give_up(port: int) -> None:
    """Ask for a socket, and leave before the server has accepted it."""
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(
            f"GET {BUSY} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )


def call(port: int) -> None:
    """Open a socket, ask something, and leave it."""
    with connect(f"ws://127.0.0.1:{port}/", compression=None) as client:
        client.send('{"t":"ping"}')
        client.recv()


def alive() -> int:
    """Return the number of sockets in memory."""
    return sum(found() is not None for found in served)


def servers_own() -> int:
    """Return the number of objects in memory that the server has made."""
    return sum(str(type(each).__module__).startswith(SERVERS) for each in gc.get_objects())


def main(server: str) -> None:
    """Serve until `visit` ends the process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    application = make_application()
    listening = socket.create_server(("127.0.0.1", 0))
    gc.disable()
    threading.Thread(target=visit, args=(server, listening.getsockname()[1]), daemon=True).start()
    if server == "uvicorn":
        config = uvicorn.Config(application, lifespan="off", log_config=None)
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
        return
    from daphne.server import Server  # installs Twisted's reactor

    endpoint = f"fd:fileno={listening.detach()}"
    Server(application=application, endpoints=[endpoint], signal_handlers=False).run()


if __name__ == "__main__":
    main(sys.argv[1])
