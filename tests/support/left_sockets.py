"""A program that opens and leaves websockets of its own server: ``uvicorn`` or ``daphne``.

It prints how many of the sockets are still in memory, without help from the garbage collector.
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
        if scope["type"] == "websocket":
            await Kept.as_asgi()(dict(scope), receive, send)

    return application


def visit(port: int) -> None:
    """Open sockets, ask each something, leave them, and print how many are still in memory."""
    try:
        for _ in range(NUMBER):
            with connect(f"ws://127.0.0.1:{port}/", compression=None) as client:
                client.send('{"t":"ping"}')
                client.recv()
        wait_for(lambda: len(ended) == NUMBER and not alive(), within=30)
    finally:
        print(len(ended), "ended,", alive(), "in memory", flush=True)
        os._exit(0)


def alive() -> int:
    """Return the number of sockets in memory."""
    return sum(found() is not None for found in served)


def main(server: str) -> None:
    """Serve until `visit` ends the process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    application = make_application()
    listening = socket.create_server(("127.0.0.1", 0))
    gc.disable()
    threading.Thread(target=visit, args=listening.getsockname()[1:], daemon=True).start()
    if server == "uvicorn":
        config = uvicorn.Config(application, lifespan="off", log_config=None)
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
        return
    from daphne.server import Server  # installs Twisted's reactor

    endpoint = f"fd:fileno={listening.detach()}"
    Server(application=application, endpoints=[endpoint], signal_handlers=False).run()


if __name__ == "__main__":
    main(sys.argv[1])
