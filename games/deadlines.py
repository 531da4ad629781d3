"""Until when those at a table by correspondence have to decide, told to whoever is connected.

The database alone decides: see `games.correspondence`. This only tells it, when the match goes on,
and again when the time is up, since the others may then do something. What several processes tell
is the same, and nothing is done by telling.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.utils import timezone

from games import correspondence
from games.correspondence import Turn
from games.hub import Hub
from games.live import Live
from games.models import Match

logger = logging.getLogger(__name__)

LOOK_AGAIN = 600.0
"""Seconds after which the time is asked for anew: an outage may have lengthened it."""

SLACK = 0.05
"""Seconds after the end of a time at which it is certainly over."""


class Deadlines:
    """What this process knows of the turns at the tables that somebody here listens to.

    Args:
        hub: the listeners of this process.
        told: called when a match has a turn that its listeners do not know.
    """

    def __init__(self, hub: Hub, told: Callable[[Live], None]) -> None:
        self._hub = hub
        self._told = told
        self._turns: dict[int, Turn] = {}
        self._timers: dict[int, asyncio.Task[None]] = {}

    def known(self, live: Live) -> Turn | None:
        """Return what is known of the present turn; None until it is known, and where none is."""
        known = self._turns.get(live.pk)
        return known if known is not None and known.version == live.version else None

    def moved(self, live: Live) -> None:
        """See to it that the listeners are told, where a match has gone on or they are new."""
        if live.header.days is None:
            return
        self._stop(live.pk)
        if self._hub.listened(live.pk):
            self._timers[live.pk] = asyncio.create_task(self._watch(live))

    async def look(self, live: Live) -> Turn | None:
        """Return the present turn as the database has it."""
        return await database_sync_to_async(_turn)(live.pk)

    async def aclose(self) -> None:
        """Stop all timers."""
        timers = list(self._timers.values())
        for timer in timers:
            timer.cancel()
        await asyncio.gather(*timers, return_exceptions=True)

    def _stop(self, match: int) -> None:
        self._turns.pop(match, None)
        timer = self._timers.pop(match, None)
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()

    async def _watch(self, live: Live) -> None:
        """Tell the turn, and tell it again once its time is up or has been lengthened."""
        try:
            while True:
                found = await self.look(live)
                if found is None or found.version != live.version:
                    return
                self._turns[live.pk] = found
                self._told(live)
                left = (found.due - timezone.now()).total_seconds() + SLACK
                await asyncio.sleep(min(left, LOOK_AGAIN) if left > 0 else LOOK_AGAIN)
        except DatabaseError:
            logger.exception("match %s: nobody is told until when", live.header.public_id)


def _turn(match: int) -> Turn | None:
    return correspondence.turn(Match.objects.get(pk=match))
