"""Graceful shutdown: close sockets, answer running requests, write pending moves.

At SIGTERM (and Ctrl-C, or when its terminal is closed) a process behind a proxy first answers 503
to health checks for a moment, so that it gets no new requests. Then it stops accepting connections
and sends `bye` with the code `restart` to every socket, so that clients reconnect at once. It waits
for the requests that it is answering and writes pending moves. Only then does it let the server
stop in its usual way.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from cribbage_site.embedded_worker import embedded_worker
from cribbage_site.origin import Application
from games.live.connections import OPEN
from games.live.runtime import shut_down
from games.ops import ignored_signals
from games.sockets.connection import RESTART, Bye

logger = logging.getLogger(__name__)

NOTICE_SECONDS = 1.5
"""Time for a proxy to notice the 503 before the port closes; deploy/Caddyfile asks every second.

Without it a form could arrive at a port that is just being closed, and it must not be sent again.
"""

SPREAD_SECONDS = 0.5
"""Time over which sockets are closed, so that clients do not all reconnect at the same moment."""

AT_ONCE = 50
"""Number of sockets that are closed together."""

LOOK_EVERY = 0.02
"""Seconds between two checks for open sockets and requests."""

LINGER_SECONDS = 1.0
"""Time for clients to read their `bye` before this process ends.

A client that sends to a process that has ended can lose what it has received and not yet read.
"""

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Draining:
    """The shutdown of this process: whether it has begun, and how many requests are running.

    `leaving` is true from the signal on, `closed` once no new sockets are accepted.
    """

    def __init__(self) -> None:
        self.leaving = False
        self.closed = False
        self.requests = 0
        self._task: asyncio.Task[None] | None = None

    def pages(self, application: Application) -> Application:
        """Return the application, wrapped so that its running requests are counted."""

        async def counted(scope: dict[str, Any], receive: Any, send: Any) -> Any:
            self.requests += 1
            try:
                return await application(scope, receive, send)
            finally:
                self.requests -= 1

        return counted

    def sockets(self, application: Application) -> Application:
        """Return the application, wrapped to refuse sockets once the port is closed."""
        denier: Application = WebsocketDenier()

        async def guarded(scope: dict[str, Any], receive: Any, send: Any) -> Any:
            return await (denier if self.closed else application)(scope, receive, send)

        return guarded

    def watch_signals(self, stop_listening: Callable[[], None]) -> None:
        """Run the shutdown before the server's own signal handlers; call this on the event loop.

        A second signal ends the process without waiting, except SIGHUP: the shell and the system
        may both send it when a terminal is closed, and systemd sends it after a SIGTERM.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        stop = signal.getsignal(signal.SIGTERM)
        for number in SIGNALS:
            before = signal.getsignal(number)
            if callable(before):
                self._watch(number, before, stop_listening)
        # The servers don't handle it: they would be killed amid their games. `nohup` ignores it.
        if callable(stop) and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            self._watch(signal.SIGHUP, stop, stop_listening)
        ignored_signals.ignore()

    def _watch(
        self,
        number: int,
        before: Callable[[int, FrameType | None], Any],
        stop_listening: Callable[[], None],
    ) -> None:
        loop = asyncio.get_running_loop()

        def begin(number: int, frame: FrameType | None) -> None:
            if self.leaving:
                if number != signal.SIGHUP:
                    before(number, frame)
                return
            self.leaving = True
            loop.call_soon_threadsafe(self._begin, stop_listening, lambda: before(number, None))

        signal.signal(number, begin)

    def _begin(self, stop_listening: Callable[[], None], stop: Callable[[], None]) -> None:
        self._task = asyncio.create_task(self._drain(stop_listening, stop))

    async def _drain(self, stop_listening: Callable[[], None], stop: Callable[[], None]) -> None:
        try:
            if settings.BEHIND_PROXY:
                await asyncio.sleep(NOTICE_SECONDS)
            self.closed = True
            stop_listening()
            async with asyncio.timeout(settings.DRAIN_SECONDS):
                linger = LINGER_SECONDS if OPEN else LOOK_EVERY
                await _send_away()
                while OPEN or self.requests:  # noqa: ASYNC110 - there is no event to wait for
                    await asyncio.sleep(LOOK_EVERY)
                await asyncio.sleep(linger)
        except TimeoutError:
            logger.warning("shutdown cuts off %d sockets, %d requests", len(OPEN), self.requests)
        finally:
            try:
                await shut_down()
                await asyncio.to_thread(embedded_worker.stop)
            finally:
                stop()


async def _send_away() -> None:
    sockets = list(OPEN)
    pause = SPREAD_SECONDS * AT_ONCE / max(len(sockets), 1)
    for at in range(0, len(sockets), AT_ONCE):
        if at:
            await asyncio.sleep(min(pause, LOOK_EVERY))
        for socket in sockets[at : at + AT_ONCE]:
            socket.end(Bye("restart", RESTART))


def stop_daphne_listening() -> None:
    """Close Daphne's listening sockets, so that a proxy tries another process."""
    for port in daphne_ports():
        port.stopListening()


def daphne_ports() -> list[Any]:
    """Return the listening sockets of this process's Daphne."""
    from twisted.internet.tcp import Port

    readers = sys.modules["daphne.server"].reactor.getReaders()
    return [reader for reader in readers if isinstance(reader, Port)]


def uvicorn_server() -> Any:
    """Return this process's server of uvicorn, or None; call this while it handles the signals."""
    return getattr(signal.getsignal(signal.SIGTERM), "__self__", None)


def uvicorn_stopper() -> Callable[[], None]:
    """Return what closes uvicorn's listening sockets; call this while it handles the signals.

    uvicorn itself closes them only after the shutdown, and a proxy would send it new sockets until
    then.
    """
    server = uvicorn_server()

    def stop_listening() -> None:
        for listener in getattr(server, "servers", ()):
            listener.close()

    return stop_listening


draining = Draining()
"""The shutdown of this process."""
