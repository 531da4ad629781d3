"""Attendance: when to send the `table` message, which says who is connected and who is absent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakKeyDictionary

from games.engine.state import Phase
from games.live import jit_warmup, messages
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
        self._latest: WeakKeyDictionary[Table, _Attendees] = WeakKeyDictionary()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._collecting: dict[int, asyncio.TimerHandle] = {}

    def message_for(self, table: Table, listener: Listener) -> str:
        """Return the `table` message for one listener."""
        return self._text(table, self._attendees(table), listener)

    def moved(self, table: Table, _: Change) -> None:
        """Publish if the match is over, or players are absent (offers hold for one version)."""
        over = table.state.phase is Phase.OVER
        if over or self._presence.absences(table) or self._away.get(table.pk):
            self._schedule(table)

    def changed(self, table: Table, _: Change) -> None:
        """Publish who is there; at a crowded table, changes within `COLLECT` share a message."""
        self._schedule(table)

    def offered(self, table: Table, seat: int) -> bool:
        """Return whether the others may act for ``seat``, whose player has been away too long."""
        return self._presence.absences(table).get(seat, 0.0) >= self._presence.grace

    def _attendees(self, table: Table) -> _Attendees:
        """Return who is there; the same value as before if no message would differ."""
        online, watchers = self._presence.online(table)
        away = self._presence.absences(table)
        meta = table.meta
        state = (
            *(meta, table.state.phase is Phase.OVER, online, watchers),
            *(dict(table.rematch), away, table.version if away else None),
            tuple(jit_warmup.is_preparing(seat.level) for seat in meta.seats),
        )
        known = self._latest.get(table)
        if known is None or known.state != state:
            known = self._latest[table] = _Attendees(state, online, watchers, away)
        return known

    def _text(self, table: Table, attendees: _Attendees, listener: Listener) -> str:
        """Return the message for one listener; those who see the same thing share a text."""
        creator = listener.player is not None and listener.player == table.meta.creator
        key = (listener.seat, creator)
        text = attendees.texts.get(key)
        if text is None:
            text = attendees.texts[key] = messages.table(
                table,
                seat=listener.seat,
                player=listener.player,
                online=attendees.online,
                watchers=attendees.watchers,
                away=attendees.away,
                grace=self._presence.grace,
                wanted=table.wishes(attendees.online),
            )
        return text

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
        if not table.listeners:
            self._away.pop(table.pk, None)
            self._latest.pop(table, None)
            return
        attendees = self._attendees(table)
        table.publish(AttendanceChanged(partial(self._text, table, attendees)))
        away = attendees.away
        self._away[table.pk] = frozenset(away)
        pending = [self._presence.grace - seconds for seconds in away.values()]
        soonest = min((wait for wait in pending if wait > 0), default=None)
        if soonest is not None:
            loop = asyncio.get_running_loop()
            self._timers[table.pk] = loop.call_later(soonest + 0.05, self._schedule, table)


@dataclass(slots=True)
class _Attendees:
    """What `table` messages say at one moment, with the texts made so far.

    Attributes:
        state: all that a text depends on, apart from its recipient.
        online: seats with a socket.
        watchers: number of watchers.
        away: seat -> seconds for which its player has been absent although they must act.
        texts: by seat, and whether the recipient created the match.
    """

    state: tuple[object, ...]
    online: frozenset[int]
    watchers: int
    away: dict[int, float]
    texts: dict[tuple[int | None, bool], str] = field(default_factory=dict)


def seats_of_people(meta: MatchMeta) -> set[int]:
    """Return the seats of people who play for themselves, without a substitute."""
    return {seat.seat for seat in meta.seats if seat.player is not None and not seat.level}
