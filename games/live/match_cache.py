"""The match cache: the tables in a process's memory; the least recently used are dropped."""

from __future__ import annotations

from collections import OrderedDict
from weakref import WeakValueDictionary

from games.engine.state import Phase
from games.live.changes import ChangeStream, Left, SeatsChanged
from games.live.table import Table, TableServices
from games.log import match_meta
from games.log.lookups import Lookups
from games.log.reader import Reader
from games.log.writer import Writer
from games.models import Match

MAX_MATCHES = 2000
"""Number of unused tables kept in memory; tables in use don't count."""

MAX_OVER = 200
"""The same for matches that are over: they take the most memory, and few people come back."""


class MatchCache:
    """The cached tables of this process.

    A table is in use while anything refers to it: a listener through `open`, a computer's move, a
    timer, a move being stored. Such a table is found again here, so that a match never has two
    tables. Nothing has to look for unused tables: once the cache drops them, they are gone.

    Attributes:
        open: the tables with listeners, by primary key.
    """

    def __init__(
        self, writer: Writer, reader: Reader, lookups: Lookups, stream: ChangeStream
    ) -> None:
        self.open: dict[int, Table] = {}
        self._services = TableServices(writer, reader, lookups, stream, self.open)
        self._by_id: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._by_pk: WeakValueDictionary[int, Table] = WeakValueDictionary()
        self._recent: OrderedDict[int, Table] = OrderedDict()
        self._over: OrderedDict[int, Table] = OrderedDict()

    async def get(self, public_id: str) -> Table | None:
        """Return a table with its log and seats up to date; None if there is no such match."""
        table = await self.find(public_id)
        if table is not None:
            await table.update()
        return table

    async def find(self, public_id: str) -> Table | None:
        """Return a table with its seats up to date, but perhaps not its log; None if unknown."""
        meta = await self._services.lookups.get(match_meta.load_by_id, public_id)
        if meta is None:
            return None
        table = self._by_id.get(public_id)
        if table is None:
            table = Table(meta, self._services)
            self._by_id[public_id] = self._by_pk[table.pk] = table
        self._keep(table)
        if table.set_meta(meta) and table.listeners:
            table.publish(SeatsChanged())  # the later announcement will find nothing new
        return table

    def key_of(self, public_id: str) -> int | None:
        """Return the primary key of a match that this process has in memory, or has made."""
        table = self._by_id.get(public_id)
        return self._services.made.get(public_id) if table is None else table.pk

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

    def hosts(self) -> frozenset[int]:
        """Return the primary keys of the players with a socket at a waiting table of their own."""
        return frozenset(
            listener.player
            for table in self.open.values()
            if table.meta.status == Match.Status.WAITING
            for listener in table.listeners
            if listener.player is not None and listener.player == table.meta.creator
        )

    def sockets(self) -> int:
        """Return the number of sockets at tables."""
        return sum(len(table.listeners) for table in self.open.values())

    def left(self, table: Table, change: Left) -> None:
        """Keep a table for a while after its last listener has left: people reconnect."""
        if change.last:
            self._keep(table)

    def _keep(self, table: Table) -> None:
        """Make a table the most recently used, and forget the least recently used ones."""
        kept, most = self._recent, MAX_MATCHES
        if table.state.phase is Phase.OVER:
            self._recent.pop(table.pk, None)
            kept, most = self._over, MAX_OVER
        kept[table.pk] = table
        kept.move_to_end(table.pk)
        while len(kept) > most:
            kept.popitem(last=False)
