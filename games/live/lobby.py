"""The lobby: sends its sockets the list of open tables when it changes, at most once a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.archive import selectors
from games.ops import true_time
from games.people import friends
from games.people.friends import ReceivedInvitation
from games.wire.serializers import dumps

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Minimum seconds between two queries for the open tables."""


class Visitor(Protocol):
    """A socket in the lobby."""

    @property
    def player(self) -> int | None:
        """Primary key of the socket's player; None for a visitor without one."""

    @property
    def elsewhere(self) -> bool:
        """Whether the socket is on another page, which gets only friends' invitations."""

    def show(self, text: str) -> None:
        """Send a message."""


class Lobby:
    """The sockets of this process in the lobby, and what they were sent."""

    def __init__(self, online: Callable[[], int]) -> None:
        self._online = online
        self._visitors: set[Visitor] = set()
        self._looking: asyncio.Task[None] | None = None
        self._again = False
        self._shown = ""
        self._asked: dict[Visitor, list[ReceivedInvitation]] = {}

    def players(self, *, looking: bool = False) -> frozenset[int]:
        """Return the primary keys of the players in the lobby.

        ``looking``: only of those who see the open tables, and not of those on other pages.
        """
        return frozenset(
            each.player
            for each in self._visitors
            if each.player is not None and not (looking and each.elsewhere)
        )

    def enter(self, visitor: Visitor) -> None:
        """Add a socket, and send it the list of tables at once if it is known."""
        if not self._visitors:
            self._shown = ""  # not kept up to date while the lobby was empty
        self._visitors.add(visitor)
        if self._shown and not visitor.elsewhere:
            visitor.show(self._shown)
        if not self._shown or visitor.player is not None:
            self.changed()

    def leave(self, visitor: Visitor) -> None:
        """Remove a socket."""
        self._visitors.discard(visitor)
        self._asked.pop(visitor, None)

    def changed(self) -> None:
        """Query the tables and invitations again soon."""
        if not self._visitors:
            self._shown = ""
            return
        self._again = True
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())

    def aclose(self) -> None:
        """Stop querying."""
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        try:
            while self._again:
                self._again = False
                before = self._shown
                try:
                    self._shown = await self._tables()
                    asked = await database_sync_to_async(friends.table_invitations)(
                        players=self.players()
                    )
                except DatabaseError:
                    logger.exception("the open tables could not be read")
                else:
                    self._send_tables(before)
                    self._send_invitations(asked)
                await asyncio.sleep(EVERY)
        finally:
            self._looking = None

    async def _tables(self) -> str:
        """Return the `lobby` message; "" if no socket needs it."""
        if all(visitor.elsewhere for visitor in self._visitors):
            return ""
        return dumps(await database_sync_to_async(self._message)())

    def _send_tables(self, before: str) -> None:
        """Send the list of open tables if it has changed."""
        if self._shown != before:
            for visitor in tuple(self._visitors):
                if not visitor.elsewhere:
                    visitor.show(self._shown)

    def _send_invitations(self, asked: dict[int, list[ReceivedInvitation]]) -> None:
        """Send each player the invitations from friends if they have changed."""
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


def asked_message(tables: list[ReceivedInvitation]) -> dict[str, Any]:
    """Return the `asked` message: friends' invitations to their tables, and for how long."""
    now = true_time.now()
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
