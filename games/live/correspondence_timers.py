"""Timers of correspondence matches: they publish each time limit, and that it has passed.

The limits come from the database: see `games.correspondence.turns`. A timer publishes the limit
after each move, and again once it has passed, since the others may then act. Several processes may
publish the same limit; this does no harm.
"""

from __future__ import annotations

import asyncio
import logging

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.correspondence import turns
from games.correspondence.turns import Turn
from games.live.changes import Change, DeadlineSet
from games.live.table import Table
from games.models import Match
from games.ops import true_time

logger = logging.getLogger(__name__)

LOOK_AGAIN = 600.0
"""Seconds after which the limits are read again: an outage may have extended them."""

SLACK = 0.05
"""Seconds added to a limit so that it has certainly passed."""


class CorrespondenceTimers:
    """The time limits of the correspondence matches for which this process has listeners."""

    def __init__(self) -> None:
        self._timers: dict[int, asyncio.Task[None]] = {}

    def cached(self, table: Table) -> Turn | None:
        """Return the current turn; None if it is not known yet or there is none."""
        known = table.turn
        return known if known is not None and known.version == table.version else None

    def changed(self, table: Table, _: Change) -> None:
        """Restart the timer of a correspondence match after a change."""
        self.read_again(table)

    def read_again(self, table: Table) -> None:
        """Read the limits of a correspondence match again: a player's days off change them."""
        if table.meta.days is None:
            return
        self._stop(table)
        if table.listeners:
            self._timers[table.pk] = asyncio.create_task(self._watch(table))

    async def read_turn(self, table: Table) -> Turn | None:
        """Read the current turn from the database; None if there is none."""
        return await database_sync_to_async(_turn)(table.pk)

    async def aclose(self) -> None:
        """Stop all timers."""
        timers = list(self._timers.values())
        for timer in timers:
            timer.cancel()
        await asyncio.gather(*timers, return_exceptions=True)

    def _stop(self, table: Table) -> None:
        table.turn = None
        timer = self._timers.pop(table.pk, None)
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()

    async def _watch(self, table: Table) -> None:
        """Publish the limit now, and again when it has passed or was extended."""
        try:
            while True:
                found = await self.read_turn(table)
                if found is None or found.version != table.version:
                    return
                table.turn = found
                table.publish(DeadlineSet())
                now = true_time.now()
                left = [(due - now).total_seconds() + SLACK for due in found.dues if due >= now]
                await asyncio.sleep(min([*left, LOOK_AGAIN]))
        except DatabaseError:
            logger.exception("match %s: its time limit could not be read", table.meta.public_id)


def _turn(match: int) -> Turn | None:
    return turns.turn(Match.objects.get(pk=match))
