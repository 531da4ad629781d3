"""Players who see the end of a correspondence match at its table: they need no notice of it."""

from __future__ import annotations

import asyncio
import logging

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.correspondence import notify
from games.engine.state import Phase
from games.live.changes import Change
from games.live.table import Table

logger = logging.getLogger(__name__)


class EndsSeen:
    """Stores who is at a table when its match ends, and who comes there later."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: Table, _: Change) -> None:
        """Store who is at the table now, if its match is by correspondence and over."""
        if table.meta.days is None or table.state.phase is not Phase.OVER:
            return
        seated = [each for each in table.listeners if each.seat is not None]
        players = frozenset(each.player for each in seated if each.player is not None)
        if players:
            task = asyncio.create_task(_store(table.pk, table.meta.public_id, players))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        """Wait for what is being stored."""
        await asyncio.gather(*self._tasks)


async def _store(match: int, public_id: str, players: frozenset[int]) -> None:
    try:
        await database_sync_to_async(notify.saw_end)(match, players)
    except DatabaseError:
        logger.exception("match %s: who saw its end could not be stored", public_id)
