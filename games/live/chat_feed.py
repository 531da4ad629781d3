"""The chat feed: reads a table's chat when a player joins or writes, and publishes it.

Chat is stored in the database only. Other processes are notified of a new line and read it there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from django.db import Error as DatabaseError

from games.live.changes import Change, ChatRead, Joined
from games.live.table import Table
from games.log.lookups import Lookups
from games.log.match_meta import MatchMeta, SeatMeta
from games.people import chat
from games.people.chat import Line, Mode, Room
from games.wire.serializers import dumps

logger = logging.getLogger(__name__)

FRESH = 5.0
"""Seconds for which a chat read from the database is reused when others join.

New lines are announced and read at once. The limit covers changes that are not announced, such as
the deletion of old lines, and times without Redis.
"""


class ChatFeed:
    """Reads the chats of tables with listeners, and publishes them as `ChatRead`."""

    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups
        self._looking: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._seats: WeakKeyDictionary[Table, tuple[SeatMeta, ...]] = WeakKeyDictionary()

    def joined(self, table: Table, change: Joined) -> None:
        """Publish the chat for a player who joined; several who join together cost one query."""
        if change.listener.seat is None:
            return
        if len(table.listeners) < 2:
            # Lines written while there were no listeners were not announced here.
            self._read(table)
        elif table.room is not None:
            table.publish(ChatRead(table.room))
        elif table.pk not in self._looking:
            self._read(table)

    def changed(self, table: Table, _: Change) -> None:
        """Read the chat of a table again, and publish it."""
        self._read(table)

    def seats_changed(self, table: Table, _: Change) -> None:
        """Do the same, unless the people are the same as when it was read: after a rematch."""
        if self._seats.get(table) != table.meta.seats:
            self._read(table)

    def _read(self, table: Table) -> None:
        table.room = None
        if not table.listeners:
            return
        if len(table.meta.people()) < 2:
            table.publish(ChatRead(chat.EMPTY))
            return
        self._again.add(table.pk)
        if table.pk not in self._looking:
            self._looking[table.pk] = asyncio.create_task(self._look(table))

    async def aclose(self) -> None:
        """Stop reading."""
        tasks = list(self._looking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self, table: Table) -> None:
        try:
            while table.pk in self._again:
                self._again.discard(table.pk)
                self._seats[table] = table.meta.seats
                room = await self._lookups.get(chat.load_rooms, table.pk) or chat.EMPTY
                if table.pk in self._again:
                    continue  # it may have been read before a block that was confirmed since
                self._keep(table, room)
                table.publish(ChatRead(room))
        except DatabaseError:
            logger.exception("the chat of match %s could not be read", table.meta.public_id)
            self._seats.pop(table, None)
        finally:
            self._again.discard(table.pk)
            self._looking.pop(table.pk, None)

    def _keep(self, table: Table, room: Room) -> None:
        table.room = room
        asyncio.get_running_loop().call_later(FRESH, self._drop, table, room)

    def _drop(self, table: Table, room: Room) -> None:
        if table.room is room:
            table.room = None


class ChatDelivery:
    """Delivers a table's chat to one player: knows what they have been sent already."""

    def __init__(self) -> None:
        self._state = ""
        self._lines: set[int] = set()

    def updates(self, meta: MatchMeta, room: Room, player: int) -> list[str]:
        """Return the messages that bring the player up to date; none if they already are.

        New lines are sent as `said` messages. If anything else has changed, the whole chat is sent.
        """
        lines = room.shown_to(player)
        state = _state(meta, room, player)
        text = dumps(state)
        fresh = [line for line in lines if line.number not in self._lines]
        self._lines = {line.number for line in lines}
        if text == self._state:
            return [dumps(said_message(meta, line, player)) for line in fresh]
        before, self._state = self._state, text
        if not before and room.mode is Mode.NONE:
            return []
        return [dumps(chat_message(state, meta, lines, player))]


def _state(meta: MatchMeta, room: Room, player: int) -> dict[str, Any]:
    """Return a player's chat settings and the state of the chat, without its lines."""
    seats = {seat.player: seat.seat for seat in meta.seats if not seat.computer}
    others = [key for key in room.reads if key != player and key in seats]
    barred = room.barred.get(player)
    return {
        "mode": room.mode.value,
        "on": room.reads.get(player, True),
        "silent": sorted(seats[key] for key in others if not room.reads[key]),
        "muted": sorted(seats[key] for key in others if (player, key) in room.mutes),
        "blocked": sorted(seats[key] for key in others if (player, key) in room.blocks),
        "barred": None
        if barred is None
        else {"until": barred.until.isoformat(timespec="seconds"), "reason": barred.reason},
    }


def chat_message(
    state: dict[str, Any], meta: MatchMeta, lines: Sequence[Line], player: int
) -> dict[str, Any]:
    """Return the `chat` message for one player: the lines they may read, and the chat's state."""
    return {"t": "chat", "d": {**state, "lines": [_line(meta, line, player) for line in lines]}}


def said_message(meta: MatchMeta, line: Line, player: int) -> dict[str, Any]:
    """Return the `said` message with one new line."""
    return {"t": "said", "d": _line(meta, line, player)}


def _line(meta: MatchMeta, line: Line, player: int) -> dict[str, Any]:
    seat = next((s.seat for s in meta.seats if s.player == line.author and not s.computer), None)
    return {
        "n": line.number,
        "seat": seat,
        "name": line.name,
        "own": line.author == player,
        "phrase": line.phrase or None,
        "text": line.text or None,
        "at": line.at.isoformat(timespec="seconds"),
    }
