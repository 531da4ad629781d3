"""Telling a table's people who is there, who is missing, and what may be done about it."""

from __future__ import annotations

import asyncio

from games import frames
from games.headers import Header
from games.hub import Hub, Listener
from games.live import Live
from games.presence import Presence

CROWD = 8
"""Sockets at a table above which its news are gathered: many watchers must not flood each other."""

GATHERED = 0.5
"""Seconds for which a crowded table's news are gathered."""


class Attendance:
    """Makes the `table` messages of this process, and sends them when something changed."""

    def __init__(self, hub: Hub, presence: Presence) -> None:
        self._hub = hub
        self._presence = presence
        self._wanted: dict[int, dict[int, bool]] = {}
        self._away: dict[int, frozenset[int]] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._gathering: dict[int, asyncio.TimerHandle] = {}
        self._texts: dict[tuple[int | None, bool], str] | None = None

    def frame(self, live: Live, listener: Listener) -> str:
        """Return the `table` message for one listener; made once a kind while all are told."""
        if self._texts is None:
            return self._make(live, listener)
        creator = listener.player is not None and listener.player == live.header.creator
        key = (listener.seat, creator)
        if key not in self._texts:
            self._texts[key] = self._make(live, listener)
        return self._texts[key]

    def _make(self, live: Live, listener: Listener) -> str:
        online, watchers = self._presence.online(live.pk)
        return frames.table(
            live,
            seat=listener.seat,
            player=listener.player,
            online=online,
            watchers=watchers,
            away=self._presence.away(live),
            grace=self._presence.grace,
            wanted=self._wanted.get(live.pk, {}),
        )

    def moved(self, live: Live) -> None:
        """Note that the match went on: others must act now."""
        if frozenset(self._presence.away(live)) != self._away.get(live.pk, frozenset()):
            self.changed(live)

    def changed(self, live: Live) -> None:
        """Tell everybody here how the table stands, and again when something is to be offered."""
        if self._hub.crowd(live.pk) <= CROWD:
            self._tell(live)
        elif live.pk not in self._gathering:
            loop = asyncio.get_running_loop()
            self._gathering[live.pk] = loop.call_later(GATHERED, self._tell, live)

    def _tell(self, live: Live) -> None:
        for timers in (self._timers, self._gathering):
            timer = timers.pop(live.pk, None)
            if timer is not None:
                timer.cancel()
        away = self._presence.away(live)
        self._texts = {}
        self._hub.tell_table(live)
        self._texts = None
        if not self._hub.listened(live.pk):
            self._forget(live.pk)
            return
        self._away[live.pk] = frozenset(away)
        pending = [self._presence.grace - seconds for seconds in away.values()]
        soonest = min((wait for wait in pending if wait > 0), default=None)
        if soonest is not None:
            loop = asyncio.get_running_loop()
            self._timers[live.pk] = loop.call_later(soonest + 0.05, self.changed, live)

    def offered(self, live: Live, seat: int) -> bool:
        """Whether those who wait for ``seat`` may do something about it now."""
        return self._presence.away(live).get(seat, 0.0) >= self._presence.grace

    def wants_rematch(self, live: Live, seat: int, *, swap: bool) -> bool:
        """Note that a seat wants a rematch; return whether all people who stayed want the same now.

        With ``swap`` it is the same deals once more, with the seats swapped.
        """
        wanted = self._wanted.setdefault(live.pk, {})
        wanted[seat] = swap
        return all(wanted.get(other) is swap for other in stayed(live.header))

    def aclose(self) -> None:
        """Stop all timers."""
        for timers in (self._timers, self._gathering):
            for timer in timers.values():
                timer.cancel()
            timers.clear()

    def _forget(self, match: int) -> None:
        self._presence.forget(match)
        self._away.pop(match, None)
        self._wanted.pop(match, None)


def stayed(header: Header) -> set[int]:
    """Return the seats of people for whom no computer plays."""
    return {seat.seat for seat in header.seats if seat.player is not None and not seat.level}
