"""The turn clock of ranked matches: a time limit for each decision, after which a computer plays.

A deadline follows from what is stored (`games.tables.turn_deadlines`): all processes agree on it.
The process that has the match in memory runs its timer, and every process regularly looks for
matches whose time is up and that have no verdict. Several processes may find the same seat late; it
is forfeited only once, and only if no move has been stored in the meantime. A process that cannot
hear the others forfeits no one.

Listeners receive the time at which the limit ends, by this server's clock.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.engine import rules
from games.engine.state import Phase
from games.live.changes import Change, DeadlineSet
from games.live.match_cache import MatchCache
from games.live.table import Table
from games.log.lookups import Lookups
from games.ops import daemons, true_time
from games.tables import turn_deadlines
from games.tables.forfeit import leave_for_good

logger = logging.getLogger(__name__)

NAME = "clock"
"""The name of the search among the daemons."""

SLACK = 2.0
"""Seconds added to each limit for network delay."""

LOOK_EVERY = 10.0
"""Seconds between two searches for matches whose time is up."""

FIRST_LOOK = 2.0
"""Seconds from the start of a process to its first search."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time limit of a decision.

    Attributes:
        version: the version of the match that is waiting for the decision.
        seats: the seats that have to decide.
        at: when their time is up; they are forfeited `SLACK` seconds later.
    """

    version: int
    seats: tuple[int, ...]
    at: datetime


class TurnClock:
    """Runs the timers of the ranked matches of this process.

    Args:
        matches: the tables in memory.
        lookups: reads the time limits.
    """

    def __init__(self, matches: MatchCache, lookups: Lookups) -> None:
        self._matches = matches
        self._lookups = lookups
        self._timers: dict[int, asyncio.Task[None]] = {}
        self._may_judge = asyncio.Event()
        self._may_judge.set()

    def pause(self) -> None:
        """Give no verdicts for now."""
        self._may_judge.clear()

    def resume(self) -> None:
        """Give verdicts again, after reading the deadlines again."""
        self.read_again()
        self._may_judge.set()

    def read_again(self) -> None:
        """Read the deadlines of all timers again: an outage moves them."""
        for pk in tuple(self._timers):
            table = self._matches.cached(pk)
            if table is not None:
                self._restart(table, late_seats(table))

    def changed(self, table: Table, _: Change | None = None) -> None:
        """Start a timer if a person has to make the next decision and none is running for it."""
        seats = late_seats(table) if table.meta.clock is not None else ()
        known = self.deadline(table)
        if known is not None and known.seats == seats and table.pk in self._timers:
            return
        self._restart(table, seats)

    def _restart(self, table: Table, seats: tuple[int, ...]) -> None:
        """Stop a match's timer, and start a new one if any seats have to decide."""
        table.deadline = None
        old = self._timers.pop(table.pk, None)
        if old is not None and old is not asyncio.current_task():
            old.cancel()
        if seats:
            self._timers[table.pk] = asyncio.create_task(self._watch(table))

    def deadline(self, table: Table) -> Deadline | None:
        """Return the time limit of the current decision; None if there is none."""
        known = table.deadline
        return known if known is not None and known.version == table.version else None

    async def start_timers(self) -> None:
        """Handle each match whose time is up and that has no timer in this process."""
        now = true_time.now()
        for clock in await database_sync_to_async(turn_deadlines.running_clocks)():
            if clock.match in self._timers or now < clock.due + timedelta(seconds=SLACK):
                continue
            try:
                table = await self._matches.get(clock.public_id)
                if table is not None:
                    await table.reload_seats(always=True)
            except Exception:  # one broken match must not stop the clocks of the others
                daemons.count_failure(NAME, f"match {clock.public_id} cannot be read")

    async def aclose(self) -> None:
        """Stop all timers."""
        timers = list(self._timers.values())
        for timer in timers:
            timer.cancel()
        await asyncio.gather(*timers, return_exceptions=True)

    async def _watch(self, table: Table) -> None:
        """Wait until the time is up, and forfeit the seats that have not decided."""
        try:
            deadline = await self._begin(table)
            while deadline is not None:
                left = (deadline.at - true_time.now()).total_seconds()
                # If the wall clock was set back, the wait is at most the full limit; from here on
                # it follows the monotonic clock.
                longest = max(table.meta.clock or 0, table.meta.grace)
                await asyncio.sleep(max(0.0, min(left, longest) + SLACK))
                await self._may_judge.wait()
                await table.follow_log()
                if table.version != deadline.version:
                    return
                before, deadline = deadline, await self._begin(table)
                if deadline is not None and deadline.at <= before.at:
                    # A timer that is started again must not keep a loss from being announced.
                    await asyncio.shield(self._forfeit(table, deadline.version))
                    return
        except DatabaseError:
            logger.exception(
                "match %s: its clock stops until the next search", table.meta.public_id
            )
        except Exception:  # nothing else awaits this task
            daemons.count_failure(NAME, f"the clock of match {table.meta.public_id} stops")
        finally:
            if self._timers.get(table.pk) is asyncio.current_task():
                del self._timers[table.pk]
                table.deadline = None

    async def _forfeit(self, table: Table, version: int) -> None:
        """Give the seats that have not decided to computers, unless the log has grown."""
        for seat in late_seats(table):
            await database_sync_to_async(leave_for_good)(
                match=table.pk, seat=seat, timed_out=True, version=version
            )
        await table.follow_log()
        await table.reload_seats()

    async def _begin(self, table: Table) -> Deadline | None:
        """Read the time limit of the current decision, and publish it if it is new."""
        version, seats = table.version, late_seats(table)
        at = await self._lookups.get(turn_deadlines.deadlines, table.pk)
        if at is None:
            return None
        found = Deadline(version, seats, at)
        if found != table.deadline:
            table.deadline = found
            table.publish(DeadlineSet())
        return found


def late_seats(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have to decide."""
    if not table.meta.playing or table.state.phase is Phase.OVER:
        return ()
    seats = table.meta.seats
    return tuple(seat for seat in rules.waiting(table.state) if not seats[seat].level)
