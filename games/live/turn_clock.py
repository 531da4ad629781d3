"""The turn clock of ranked matches: a time limit for each decision, after which a computer plays.

The time starts with the log entry that asked for the decision, or with the start of this process if
that is later, so that nobody loses a game to an outage. The process that has the match in memory
runs its timer, and every process regularly looks for matches without one. Several processes may
find the same seat late; the seat is forfeited only once.

Listeners receive the time at which the limit ends, by this server's clock.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.utils import timezone

from games.engine import rules
from games.engine.state import Phase
from games.live.changes import Change, DeadlineSet
from games.live.match_cache import MatchCache
from games.live.table import Table
from games.log import store
from games.models import Match
from games.tables.forfeit import leave_for_good

logger = logging.getLogger(__name__)

SLACK = 2.0
"""Seconds added to each limit for network delay."""

LOOK_EVERY = 20.0
"""Seconds between two searches for matches without a timer."""

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
    """

    def __init__(self, matches: MatchCache) -> None:
        self._matches = matches
        self._started = timezone.now()
        self._timers: dict[int, asyncio.Task[None]] = {}

    def changed(self, table: Table, _: Change | None = None) -> None:
        """Start a timer if a person has to make the next decision and none is running for it."""
        seats = late_seats(table) if table.meta.clock is not None else ()
        known = self.deadline(table)
        if known is not None and known.seats == seats and table.pk in self._timers:
            return
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
        """Start a timer for every ranked match that has none in this process."""
        for public_id in await database_sync_to_async(_matches_on_clock)():
            table = await self._matches.get(public_id)
            if table is not None and table.pk not in self._timers:
                await table.reload_seats(always=True)

    async def keep_looking(self) -> None:
        """Call `look` regularly, until cancelled."""
        await asyncio.sleep(FIRST_LOOK)
        while True:
            try:
                await self.start_timers()
            except DatabaseError:
                logger.exception("ranked matches could not be read")
            await asyncio.sleep(LOOK_EVERY)

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
            left = (deadline.at - timezone.now()).total_seconds()
            # If the wall clock was set back, the wait is at most the full limit; from here on it
            # follows the monotonic clock.
            await asyncio.sleep(max(0.0, min(left, table.meta.clock or 0) + SLACK))
            await table.catch_up()
            if table.version == deadline.version:
                for seat in late_seats(table):
                    await database_sync_to_async(leave_for_good)(
                        match=table.pk, seat=seat, timed_out=True
                    )
                await table.reload_seats()
        except DatabaseError:
            logger.exception(
                "match %s: its clock stops until the next search", table.meta.public_id
            )
        finally:
            if self._timers.get(table.pk) is asyncio.current_task():
                del self._timers[table.pk]
                table.deadline = None

    async def _begin(self, table: Table) -> Deadline:
        """Set the time limit of the current decision from the log, and publish it."""
        version, seats = table.version, late_seats(table)
        begun = await database_sync_to_async(_begun)(table.pk)
        at = max(begun, self._started) + timedelta(seconds=table.meta.clock or 0)
        deadline = table.deadline = Deadline(version, seats, at)
        table.publish(DeadlineSet())
        return deadline


def late_seats(table: Table) -> tuple[int, ...]:
    """Return the seats of people who have to decide."""
    if not table.meta.playing or table.state.phase is Phase.OVER:
        return ()
    seats = table.meta.seats
    return tuple(seat for seat in rules.waiting(table.state) if not seats[seat].level)


def _begun(match: int) -> datetime:
    started = Match.objects.filter(pk=match).values_list("started_at", flat=True).first()
    return store.decision_requested_at(match) or started or timezone.now()


def _matches_on_clock() -> list[str]:
    rows = Match.objects.filter(status=Match.Status.PLAYING, clock__isnull=False)
    return list(rows.values_list("public_id", flat=True))
