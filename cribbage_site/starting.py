"""The start of a process: the clocks of matches under way run before anybody connects.

Servers with ASGI's lifespan protocol (uvicorn) say when they start and stop. Daphne has none; its
event loop is there before it loads the application, and runs what was put into it first.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from games.runtime import runtime, shut_down


async def lifespan(
    _scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Begin when the server has started, and write what is pending when it stops."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            runtime()
            await send({"type": "lifespan.startup.complete"})
        else:
            await shut_down()
            await send({"type": "lifespan.shutdown.complete"})
            return


def begin_under_daphne() -> None:
    """Begin as soon as the event loop runs, where it is Daphne that loads the application."""
    server = sys.modules.get("daphne.server")
    if server is not None:
        server.twisted_loop.call_soon(runtime)
