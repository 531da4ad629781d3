"""The chats of this process: looked up when somebody comes or something is new, then told.

What is said is in the database alone. Other processes hear that there is something, and look.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games import chat
from games.chat import Line, Mode, Room
from games.headers import Header
from games.hub import Hub
from games.live import Live
from games.wire import dumps

logger = logging.getLogger(__name__)

FRESH = 5.0
"""Seconds for which a chat that was looked up is good for whoever else comes.

What is new is heard of and looked up at once. Not all is said, though: lines are deleted when they
are old, and Redis may be away.
"""


class Conversations:
    """Tells the chats of matches to those who listen here."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._looking: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._fresh: dict[int, Room] = {}

    def came(self, live: Live) -> None:
        """Tell the chat of a match to who has just come; those who come together cost one look."""
        room = self._fresh.get(live.pk)
        if self._hub.crowd(live.pk) < 2:
            # What was new while nobody listened was not heard of here.
            self.changed(live)
        elif room is not None:
            self._hub.tell_chat(live, room)
        elif live.pk not in self._looking:
            self.changed(live)

    def changed(self, live: Live) -> None:
        """Look at the chat of a match again, and tell what is new."""
        self._fresh.pop(live.pk, None)
        if not self._hub.listened(live.pk):
            return
        if len(live.header.people()) < 2:
            self._hub.tell_chat(live, chat.EMPTY)
            return
        self._again.add(live.pk)
        if live.pk not in self._looking:
            self._looking[live.pk] = asyncio.create_task(self._look(live))

    async def aclose(self) -> None:
        """Stop looking."""
        tasks = list(self._looking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self, live: Live) -> None:
        try:
            while live.pk in self._again:
                self._again.discard(live.pk)
                room = await database_sync_to_async(chat.look)(match=live.pk)
                if live.pk not in self._again:
                    self._keep(live.pk, room)
                self._hub.tell_chat(live, room)
        except DatabaseError:
            logger.exception("the chat of match %s could not be read", live.header.public_id)
        finally:
            self._again.discard(live.pk)
            self._looking.pop(live.pk, None)

    def _keep(self, match: int, room: Room) -> None:
        self._fresh[match] = room
        asyncio.get_running_loop().call_later(FRESH, self._drop, match, room)

    def _drop(self, match: int, room: Room) -> None:
        if self._fresh.get(match) is room:
            del self._fresh[match]


class Told:
    """What one person at a table has been sent of its chat."""

    def __init__(self) -> None:
        self._state = ""
        self._lines: set[int] = set()

    def news(self, header: Header, room: Room, player: int) -> list[str]:
        """Return the messages that bring him up to date, none where he is.

        A new line by itself is a `said`; where anything else has changed it is all told anew.
        """
        lines = room.shown_to(player)
        state = _state(header, room, player)
        text = dumps(state)
        fresh = [line for line in lines if line.number not in self._lines]
        self._lines = {line.number for line in lines}
        if text == self._state:
            return [dumps(said_message(header, line, player)) for line in fresh]
        before, self._state = self._state, text
        if not before and room.mode is Mode.NONE:
            return []
        return [dumps(chat_message(state, header, lines, player))]


def _state(header: Header, room: Room, player: int) -> dict[str, Any]:
    """Return the chat of one person without its lines."""
    seats = {seat.player: seat.seat for seat in header.seats if not seat.computer}
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
    state: dict[str, Any], header: Header, lines: Sequence[Line], player: int
) -> dict[str, Any]:
    """Return the message with all that one person may read, and how the chat stands for him."""
    return {"t": "chat", "d": {**state, "lines": [_line(header, line, player) for line in lines]}}


def said_message(header: Header, line: Line, player: int) -> dict[str, Any]:
    """Return the message with one new line."""
    return {"t": "said", "d": _line(header, line, player)}


def _line(header: Header, line: Line, player: int) -> dict[str, Any]:
    seat = next((s.seat for s in header.seats if s.player == line.author and not s.computer), None)
    return {
        "n": line.number,
        "seat": seat,
        "name": line.name,
        "own": line.author == player,
        "phrase": line.phrase or None,
        "text": line.text or None,
        "at": line.at.isoformat(timespec="seconds"),
    }
