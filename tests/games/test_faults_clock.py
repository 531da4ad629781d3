"""A server's clock that is set forward or back takes nobody's time away, and gives none."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest
from django.utils import timezone

from games import clock
from games.clock import SLACK, Clock
from games.live import Live, Matches

LIMIT = 60
HOUR = timedelta(hours=1)


class Wall:
    """The time of day, which somebody may set."""

    def __init__(self) -> None:
        self.wrong_by = timedelta()

    def now(self) -> datetime:
        return timezone.now() + self.wrong_by


class Table:
    """A match that waits for seat 0, on the clock; how long is slept, and what is given away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = Wall()
        self.slept: list[float] = []
        self.given: list[int] = []
        self.sleeps = asyncio.Event()
        self.wakes = asyncio.Event()
        begun = timezone.now()
        header = SimpleNamespace(clock=LIMIT, public_id="c7k2mxq4tz")
        self.live = cast(Live, SimpleNamespace(pk=1, version=5, header=header))
        monkeypatch.setattr(clock, "timezone", self.wall)
        monkeypatch.setattr(clock, "late_seats", lambda _: (0,))
        monkeypatch.setattr(clock, "_begun", lambda _: begun)
        monkeypatch.setattr(clock, "leave_for_good", self.leave)
        monkeypatch.setattr(clock.asyncio, "sleep", self.sleep)
        self.clock = Clock(cast(Matches, self), self.seats_changed, lambda _: None)

    async def catch_up(self, _: Live) -> bool:
        return False

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.sleeps.set()
        await self.wakes.wait()

    def leave(self, *, match: int, seat: int, timed_out: bool) -> None:
        assert match == 1 and timed_out
        self.given.append(seat)

    async def seats_changed(self, _: Live) -> None:
        self.given.append(-1)


def test_a_clock_set_forward_fires_no_timer_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour is gone on the wall: who is looked at again has the time that was left before."""

    async def session() -> None:
        table = Table(monkeypatch)
        table.clock.moved(table.live)
        await table.sleeps.wait()
        timer = table.clock._timers[1]
        table.wall.wrong_by = HOUR
        table.clock.moved(table.live)  # somebody has come or gone
        assert table.clock._timers[1] is timer
        assert LIMIT - 30 < table.slept[0] <= LIMIT + SLACK
        assert table.given == []
        table.wakes.set()
        while -1 not in table.given:
            await asyncio.wait([asyncio.create_task(table.catch_up(table.live))])
        assert table.given == [0, -1]
        await table.clock.aclose()

    asyncio.run(session())


def test_a_clock_set_back_gives_nobody_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log's last entry seems to lie ahead: the whole time is left, and no more."""

    async def session() -> None:
        table = Table(monkeypatch)
        table.wall.wrong_by = -HOUR
        table.clock.moved(table.live)
        await table.sleeps.wait()
        assert table.slept == [LIMIT + SLACK]
        await table.clock.aclose()

    asyncio.run(session())
