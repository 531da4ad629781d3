"""Attendance: when to send the `table` message, which says who is connected and who is absent."""

from __future__ import annotations

import asyncio

from games.live import messages
from games.live.changes import AttendanceChanged, Change
from games.live.presence import Presence
from games.live.table import Listener, Table
from games.log.match_meta import MatchMeta

CROWD = 8
"""Number of sockets at a table above which changes are collected, to avoid floods of messages."""

COLLECT = 0.5
"""Seconds for which the changes of a crowded table are collected."""


class Attendance:
    """Publishes `AttendanceChanged` when a player or watcher comes, leaves or becomes absent."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._away: dict[int, frozenset[int]] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._collecting: dict[int, asyncio.TimerHandle] = {}

    def message_for(self, table: Table, listener: Listener) -> str:
        """Return the `table` message for one listener."""
        online, watchers = self._presence.online(table)
        return messages.table(
            table,
            seat=listener.seat,
            player=listener.player,
            online=online,
            watchers=watchers,
            away=self._presence.absences(table),
            grace=self._presence.grace,
            wanted=table.rematch,
        )

    def moved(self, table: Table, _: Change) -> None:
        """Publish if, after a move, different absent players have to act."""
        if frozenset(self._presence.absences(table)) != self._away.get(table.pk, frozenset()):
            self._schedule(table)

    def changed(self, table: Table, _: Change) -> None:
        """Publish who is there; at a crowded table, changes within `COLLECT` share a message."""
        self._schedule(table)

    def offered(self, table: Table, seat: int) -> bool:
        """Return whether the others may act for ``seat``, whose player has been away too long."""
        return self._presence.absences(table).get(seat, 0.0) >= self._presence.grace

    def aclose(self) -> None:
        """Stop all timers."""
        for timers in (self._timers, self._collecting):
            for timer in timers.values():
                timer.cancel()
            timers.clear()

    def _schedule(self, table: Table) -> None:
        if len(table.listeners) <= CROWD:
            self._publish(table)
        elif table.pk not in self._collecting:
            loop = asyncio.get_running_loop()
            self._collecting[table.pk] = loop.call_later(COLLECT, self._publish, table)

    def _publish(self, table: Table) -> None:
        """Publish now, and again when an absent player's grace period ends."""
        for timers in (self._timers, self._collecting):
            timer = timers.pop(table.pk, None)
            if timer is not None:
                timer.cancel()
        away = self._presence.absences(table)
        if not table.listeners:
            self._away.pop(table.pk, None)
            return
        table.publish(AttendanceChanged(_Messages(self, table)))
        self._away[table.pk] = frozenset(away)
        pending = [self._presence.grace - seconds for seconds in away.values()]
        soonest = min((wait for wait in pending if wait > 0), default=None)
        if soonest is not None:
            loop = asyncio.get_running_loop()
            self._timers[table.pk] = loop.call_later(soonest + 0.05, self._schedule, table)


class _Messages:
    """The `table` messages for one change; listeners who see the same thing share a text."""

    def __init__(self, attendance: Attendance, table: Table) -> None:
        self._attendance = attendance
        self._table = table
        self._texts: dict[tuple[int | None, bool], str] = {}

    def __call__(self, listener: Listener) -> str:
        creator = listener.player is not None and listener.player == self._table.meta.creator
        key = (listener.seat, creator)
        if key not in self._texts:
            self._texts[key] = self._attendance.message_for(self._table, listener)
        return self._texts[key]


def seats_of_people(meta: MatchMeta) -> set[int]:
    """Return the seats of people who play for themselves, without a substitute."""
    return {seat.seat for seat in meta.seats if seat.player is not None and not seat.level}
