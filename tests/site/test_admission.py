"""The admission of websockets: who waits, who is sent away, and that no turn is lost."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.db import OperationalError

from cribbage_site.admission import AT_ONCE, Admission


class Arrival:
    """A socket that arrives: what it was sent, and when it is open."""

    def __init__(self, admission: Admission) -> None:
        self.sent: list[dict[str, Any]] = []
        self.entered = asyncio.Event()
        self._may_open = asyncio.Event()
        self.task: asyncio.Future[None] = asyncio.ensure_future(
            admission.sockets(self._opening)({}, self._receive, self._send)
        )

    async def open(self) -> None:
        """Open, as the socket would once its match is found, and stay connected."""
        self._may_open.set()
        await asyncio.sleep(0)

    async def _opening(self, scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        self.entered.set()
        await self._may_open.wait()
        scope["opened"]()
        await asyncio.Event().wait()

    async def _receive(self) -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


async def cancel(*arrivals: Arrival) -> None:
    for each in arrivals:
        each.task.cancel()
    await asyncio.gather(*(each.task for each in arrivals), return_exceptions=True)


def test_sockets_open_in_turn() -> None:
    async def scenario() -> None:
        admission = Admission(at_once=2)
        sockets = [Arrival(admission) for _ in range(4)]
        await settle()
        assert [each.entered.is_set() for each in sockets] == [True, True, False, False]
        await sockets[1].open()
        await settle()
        assert [each.entered.is_set() for each in sockets] == [True, True, True, False]
        assert (admission.opening, admission.waiting) == (2, 1)
        await cancel(*sockets)
        assert (admission.opening, admission.waiting) == (0, 0)

    asyncio.run(scenario())


def test_a_move_is_answered_before_the_sockets_that_are_queued() -> None:
    """However many come back, only those being opened take steps between two steps of a move."""
    steps = 6

    async def scenario() -> None:
        admission = Admission()
        opened = 0

        async def opening(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
            nonlocal opened
            for _ in range(steps):  # as for each batch of look-ups
                await asyncio.sleep(0)
            opened += 1
            scope["opened"]()

        arrive = admission.sockets(opening)
        crowd = [asyncio.ensure_future(arrive({}, None, None)) for _ in range(50 * AT_ONCE)]
        await asyncio.sleep(0)
        assert (admission.opening, admission.waiting) == (AT_ONCE, 49 * AT_ONCE)
        for _ in range(steps):
            await asyncio.sleep(0)
        assert opened <= AT_ONCE, "a move of six steps has been answered"
        await asyncio.gather(*crowd)
        assert opened == 50 * AT_ONCE

    asyncio.run(scenario())


def test_a_socket_that_ends_while_it_opens_or_waits_passes_its_turn_on() -> None:
    async def scenario() -> None:
        admission = Admission(at_once=1)
        first, second, third = (Arrival(admission) for _ in range(3))
        await settle()
        await cancel(second)
        await cancel(first)
        await settle()
        assert third.entered.is_set()
        await cancel(third)
        assert admission.opening == 0

    asyncio.run(scenario())


def test_a_turn_given_to_a_socket_that_is_just_ending_is_passed_on() -> None:
    async def scenario() -> None:
        admission = Admission(at_once=1)
        first, second, third = (Arrival(admission) for _ in range(3))
        await settle()
        first.task.cancel()
        await asyncio.sleep(0)  # its turn has gone to the second, which has not run yet
        second.task.cancel()
        await settle()
        assert third.entered.is_set()
        await cancel(first, second, third)
        assert admission.opening == 0

    asyncio.run(scenario())


def test_who_waits_for_too_long_is_told_when_to_come_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        # A running clock lowers the seconds that are left until the same moment.
        loop = asyncio.get_running_loop()
        now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: now)
        admission = Admission(at_once=1, max_wait=0)
        first = Arrival(admission)
        await settle()
        late = [Arrival(admission) for _ in range(3000)]
        await asyncio.gather(*(each.task for each in late))
        byes = [json.loads(each.sent[1]["text"]) for each in late]
        assert {each.sent[-1]["code"] for each in late} == {4503}
        assert {bye["d"]["code"] for bye in byes} == {"busy"}
        times = [bye["d"]["retry"] for bye in byes]
        assert times == sorted(times)
        assert times[-1] - times[0] >= 4, "they do not all come at the same time again"
        await first.open()
        await cancel(first)
        assert (admission.opening, admission.waiting) == (0, 0)

    asyncio.run(scenario())


def test_who_comes_while_the_database_is_away_is_told_when_to_come_again() -> None:
    sent: list[dict[str, Any]] = []

    async def looking_up(_scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        raise OperationalError

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def scenario() -> None:
        admission = Admission(at_once=1)
        await admission.sockets(looking_up)({}, receive, send)
        assert (admission.opening, admission.waiting) == (0, 0)

    asyncio.run(scenario())
    accepted, bye, closed = sent
    assert accepted["type"] == "websocket.accept"
    assert json.loads(bye["text"])["d"]["code"] == "busy"
    assert json.loads(bye["text"])["d"]["retry"] >= 1
    assert closed == {"type": "websocket.close", "code": 4503}
