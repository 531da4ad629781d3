"""Setting the server's clock forward or back neither costs nor gives players time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live import turn_clock
from games.live.match_cache import MatchCache
from games.live.table import Table
from games.live.turn_clock import SLACK, TurnClock
from games.log.lookups import Lookups
from tests.support.live_tables import new_table

LIMIT = 60
PATIENCE = 90
"""Seconds for a thread to answer; a failure would wait without end."""
HOUR = timedelta(hours=1)


class Wall:
    """A wall clock that a test can set wrong."""

    def __init__(self) -> None:
        self.wrong_by = timedelta()

    def now(self) -> datetime:
        return timezone.now() + self.wrong_by


class OneDeadline:
    """Look-ups that find the same time limit for each match."""

    def __init__(self, due: datetime) -> None:
        self._due = due

    async def get(self, _: object, match: int) -> datetime:
        return self._due


class LateMatch:
    """A match whose clock runs for seat 0; records the timers' sleeps and the seats given away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = Wall()
        self.slept: list[float] = []
        self.given: list[int] = []
        self.sleeps = asyncio.Event()
        self.wakes = asyncio.Event()
        begun = timezone.now()
        due = begun + timedelta(seconds=LIMIT)
        self.table = new_table()
        self.table.meta = replace(self.table.meta, clock=LIMIT)
        monkeypatch.setattr(Table, "follow_log", self.catch_up)
        monkeypatch.setattr(Table, "reload_seats", self.seats_changed)
        monkeypatch.setattr(turn_clock, "true_time", self.wall)
        monkeypatch.setattr(turn_clock, "late_seats", lambda _: (0,))
        monkeypatch.setattr(turn_clock, "leave_for_good", self.leave)
        # Channels would look after the connection that an earlier test opened in the same thread.
        monkeypatch.setattr(turn_clock, "database_sync_to_async", sync_to_async)
        monkeypatch.setattr(asyncio, "sleep", self.sleep)
        self.clock = TurnClock(cast(MatchCache, None), cast(Lookups, OneDeadline(due)))

    async def catch_up(self) -> bool:
        return False

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.sleeps.set()
        await self.wakes.wait()

    def leave(self, *, match: int, seat: int, timed_out: bool, version: int) -> None:
        assert match == 1 and timed_out and version == self.table.version
        self.given.append(seat)

    async def seats_changed(self) -> None:
        self.given.append(-1)


def test_setting_the_clock_forward_does_not_fire_a_running_timer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The wall clock jumps by an hour: the running timer is kept, with the time that was left."""

    async def session() -> None:
        late = LateMatch(monkeypatch)
        late.clock.changed(late.table)
        await late.sleeps.wait()
        timer = late.clock._timers[1]
        late.wall.wrong_by = HOUR
        late.clock.changed(late.table)  # as when a player connects or disconnects
        assert late.clock._timers[1] is timer
        assert LIMIT - 30 < late.slept[0] <= LIMIT + SLACK
        assert late.given == []
        late.wakes.set()
        async with asyncio.timeout(PATIENCE):
            while -1 not in late.given:
                await asyncio.wait([asyncio.create_task(late.catch_up())])
        assert late.given == [0, -1]
        await late.clock.aclose()

    asyncio.run(session())


def test_setting_the_clock_back_does_not_extend_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last log entry appears to be in the future: the full time is left, and no more."""

    async def session() -> None:
        late = LateMatch(monkeypatch)
        late.wall.wrong_by = -HOUR
        late.clock.changed(late.table)
        await late.sleeps.wait()
        assert late.slept == [LIMIT + SLACK]
        await late.clock.aclose()

    asyncio.run(session())
