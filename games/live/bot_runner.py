"""The bot runner: deals the cards and makes the moves of computer players.

The process that stored the last move, or that a socket connects to, runs a table at once. Any other
process with listeners takes over when nothing has happened for a while. Two runners may try at the
same time, since the unique key of the log lets only one of them store the move.
"""

from __future__ import annotations

import asyncio
import logging
import random
from concurrent.futures import ThreadPoolExecutor

from django.db import Error as DatabaseError

from games.engine import rules, show
from games.engine.illegal import IllegalMove
from games.engine.moves import Decision
from games.engine.state import Phase
from games.engine.view import View, view_for
from games.live import computers, jit_warmup, pace
from games.live.changes import Change, Moved
from games.live.search_process import SearchProcess
from games.live.table import Table
from games.ops import daemons, log_context, metrics
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)

THINKERS = 2
"""Number of threads for computers' decisions, which all tables of this process share."""

TAKE_OVER_AFTER = 2.0
"""Seconds without a move after which another process with listeners takes over."""

RETRY_AFTER = 1.0
"""Seconds until the next attempt after an error; doubled each time if the error is unknown."""

LONGEST_WAIT = 30.0
"""Highest number of seconds between two attempts."""

NAME = "computers"
"""The name of the bot runner among the daemons."""


class BotRunner:
    """Deals the cards and makes the moves of computers at the tables of this process.

    Args:
        pause: usual seconds for a computer to play a card, so that people can follow.
        apart: whether computers that search decide in a process of their own.

    Attributes:
        asked: the number of decisions that computers are working on.
        search: the process of its own.
    """

    def __init__(self, *, pause: float, apart: bool) -> None:
        self._pause = pause
        self.search = SearchProcess()
        self._searching = asyncio.create_task(self.search.run()) if apart else None
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._watches: dict[int, asyncio.TimerHandle] = {}
        self._thinkers = ThreadPoolExecutor(THINKERS, thread_name_prefix="computer")
        self.asked = 0
        self._failing: set[int] = set()
        daemons.report(NAME, self._problem)

    def wake(self, table: Table) -> None:
        """Make the moves of a table until a person has to act."""
        running = self._tasks.get(table.pk)
        if (running is None or running.done()) and needs_server_move(table):
            task = self._tasks[table.pk] = asyncio.create_task(self._run(table))
            task.add_done_callback(lambda done: self._forget(table.pk, done))

    def changed(self, table: Table, _: Change) -> None:
        """Run a table after a change that may make it a computer's turn."""
        self.wake(table)

    def moved(self, table: Table, change: Moved) -> None:
        """Run a table after this process's moves; after another process's, only watch it."""
        if change.own:
            self.wake(table)
        else:
            self.watch(table)

    def watch(self, table: Table) -> None:
        """Take over from the process that made the last move if it makes no further one."""
        old = self._watches.pop(table.pk, None)
        if old is not None:
            old.cancel()
        if needs_server_move(table):
            loop = asyncio.get_running_loop()
            wait = TAKE_OVER_AFTER + random.uniform(0, 1)
            self._watches[table.pk] = loop.call_later(wait, self._take_over, table, table.version)

    async def aclose(self) -> None:
        """Stop all runs."""
        for handle in self._watches.values():
            handle.cancel()
        tasks = [*self._tasks.values(), *([self._searching] if self._searching else ())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinkers.shutdown(wait=False, cancel_futures=True)

    def _problem(self) -> str:
        """Return how many tables stand still because their runner fails; "" if none do."""
        return f"{len(self._failing)} tables wait after an error" if self._failing else ""

    def _forget(self, match: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(match) is task:
            del self._tasks[match]
            self._failing.discard(match)

    def _take_over(self, table: Table, version: int) -> None:
        self._watches.pop(table.pk, None)
        if table.version == version and table.listeners:
            self.wake(table)

    async def _run(self, table: Table) -> None:
        log_context.bind(match=table.meta.public_id)
        wait = RETRY_AFTER
        while needs_server_move(table):
            try:
                await self._act(table)
                wait = RETRY_AFTER
            except DatabaseError:
                logger.exception("match %s: the bot runner will retry", table.meta.public_id)
                await asyncio.sleep(RETRY_AFTER)
            except Refused as refusal:
                logger.warning("match %s: %s", table.meta.public_id, refusal)
                await asyncio.sleep(RETRY_AFTER)
            except Exception:
                daemons.count_failure(NAME, "the bot runner will retry")
                self._failing.add(table.pk)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)

    async def _act(self, table: Table) -> None:
        """Deal, or make the move of a computer; after an error, read the match again first."""
        if table.pk in self._failing:
            await table.follow_log()
            await table.reload_seats()
        if rules.chance(table.state):
            await table.deal()
        elif to_move(table):
            await self._move(table)
        self._failing.discard(table.pk)

    async def _move(self, table: Table) -> None:
        """Make the move of the first computer that has to decide."""
        seat, level = to_move(table)[0]
        state = table.state
        loop = asyncio.get_running_loop()
        view = view_for(state, seat)
        started = loop.time()
        self.asked += 1
        try:
            with metrics.COMPUTER.time():
                decision = await self._decide(level, view)
        finally:
            self.asked -= 1
        jit_warmup.moved(level)
        if state.phase is not Phase.DISCARD:
            seen = view_for(state, None)
            takes = pace.seconds(seen, seat, pause=self._pause, chance=random.random())
            await asyncio.sleep(max(0.0, takes - (loop.time() - started)))
        if decision is None or (seat, level) not in to_move(table):
            return
        try:
            await table.play(decision, seat=seat)
        except IllegalMove as illegal:
            if table.state is state:
                # This is logged, and the code, unlike the message, names no cards.
                raise Refused("unavailable", f"{level}: {illegal.code}") from None

    async def _decide(self, level: str, view: View) -> Decision | None:
        """Return a computer's decision: from the search process, or else from a thread."""
        if self.search.process is not None and computers.searches(level, view):
            chosen = await self.search.choose(level, view)
            if chosen:
                return computers.decide(level, view, chosen)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thinkers, computers.decide, level, view)


def to_move(table: Table) -> list[tuple[int, str]]:
    """Return the seats for which a computer has to decide, each with its level.

    People answer a claim at the show first: the first to call takes the points, and a computer
    misses none.
    """
    seats = table.meta.seats
    waiting = rules.waiting(table.state)
    found = [(seat, seats[seat].level) for seat in waiting if seats[seat].level]
    return [] if show.in_window(table.state) and len(found) < len(waiting) else found


def needs_server_move(table: Table) -> bool:
    """Return whether a match is waiting for a deal or a computer."""
    if not table.meta.playing or table.state.phase is Phase.OVER:
        return False
    return rules.chance(table.state) is not None or bool(to_move(table))
