"""The end of a process: whoever is connected is sent elsewhere, and what was begun is finished.

At SIGTERM (and Ctrl-C) a process takes nobody in any more, says `bye` with the code `restart` to
every socket, so that clients connect again at once, waits for the requests that it answers, writes
what is pending, and only then lets the server stop as it always does.
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

from cribbage_site.origin import Application
from games.runtime import shut_down
from games.sockets import OPEN, RESTART, Bye

logger = logging.getLogger(__name__)

SPREAD_SECONDS = 0.5
"""Over how long the good-byes are spread, so that not everybody knocks at the others at once."""

AT_ONCE = 50
"""Sockets that are sent away together."""

LOOK_EVERY = 0.02
"""Seconds between two looks at who is still here."""

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Draining:
    """Whether this process is about to end, and how many requests it still answers."""

    def __init__(self) -> None:
        self.leaving = False
        self.requests = 0
        self._task: asyncio.Task[None] | None = None

    def pages(self, application: Application) -> Application:
        """Return the application with its requests counted."""

        async def counted(scope: dict[str, Any], receive: Any, send: Any) -> Any:
            self.requests += 1
            try:
                return await application(scope, receive, send)
            finally:
                self.requests -= 1

        return counted

    def sockets(self, application: Application) -> Application:
        """Return the application that lets no socket in once this process is about to end."""
        denier: Application = WebsocketDenier()

        async def guarded(scope: dict[str, Any], receive: Any, send: Any) -> Any:
            return await (denier if self.leaving else application)(scope, receive, send)

        return guarded

    def watch_signals(self, stop_listening: Callable[[], None]) -> None:
        """Drain before the server's own handlers of the signals to end run; call it on the loop.

        A second signal ends the process without waiting.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        for number in SIGNALS:
            before = signal.getsignal(number)
            if callable(before):
                self._watch(number, before, stop_listening)

    def _watch(
        self,
        number: int,
        before: Callable[[int, FrameType | None], Any],
        stop_listening: Callable[[], None],
    ) -> None:
        loop = asyncio.get_running_loop()

        def begin(number: int, frame: FrameType | None) -> None:
            if self.leaving:
                before(number, frame)
                return
            self.leaving = True
            loop.call_soon_threadsafe(self._begin, stop_listening, lambda: before(number, None))

        signal.signal(number, begin)

    def _begin(self, stop_listening: Callable[[], None], stop: Callable[[], None]) -> None:
        self._task = asyncio.create_task(self._drain(stop_listening, stop))

    async def _drain(self, stop_listening: Callable[[], None], stop: Callable[[], None]) -> None:
        try:
            stop_listening()
            async with asyncio.timeout(settings.DRAIN_SECONDS):
                await _send_away()
                while OPEN or self.requests:  # noqa: ASYNC110 - what is waited for is others'
                    await asyncio.sleep(LOOK_EVERY)
                # What was said last leaves the buffers of the server.
                await asyncio.sleep(LOOK_EVERY)
        except TimeoutError:
            logger.warning("%d sockets and %d requests are cut off", len(OPEN), self.requests)
        finally:
            await shut_down()
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
    """Close the sockets that take new connections, so that a proxy tries another process."""
    from twisted.internet.tcp import Port

    for reader in sys.modules["daphne.server"].reactor.getReaders():
        if isinstance(reader, Port):
            reader.stopListening()  # type: ignore[no-untyped-call]


draining = Draining()
"""That of this process."""
