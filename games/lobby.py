"""The lobby's sockets: the open tables, whenever they change, at most once a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.utils import timezone

from games import friends, selectors
from games.friends import AskedToTable
from games.wire import dumps

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two looks at the open tables."""


class Visitor(Protocol):
    """A socket in the lobby."""

    @property
    def player(self) -> int | None:
        """Primary key of who looks in, None for a visitor."""

    @property
    def elsewhere(self) -> bool:
        """Whether he is on another page, where he is told alone who asks him to a table."""

    def show(self, text: str) -> None:
        """Send the `lobby` message."""


class Lobby:
    """Who is in the lobby of this process, and what they are shown."""

    def __init__(self, online: Callable[[], int]) -> None:
        self._online = online
        self._visitors: set[Visitor] = set()
        self._looking: asyncio.Task[None] | None = None
        self._again = False
        self._shown = ""
        self._asked: dict[Visitor, list[AskedToTable]] = {}

    def players(self) -> frozenset[int]:
        """Return who is in the lobby, by primary key."""
        return frozenset(each.player for each in self._visitors if each.player is not None)

    def enter(self, visitor: Visitor) -> None:
        """Add somebody; he is shown the tables at once if they are known."""
        if not self._visitors:
            self._shown = ""  # nobody has kept it up to date
        self._visitors.add(visitor)
        if self._shown and not visitor.elsewhere:
            visitor.show(self._shown)
        if not self._shown or visitor.player is not None:
            self.changed()

    def leave(self, visitor: Visitor) -> None:
        """Take somebody out."""
        self._visitors.discard(visitor)
        self._asked.pop(visitor, None)

    def changed(self) -> None:
        """Look at the tables again, soon."""
        if not self._visitors:
            self._shown = ""
            return
        self._again = True
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())

    def aclose(self) -> None:
        """Stop looking."""
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        try:
            while self._again:
                self._again = False
                before = self._shown
                try:
                    self._shown = await self._tables()
                    asked = await database_sync_to_async(friends.asked_to_tables)(
                        players=self.players()
                    )
                except DatabaseError:
                    logger.exception("the open tables could not be read")
                else:
                    self._tell_tables(before)
                    self._tell_asked(asked)
                await asyncio.sleep(EVERY)
        finally:
            self._looking = None

    async def _tables(self) -> str:
        """Return the `lobby` message; "" where nobody is here for it."""
        if all(visitor.elsewhere for visitor in self._visitors):
            return ""
        return dumps(await database_sync_to_async(self._message)())

    def _tell_tables(self, before: str) -> None:
        """Tell those in the lobby of the open tables, where that is news to anybody."""
        if self._shown != before:
            for visitor in tuple(self._visitors):
                if not visitor.elsewhere:
                    visitor.show(self._shown)

    def _tell_asked(self, asked: dict[int, list[AskedToTable]]) -> None:
        """Tell those whom friends ask to their tables, where that has changed."""
        for visitor in tuple(self._visitors):
            now = asked.get(visitor.player or 0, [])
            if now != self._asked.get(visitor, []):
                self._asked[visitor] = now
                visitor.show(dumps(asked_message(now)))

    def _message(self) -> dict[str, Any]:
        tables = [
            {
                "match": table.public_id,
                "creator": table.creator,
                "players": table.ruleset.players,
                "free": table.free,
                "target": table.ruleset.target,
                "counting": table.ruleset.counting,
                "muggins": table.ruleset.muggins,
                "games": table.ruleset.games,
                "join": f"/join/{table.invite}/",
                "created": table.created_at.isoformat(timespec="seconds"),
            }
            for table in selectors.lobby_tables()
        ]
        return {"t": "lobby", "d": {"tables": tables, "online": self._online()}}


def asked_message(tables: list[AskedToTable]) -> dict[str, Any]:
    """Return the message that says which friends' tables wait for one visitor, and how long."""
    now = timezone.now()
    told = [
        {
            "match": table.match,
            "by": table.inviter,
            "join": f"/join/{table.invite}/",
            "left": max(0, int((table.until - now).total_seconds())),
        }
        for table in tables
    ]
    return {"t": "asked", "d": {"tables": told}}
