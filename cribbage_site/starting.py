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

from cribbage_site.arrivals import watch_daphne, watch_uvicorn
from cribbage_site.draining import (
    draining,
    stop_daphne_listening,
    uvicorn_server,
    uvicorn_stopper,
)
from cribbage_site.embedded_worker import embedded_worker
from games.engine import scoring
from games.live.runtime import runtime, shut_down
from games.ops import true_time

GARBAGE = (10_000, 0, 800)
"""Thresholds of the garbage collector's three generations: see `gc.set_threshold`.

A move creates some hundreds of objects, nearly all of which reference counting frees. With Python's
default of 700 for the first threshold, the collector ran at every other move. The second generation
is small, since nothing else runs while it is searched: with 400,000 objects, of thousands of
sockets that came back, for 170 to 450 ms. It grows to twice the first, as with (5_000, 2, 800), but
with half as many searches: each looks through what has changed at every busy table. The third is
searched as rarely as with (20_000, 20, 20).
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
            watch_uvicorn(uvicorn_server())  # first, since `_begin` takes the signals over
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
        server.twisted_loop.call_soon(watch_daphne)


def _begin(stop_listening: Callable[[], None]) -> None:
    """Start the runtime and the worker, and prepare the graceful shutdown."""
    true_time.compare_at_start()
    runtime()
    embedded_worker.start()
    # Everything loaded so far is permanent, so the collector need not scan it again.
    scoring.fill_tables()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    draining.watch_signals(stop_listening)
