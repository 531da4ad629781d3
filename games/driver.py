"""Turns that no person takes: what chance owes, and the computers' moves.

Whichever process looks at a match drives it: the one that stored the last move, or one that a
socket connects to, at once; any other that has listeners, when nothing has happened for a while.
The key of the log decides, so that two drivers do no harm.
"""

from __future__ import annotations

import asyncio
import logging
import random
from concurrent.futures import ThreadPoolExecutor

from django.db import Error as DatabaseError

from games import computers, meters, trail
from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.state import Phase
from games.engine.view import view_for
from games.hub import Hub
from games.judge import Judge
from games.live import Live, Matches
from games.refusals import Refused

logger = logging.getLogger(__name__)

THINKERS = 2
"""Threads in which computers think, for all tables of this process: first come, first served."""

TAKE_OVER_AFTER = 2.0
"""Seconds without a move after which another process with listeners drives."""

RETRY_AFTER = 1.0
"""Seconds until the next try after the database failed."""


class Driver:
    """Drives the matches of this process.

    Args:
        pause: seconds that a computer takes for a card, so that people can follow.

    Attributes:
        asked: decisions that computers were asked for and have not given yet.
    """

    def __init__(self, judge: Judge, matches: Matches, hub: Hub, *, pause: float) -> None:
        self._judge = judge
        self._matches = matches
        self._hub = hub
        self._pause = pause
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._watches: dict[int, asyncio.TimerHandle] = {}
        self._thinkers = ThreadPoolExecutor(THINKERS, thread_name_prefix="computer")
        self.asked = 0

    def wake(self, live: Live) -> None:
        """Drive ``live`` until a person is to act; at once if that is so already."""
        if live.pk not in self._tasks and owes(live):
            task = asyncio.create_task(self._drive(live))
            self._tasks[live.pk] = task
            task.add_done_callback(lambda _: self._tasks.pop(live.pk, None))

    def watch(self, live: Live) -> None:
        """See to it that somebody drives ``live``: take over if nothing happens."""
        old = self._watches.pop(live.pk, None)
        if old is not None:
            old.cancel()
        if owes(live):
            loop = asyncio.get_running_loop()
            wait = TAKE_OVER_AFTER + random.uniform(0, 1)
            self._watches[live.pk] = loop.call_later(wait, self._take_over, live, live.version)

    async def aclose(self) -> None:
        """Stop driving."""
        for handle in self._watches.values():
            handle.cancel()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinkers.shutdown(wait=False, cancel_futures=True)

    def _take_over(self, live: Live, version: int) -> None:
        self._watches.pop(live.pk, None)
        if live.version == version and self._hub.listened(live.pk):
            self.wake(live)

    async def _drive(self, live: Live) -> None:
        trail.follow(match=live.header.public_id)
        while owes(live):
            try:
                if rules.chance(live.state):
                    await self._judge.settle(live)
                else:
                    await self._move(live)
            except DatabaseError:
                logger.exception("match %s: driving stops for a moment", live.header.public_id)
                await asyncio.sleep(RETRY_AFTER)
            except Refused as refusal:
                logger.warning("match %s: %s", live.header.public_id, refusal)
                await asyncio.sleep(RETRY_AFTER)

    async def _move(self, live: Live) -> None:
        """Have the first computer that is asked make its move."""
        seat, level = to_move(live)[0]
        state = live.state
        loop = asyncio.get_running_loop()
        view = view_for(state, seat)
        started = loop.time()
        self.asked += 1
        try:
            with meters.COMPUTER.time():
                decision = await loop.run_in_executor(self._thinkers, computers.decide, level, view)
        finally:
            self.asked -= 1
        if state.phase is not Phase.DISCARD:
            await asyncio.sleep(max(0.0, self._pause - (loop.time() - started)))
        if decision is None or (seat, level) not in to_move(live):
            return
        try:
            await self._judge.take(live, decision, seat=seat)
        except IllegalMove as illegal:
            if live.state is state:
                # The sentence may name held cards, and this ends in a log: the code does not.
                raise Refused("unavailable", f"{level}: {illegal.code}") from None


def to_move(live: Live) -> list[tuple[int, str]]:
    """Return the seats that are to act and a computer moves for, each with its level."""
    seats = live.header.seats
    return [(seat, seats[seat].level) for seat in rules.waiting(live.state) if seats[seat].level]


def owes(live: Live) -> bool:
    """Whether a match waits for chance or for a computer."""
    if not live.header.playing or live.state.phase is Phase.OVER:
        return False
    return rules.chance(live.state) is not None or bool(to_move(live))
