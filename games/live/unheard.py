"""Reading of what other processes store, while they cannot be heard or cannot hear.

A match whose players are connected to different processes would stand still without Redis: no
process would learn of the other's moves.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from games.live.match_cache import MatchCache
from games.live.presence import Presence
from games.live.table import Table

logger = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two rounds."""

AT_ONCE = 32
"""Tables that are read at the same time, so that moves are answered in between."""


class Unheard:
    """Reads the tables with connections here again, round by round."""

    def __init__(
        self, presence: Presence, matches: MatchCache, refresh: Callable[[Table], Awaitable[None]]
    ) -> None:
        self._presence = presence
        self._matches = matches
        self._refresh = refresh
        self._unreadable: set[str] = set()

    async def read(self) -> None:
        """Read all tables once, unless every process hears the others.

        A table that cannot be read is logged once, until it can be or all processes hear again.
        """
        unreadable: set[str] = set()
        if not self._presence.may_judge:
            await self._read_tables(unreadable)
        self._unreadable = unreadable

    async def _read_tables(self, unreadable: set[str]) -> None:
        tables = tuple(self._matches.open.values())
        for at in range(0, len(tables), AT_ONCE):
            some = tables[at : at + AT_ONCE]
            answers = await asyncio.gather(*map(self._refresh, some), return_exceptions=True)
            for table, error in zip(some, answers, strict=True):
                if error is None:
                    continue
                match = table.meta.public_id
                if match not in self._unreadable:
                    logger.error("match %s could not be read", match, exc_info=error)
                unreadable.add(match)
