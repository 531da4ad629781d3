"""Process start-up: the clocks of running matches start before anybody connects.

Servers with ASGI's lifespan protocol (uvicorn) report when they start and stop. Daphne lacks it,
but its event loop exists before it loads the application, so a callback can be scheduled on it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from cribbage_site.accepting import accept_few_under_daphne
from cribbage_site.draining import draining, stop_daphne_listening, uvicorn_stopper
from cribbage_site.embedded_worker import embedded_worker
from games.live.runtime import runtime, shut_down

GARBAGE = (20_000, 20, 20)
"""Thresholds of the garbage collector's three generations: see `gc.set_threshold`.

A move creates some hundreds of objects, nearly all of which reference counting frees. With Python's
default of 700 for the first threshold, the collector ran at every other move.
"""


async def lifespan(
    _scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Start the runtime when the server has started, and shut it down when it stops."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            _begin(uvicorn_stopper())
            await send({"type": "lifespan.startup.complete"})
        else:
            await shut_down()
            await asyncio.to_thread(embedded_worker.stop)
            await send({"type": "lifespan.shutdown.complete"})
            return


def begin_under_daphne() -> None:
    """Start the runtime as soon as the event loop runs, if Daphne is loading the application."""
    server = sys.modules.get("daphne.server")
    if server is not None:
        server.twisted_loop.call_soon(_begin, stop_daphne_listening)
        server.twisted_loop.call_soon(accept_few_under_daphne)


SWITCH_SECONDS = 0.001
"""Longest time for which a thread that computes keeps the others waiting.

A move passes through the writer's thread, which needs the interpreter several times. With Python's
default of five milliseconds each time takes that long while the event loop is busy.
"""


def _begin(stop_listening: Callable[[], None]) -> None:
    """Start the runtime and the worker, and prepare the graceful shutdown."""
    runtime()
    embedded_worker.start()
    # Everything loaded so far is permanent, so the collector need not scan it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    sys.setswitchinterval(SWITCH_SECONDS)
    draining.watch_signals(stop_listening)
