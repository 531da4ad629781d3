"""The match cache: the tables in a process's memory; the least recently used are dropped."""

from __future__ import annotations

from collections import OrderedDict

from channels.db import database_sync_to_async

from games.live.changes import ChangeStream
from games.live.table import Table, TableServices
from games.log import match_meta
from games.log.reader import Reader
from games.log.writer import Writer

MAX_MATCHES = 2000
"""Number of tables kept in memory; those with listeners are kept beyond this limit."""


class MatchCache:
    """The cached tables of this process.

    Attributes:
        open: the tables with listeners, by primary key.
    """

    def __init__(self, writer: Writer, reader: Reader, stream: ChangeStream) -> None:
        self.open: dict[int, Table] = {}
        self._services = TableServices(writer, reader, stream, self.open)
        self._by_id: OrderedDict[str, Table] = OrderedDict()
        self._by_pk: dict[int, Table] = {}

    async def get(self, public_id: str) -> Table | None:
        """Return a table with its log and seats up to date; None if there is no such match."""
        meta = await database_sync_to_async(match_meta.load)(public_id=public_id)
        if meta is None:
            return None
        table = self._by_id.get(public_id)
        if table is None:
            table = self._keep(Table(meta, self._services))
        self._by_id.move_to_end(public_id)
        table.set_meta(meta)
        await table.catch_up()
        return table

    def cached(self, pk: int) -> Table | None:
        """Return a table if it is in memory, else None."""
        return self._by_pk.get(pk)

    def all(self) -> tuple[Table, ...]:
        """Return all tables that are in memory."""
        return tuple(self._by_pk.values())

    def players(self) -> frozenset[int]:
        """Return the primary keys of the players with a socket at any table."""
        return frozenset(
            listener.player
            for table in self.open.values()
            for listener in table.listeners
            if listener.player is not None
        )

    def sockets(self) -> int:
        """Return the number of sockets at tables."""
        return sum(len(table.listeners) for table in self.open.values())

    def _keep(self, table: Table) -> Table:
        self._by_id[table.meta.public_id] = table
        self._by_pk[table.pk] = table
        if len(self._by_id) > MAX_MATCHES:
            for public_id, old in list(self._by_id.items())[: MAX_MATCHES // 10]:
                if old is not table and not old.listeners and not old.lock.locked():
                    del self._by_id[public_id], self._by_pk[old.pk]
        return table
