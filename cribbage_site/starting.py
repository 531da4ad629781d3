"""The start of a process: the clocks of matches under way run before anybody connects.

Servers with ASGI's lifespan protocol (uvicorn) say when they start and stop. Daphne has none; its
event loop is there before it loads the application, and runs what was put into it first.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from cribbage_site.draining import draining, stop_daphne_listening
from games.runtime import runtime, shut_down

GARBAGE = (20_000, 20, 20)
"""New objects after which the youngest are looked through for cycles, and how often the older.

A move makes some hundreds of objects, nearly all of which go when they are let go: Python's own
700 had the collector run with every other move.
"""


async def lifespan(
    _scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Begin when the server has started, and write what is pending when it stops."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            _begin(lambda: None)
            await send({"type": "lifespan.startup.complete"})
        else:
            await shut_down()
            await send({"type": "lifespan.shutdown.complete"})
            return


def begin_under_daphne() -> None:
    """Begin as soon as the event loop runs, where it is Daphne that loads the application."""
    server = sys.modules.get("daphne.server")
    if server is not None:
        server.twisted_loop.call_soon(_begin, stop_daphne_listening)


def _begin(stop_listening: Callable[[], None]) -> None:
    """Start the parts of the process; send its people elsewhere before it ends."""
    runtime()
    # What is loaded by now stays: nobody has to look it through again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    draining.watch_signals(stop_listening)
