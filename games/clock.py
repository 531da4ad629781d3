"""The clock of a match: so many seconds for each decision, then the computer plays on.

The time runs from the entry of the log that asked for it, and in a process that has started after
that from its start: an outage costs nobody a game. Whichever process has the match in memory
watches it, and every process looks now and then for one that nobody watches. Several may find the
same seat late; the seat is given away once.

Whoever sits at the table is told the moment at which the time is up, by this server's time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.utils import timezone

from games import store
from games.engine import rules
from games.engine.state import Phase
from games.leaving import leave_for_good
from games.live import Live, Matches
from games.models import Match

logger = logging.getLogger(__name__)

SLACK = 2.0
"""Seconds that the way through the net may take on top."""

LOOK_EVERY = 20.0
"""Seconds between two looks for matches that nobody watches."""

FIRST_LOOK = 2.0
"""Seconds after which a new process looks for the first time."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a decision has to be made.

    Attributes:
        version: of the match that waits for it.
        seats: whose decision it is.
        at: when their time is up; `SLACK` later they are given away.
    """

    version: int
    seats: tuple[int, ...]
    at: datetime


class Clock:
    """Watches the time of the ranked matches of this process.

    Args:
        matches: the matches in memory.
        seats_changed: told when a seat was given to the computer, or nobody drives a match.
        told: called when a match has a new deadline.
    """

    def __init__(
        self,
        matches: Matches,
        seats_changed: Callable[[Live], Awaitable[None]],
        told: Callable[[Live], None],
    ) -> None:
        self._matches = matches
        self._seats_changed = seats_changed
        self._told = told
        self._started = timezone.now()
        self._timers: dict[int, asyncio.Task[None]] = {}
        self._deadlines: dict[int, Deadline] = {}

    def moved(self, live: Live) -> None:
        """Begin the time for the next decision, if people are to make it and it does not run."""
        seats = late_seats(live) if live.header.clock is not None else ()
        known = self.deadline(live)
        if known is not None and known.seats == seats and live.pk in self._timers:
            return
        self._deadlines.pop(live.pk, None)
        old = self._timers.pop(live.pk, None)
        if old is not None and old is not asyncio.current_task():
            old.cancel()
        if seats:
            self._timers[live.pk] = asyncio.create_task(self._watch(live))

    def deadline(self, live: Live) -> Deadline | None:
        """Return until when the present decision has to be made; None where no time runs."""
        known = self._deadlines.get(live.pk)
        return known if known is not None and known.version == live.version else None

    async def look(self) -> None:
        """Watch every match on the clock that this process does not watch yet, once."""
        for public_id in await database_sync_to_async(_ticking)():
            live = await self._matches.get(public_id)
            if live is not None and live.pk not in self._timers:
                self.moved(live)
                await self._seats_changed(live)

    async def keep_looking(self) -> None:
        """Look now and then, for as long as the process lives."""
        await asyncio.sleep(FIRST_LOOK)
        while True:
            try:
                await self.look()
            except DatabaseError:
                logger.exception("matches on the clock could not be read")
            await asyncio.sleep(LOOK_EVERY)

    async def aclose(self) -> None:
        """Stop all timers."""
        timers = list(self._timers.values())
        for timer in timers:
            timer.cancel()
        await asyncio.gather(*timers, return_exceptions=True)

    async def _watch(self, live: Live) -> None:
        """Wait until the time of the seats that are to act is up, and give them away."""
        try:
            deadline = await self._begin(live)
            left = (deadline.at - timezone.now()).total_seconds()
            # A clock that was set back gives nobody more than the whole time; once it runs, the
            # wait goes by a clock that nobody sets.
            await asyncio.sleep(max(0.0, min(left, live.header.clock or 0) + SLACK))
            await self._matches.catch_up(live)
            if live.version == deadline.version:
                for seat in late_seats(live):
                    await database_sync_to_async(leave_for_good)(
                        match=live.pk, seat=seat, timed_out=True
                    )
                await self._seats_changed(live)
        except DatabaseError:
            logger.exception("match %s: its clock stops until the next look", live.header.public_id)
        finally:
            if self._timers.get(live.pk) is asyncio.current_task():
                del self._timers[live.pk]
                self._deadlines.pop(live.pk, None)

    async def _begin(self, live: Live) -> Deadline:
        """Find out until when the present decision has to be made, by the log."""
        version, seats = live.version, late_seats(live)
        begun = await database_sync_to_async(_begun)(live.pk)
        at = max(begun, self._started) + timedelta(seconds=live.header.clock or 0)
        deadline = self._deadlines[live.pk] = Deadline(version, seats, at)
        self._told(live)
        return deadline


def late_seats(live: Live) -> tuple[int, ...]:
    """Return the seats of people who are to act."""
    if not live.header.playing or live.state.phase is Phase.OVER:
        return ()
    seats = live.header.seats
    return tuple(seat for seat in rules.waiting(live.state) if not seats[seat].level)


def _begun(match: int) -> datetime:
    started = Match.objects.filter(pk=match).values_list("started_at", flat=True).first()
    return store.asked_at(match) or started or timezone.now()


def _ticking() -> list[str]:
    rows = Match.objects.filter(status=Match.Status.PLAYING, clock__isnull=False)
    return list(rows.values_list("public_id", flat=True))
