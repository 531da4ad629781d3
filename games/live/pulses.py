"""This process's pulses, which also tell the others when players here may miss their turn."""

from __future__ import annotations

from datetime import datetime

from channels.db import database_sync_to_async

from games.cluster import outages
from games.log.writer import Writer
from games.ops import true_time


class Pulses:
    """Records the pulses of a process.

    A process whose writer is stuck counts as deaf. The tables that it needs may be locked for an
    hour, say by `VACUUM FULL`: the moves that players sent in time wait then, while their clocks
    run and their seats could still be given away. Its clock is compared with the database's, too.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._stuck_since: datetime | None = None

    async def record(self, *, deaf: bool) -> bool:
        """Record a pulse; return whether any process has just said that it is deaf."""
        return await database_sync_to_async(self._record)(deaf)

    def _record(self, deaf: bool) -> bool:
        true_time.compare()
        since = self._writer.stuck_since()
        if since is None and self._stuck_since is not None:
            outages.record_deafness(self._stuck_since)
        self._stuck_since = since and (self._stuck_since or since)
        return outages.record_pulse(deaf=deaf or since is not None)
