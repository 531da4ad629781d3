"""Entrances: sockets that are about to join a table, and whether its changes are heard by then.

Redis confirms a subscription only after a while, and what was published before is lost. If a table
were subscribed to when its first socket joins, all that was read for that socket would have to be
read again after the confirmation. So sockets subscribe as soon as they know their table, and read
it once the subscription is confirmed; then nothing has to be read again, unless there was news in
the meantime.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

from games.live.changes import Left
from games.live.match_cache import MatchCache
from games.live.peers import Peers
from games.live.table import Table

CONFIRMED_WITHIN = 0.1
"""Seconds that a socket waits for Redis before it reads its table all the same."""

ABOUT_SOCKETS = frozenset({"here", "who"})
"""The messages about connections: who joins asks for them, since nothing is read of them."""


@dataclass(slots=True)
class Entrance:
    """The sockets that are about to join one table.

    Attributes:
        sockets: their number.
        heard: set once the subscription to the table's channel is confirmed.
        news: the number of confirmations, and of messages after which reading again finds more.
        read: what `news` was when the seats were last read for one of the sockets.
        lock: held while they are read, so that the sockets share it.
    """

    sockets: int = 0
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    news: int = 0
    read: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Entrances:
    """The entrances of all tables of this process, by the primary key of the match.

    Args:
        peers: the link to the other processes.
        matches: the tables in memory.
    """

    def __init__(self, peers: Peers, matches: MatchCache) -> None:
        self._peers = peers
        self._matches = matches
        self._tables = matches.open
        self._open: dict[int, Entrance] = {}

    def enter(self, match: int) -> None:
        """Subscribe to a match's channel for a socket; it must call `leave` in the end."""
        self._open.setdefault(match, Entrance()).sockets += 1
        if match not in self._tables:
            self._peers.subscribe(match)

    def leave(self, match: int) -> None:
        """Note that a socket has joined the table, or never will."""
        entrance = self._open[match]
        entrance.sockets -= 1
        if not entrance.sockets:
            del self._open[match]
            if match not in self._tables:
                self._peers.unsubscribe(match)

    def left(self, table: Table, change: Left) -> None:
        """Unsubscribe from a match's channel when its last listener leaves.

        If others are about to join, it is subscribed to again at once, since nothing else tells
        them whether it is confirmed.
        """
        if change.last:
            self._peers.unsubscribe(table.pk)
            if self.awaited(table.pk):
                self._peers.subscribe(table.pk)

    def awaited(self, match: int) -> bool:
        """Return whether a socket is about to join a match."""
        return match in self._open

    def heard(self, channel: str, verb: str, *words: str) -> Table | None:
        """Note a message on a match's channel; return the table, if it has listeners."""
        match = _match_of(channel)
        entrance = self._open.get(match)
        if entrance is not None and self._is_news(match, verb, words):
            entrance.news += 1
        return self._tables.get(match)

    def _is_news(self, match: int, verb: str, words: tuple[str, ...]) -> bool:
        """Return whether something may have changed that was read for a socket.

        Redis also returns what this process says itself: who is connected, and its own moves.
        """
        if verb == "version":
            table = self._matches.cached(match)
            return table is None or int(words[0]) > table.version
        return verb not in ABOUT_SOCKETS

    def subscribed(self, channel: str) -> Table | None:
        """Note that the subscription to a match's channel is confirmed; return as `heard` does."""
        match = _match_of(channel)
        entrance = self._open.get(match)
        if entrance is not None:
            entrance.news += 1
            entrance.heard.set()
        return self._tables.get(match)

    async def _until_heard(self, match: int) -> None:
        """Wait a moment until a match's changes are heard, if they can be."""
        heard = self._open[match].heard
        if self._can_hear(match) and not heard.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CONFIRMED_WITHIN):
                    await heard.wait()

    def _confirmed(self, match: int) -> int | None:
        """Return the number of a match's `news`, if its changes are heard.

        As long as that number stays the same, nothing that is read from now on is out of date. None
        if Redis is away, has not confirmed in time, or if the table has listeners.
        """
        return self.news(match) if self._can_hear(match) else None

    def _can_hear(self, match: int) -> bool:
        away = self._peers.bus is None or self._peers.hearing_since() is None
        return not away and match not in self._tables

    async def find(self, match: int, public_id: str) -> Table | None:
        """Return a known match's table with its seats up to date; None if it no longer exists.

        Sockets that come together wait for Redis side by side, and share what is read for the first
        of them.

        Raises:
            django.db.Error: if the seats could not be read.
        """
        entrance = self._open[match]
        await self._until_heard(match)
        async with entrance.lock:
            news = self._confirmed(match)
            table = self._matches.cached(match)
            if table is None or news is None or entrance.read != news:
                table = await self._matches.find(public_id)
                if news is not None:
                    entrance.read = news
        return table

    async def read(self, table: Table) -> int | None:
        """Read a table's seats, unless they are up to date; return the number of its `news`.

        Raises:
            django.db.Error: if the seats could not be read.
        """
        entrance = self._open[table.pk]
        await self._until_heard(table.pk)
        async with entrance.lock:
            news = self._confirmed(table.pk)
            if news is not None and entrance.read != news:
                await table.reload_seats()
                entrance.read = news
        return news

    def news(self, match: int) -> int | None:
        """Return the number of a match's news; None until its subscription is confirmed."""
        entrance = self._open[match]
        return entrance.news if entrance.heard.is_set() else None


def _match_of(channel: str) -> int:
    """Return the primary key of a channel's match."""
    return int(channel.rpartition(":")[2])
