"""Attendance: when to send the `table` message, which says who is connected, absent or idle."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakKeyDictionary

from games.engine.state import Phase
from games.live import jit_warmup, messages
from games.live.changes import AttendanceChanged, Change, Left, Listener
from games.live.idleness import Idleness
from games.live.presence import Presence
from games.live.table import Table
from games.log.claims import Claim
from games.log.match_meta import MatchMeta

CROWD = 8
"""Number of sockets at a table above which changes are collected, to avoid floods of messages."""

COLLECT = 0.5
"""Seconds for which the changes of a crowded table are collected."""

GOING = 0.1
"""Seconds for which leaving is collected.

After a match both players go to the next one together, and who reloads the page is back at once.
"""

LOOK_AGAIN = 0.25
"""Seconds at least until the next look at who is absent or idle.

The idle time of a player who is connected to another process stands still between its heartbeats.
"""


class Attendance:
    """Publishes `AttendanceChanged` when someone comes, leaves, or becomes absent or idle."""

    def __init__(self, presence: Presence, idleness: Idleness) -> None:
        self._presence = presence
        self._idleness = idleness
        self._awaited: dict[int, frozenset[int]] = {}
        self._latest: WeakKeyDictionary[Table, _Attendees] = WeakKeyDictionary()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._collecting: dict[int, asyncio.TimerHandle] = {}

    def message_for(self, table: Table, listener: Listener) -> str:
        """Return the `table` message for one listener."""
        away, idle = self._presence.absences(table), self._idleness.seconds(table)
        attendees = self._attendees(table, away, self._idleness.asked(idle))
        return self._text(table, attendees, listener)

    def moved(self, table: Table, _: Change) -> None:
        """Publish if the match is over, or players are away or idle (offers hold for a version)."""
        over = table.state.phase is Phase.OVER
        away, idle = self._presence.absences(table), self._idleness.seconds(table)
        if over or away or self._idleness.asked(idle) or self._awaited.get(table.pk):
            self._schedule(table)
        elif table.pk not in self._timers:
            self._start_timer(table, away, idle)

    def changed(self, table: Table, _: Change) -> None:
        """Publish who is there; at a crowded table, changes within `COLLECT` share a message."""
        self._schedule(table)

    def left(self, table: Table, change: Left) -> None:
        """Publish who is still there in a moment, in which others may leave as well, or return."""
        if change.last:
            self._publish(table)
        else:
            self._collect(table, COLLECT if len(table.listeners) > CROWD else GOING)

    def offered(self, table: Table, missed: int, seat: int) -> Claim | None:
        """Return why ``seat`` may act for a player: they were away or idle for too long."""
        if self._presence.absences(table).get(missed, 0.0) >= self._presence.grace:
            return "absent"
        return "idle" if self._idleness.offered(table, missed, seat) else None

    def _attendees(
        self, table: Table, away: dict[int, float], idle: dict[int, float]
    ) -> _Attendees:
        """Return who is there; the same value as before if no message would differ.

        ``idle``: only those who have been idle for so long that everyone sees it.
        """
        online, watchers = self._presence.online(table)
        meta = table.meta
        state = (
            *(meta, table.state.phase is Phase.OVER, online, watchers),
            *(dict(table.rematch), table.rematch_stalled),
            *(away, idle, table.version if away or idle else None),
            tuple(jit_warmup.is_preparing(seat.level) for seat in meta.seats),
        )
        known = self._latest.get(table)
        if known is None or known.state != state:
            known = self._latest[table] = _Attendees(state, online, watchers, away, idle)
        return known

    def _text(self, table: Table, attendees: _Attendees, listener: Listener) -> str:
        """Return the message for one listener; those who see the same thing share a text."""
        creator = listener.player is not None and listener.player == table.meta.creator
        seat = listener.seat
        key = (seat, creator)
        text = attendees.texts.get(key)
        if text is not None:
            return text
        seated = seat is not None
        common = attendees.common.get(seated)
        if common is None:
            common = attendees.common[seated] = messages.table_common(
                table,
                seated=seated,
                online=attendees.online,
                watchers=attendees.watchers,
                wanted=table.wishes(attendees.online),
                stalled=table.rematch_stalled,
            )
        text = attendees.texts[key] = messages.table(
            table,
            common,
            seat=seat,
            creator=creator,
            away=attendees.away,
            grace=self._presence.grace,
            idle=attendees.idle,
            idle_limit=self._idleness.limit,
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
        else:
            self._collect(table, COLLECT)

    def _collect(self, table: Table, seconds: float) -> None:
        """Publish after so many seconds, with all that changes until then."""
        if table.pk not in self._collecting:
            loop = asyncio.get_running_loop()
            self._collecting[table.pk] = loop.call_later(seconds, self._publish, table)

    def _publish(self, table: Table) -> None:
        """Publish now, and again when the others may act for a player who is absent or idle."""
        for timers in (self._timers, self._collecting):
            timer = timers.pop(table.pk, None)
            if timer is not None:
                timer.cancel()
        if not table.listeners:
            self._awaited.pop(table.pk, None)
            self._latest.pop(table, None)
            return
        away, idle = self._presence.absences(table), self._idleness.seconds(table)
        attendees = self._attendees(table, away, self._idleness.asked(idle))
        table.publish(AttendanceChanged(partial(self._text, table, attendees)))
        self._awaited[table.pk] = frozenset((*attendees.away, *attendees.idle))
        self._start_timer(table, away, idle)

    def _start_timer(self, table: Table, away: dict[int, float], idle: dict[int, float]) -> None:
        """Publish again when the next player is asked to play, or may be acted for.

        A timer is not moved when its player acts: it then finds nothing new, and starts again.
        """
        absent = (self._presence.grace - each for each in away.values())
        waits = [self._idleness.next_change(idle), *absent]
        soonest = min((wait for wait in waits if wait is not None and wait > 0), default=None)
        if soonest is not None:
            loop = asyncio.get_running_loop()
            wait = max(soonest, LOOK_AGAIN) + 0.05
            self._timers[table.pk] = loop.call_later(wait, self._schedule, table)


@dataclass(slots=True)
class _Attendees:
    """The contents of `table` messages at one moment, with the texts made so far.

    Attributes:
        state: all that a text depends on, apart from its recipient.
        online: seats with a socket.
        watchers: number of watchers.
        away: seat -> seconds for which its player has been absent although they must act.
        idle: seat -> seconds for which its player has been asked to act, if that is long.
        common: what the texts for players, or for watchers, have in common.
        texts: by seat, and whether the recipient created the match.
    """

    state: tuple[object, ...]
    online: frozenset[int]
    watchers: int
    away: dict[int, float]
    idle: dict[int, float]
    common: dict[bool, str] = field(default_factory=dict)
    texts: dict[tuple[int | None, bool], str] = field(default_factory=dict)


def seats_of_people(meta: MatchMeta) -> set[int]:
    """Return the seats of people who play for themselves, without a substitute."""
    return {seat.seat for seat in meta.seats if seat.player is not None and not seat.level}
