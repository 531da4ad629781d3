"""Admission of websockets: few are opened at the same time, and the others wait for their turn.

After a restart thousands of sockets arrive within a second. Without a limit the event loop would
work through all of them at each step, and the moves of those who sit already would wait for
seconds. Sockets that have waited for too long, or whose player cannot be looked up because the
database is away, are told in the `bye` when to come again: at times spread at the pace at which
sockets are being opened.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from typing import Any

from django.db import Error as DatabaseError

from cribbage_site.draining import draining
from cribbage_site.origin import Application
from games.live import messages
from games.ops import metrics
from games.sockets.connection import RESTART

AT_ONCE = 32
"""Sockets that are opened at the same time.

Each of them may take a step in every turn of the event loop, and a move needs several turns: with
64, moves of others waited twice as long. With 16 they share fewer look-ups, and all take longer.
"""

MAX_WAIT = 4.0
"""Seconds that a socket waits for its turn; Daphne drops a handshake that takes more than five."""

SMOOTHING = 0.02
"""The weight of the last turn in the measured seconds between two of them."""

OPENED = "opened"
"""The key in the scope of what a socket calls once it is open."""


class Admission:
    """The queue of this process's new websockets.

    Args:
        at_once: how many may be opening.
        max_wait: seconds that others wait for their turn.

    Attributes:
        opening: the number of sockets being opened.
    """

    def __init__(self, at_once: int = AT_ONCE, max_wait: float = MAX_WAIT) -> None:
        self._at_once, self._max_wait = at_once, max_wait
        self._queue: deque[asyncio.Future[None]] = deque()
        self._pace = 0.002
        self._last_turn: float | None = None
        self._next_return = 0.0
        self.opening = 0

    @property
    def waiting(self) -> int:
        """The number of sockets waiting for their turn."""
        return len(self._queue)

    def sockets(self, application: Application) -> Application:
        """Return the application, wrapped so that its sockets take turns to open."""

        async def admitted(scope: dict[str, Any], receive: Any, send: Any) -> None:
            try:
                await self._turn()
            except TimeoutError:
                await _refuse(receive, send, "busy", self._retry())
                return
            leave = self._leave_once()
            try:
                if draining.closed:
                    await _refuse(receive, send, "restart", None)
                else:
                    await application({**scope, OPENED: leave}, receive, send)
            except DatabaseError:  # its player is not known yet
                await _refuse(receive, send, "busy", self._retry())
            finally:
                leave()

        return admitted

    async def _turn(self) -> None:
        """Wait until this socket may open.

        Raises:
            TimeoutError: if that takes too long.
        """
        if self.opening < self._at_once:
            self.opening += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            async with asyncio.timeout(self._max_wait):
                await turn
        except (asyncio.CancelledError, TimeoutError):
            if turn.done() and not turn.cancelled():
                self._pass_on()
            raise

    def _leave_once(self) -> Callable[[], None]:
        """Return what ends this socket's turn; calling it again does nothing."""
        left = False

        def leave() -> None:
            nonlocal left
            if not left:
                left = True
                self._pass_on()

        return leave

    def _pass_on(self) -> None:
        """Give a turn that has ended to the next socket."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                self._measure_pace()
                turn.set_result(None)
                return
        self.opening -= 1
        self._last_turn = None  # the time until the next socket says nothing about the pace

    def _measure_pace(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._last_turn is not None:
            self._pace += SMOOTHING * (now - self._last_turn - self._pace)
        self._last_turn = now

    def _retry(self) -> int:
        """Return after how many seconds one more refused socket should come again."""
        now = asyncio.get_running_loop().time()
        self._next_return = max(self._next_return, now + 1) + self._pace
        return math.ceil(self._next_return - now)


async def _refuse(receive: Any, send: Any, code: str, retry: int | None) -> None:
    """Accept a socket only to tell it why it is closed: a browser shows no reason of a refusal."""
    metrics.DROPPED[code] += 1
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": messages.bye(code, retry)})
    await send({"type": "websocket.close", "code": RESTART})


admission = Admission()
"""The admission of this process."""
