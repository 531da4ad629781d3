"""Telling sockets: in order, bounded, and one broken socket is nobody else's trouble."""

from __future__ import annotations

import asyncio
from typing import Any

from games import outbox
from games.chat import Room
from games.hub import Hub
from games.live import Live
from games.outbox import Outbox
from tests.games.test_protocol import live


class Listener:
    """Counts what it is told; may be broken."""

    def __init__(self, *, broken: bool = False) -> None:
        self.seat: int | None = None
        self.player: int | None = None
        self.told = 0
        self._broken = broken

    def tell(self, _: Live) -> None:
        if self._broken:
            raise ConnectionError("gone")
        self.told += 1

    tell_table = tell
    tell_clock = tell

    def tell_chat(self, live: Live, _: Room) -> None:
        self.tell(live)


def test_a_broken_listener_hurts_nobody() -> None:
    hub, match = Hub(), live()
    good, broken, late = Listener(), Listener(broken=True), Listener()
    assert hub.join(match, broken)
    assert not hub.join(match, good)
    hub.tell(match)
    hub.tell_table(match)
    assert good.told == 2
    hub.join(match, late)
    assert hub.sockets == 3
    assert not hub.leave(match, broken)
    assert not hub.leave(match, broken), "a second time is nothing"
    hub.tell(match)
    assert (good.told, late.told) == (3, 1)
    hub.leave(match, good)
    assert hub.leave(match, late)
    assert not hub.listened(match.pk)


class Slow:
    """A socket whose sends wait until they are let through."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.sent: list[str] = []
        self.dropped = 0

    async def send(self, message: dict[str, Any]) -> None:
        await self.gate.wait()
        self.sent.append(message["text"])

    def drop(self) -> None:
        self.dropped += 1


def test_messages_go_out_in_order_whoever_pushes_them() -> None:
    async def scenario() -> None:
        slow = Slow()
        box = Outbox(slow.send, slow.drop)

        async def push(start: int) -> None:
            for number in range(start, start + 5):
                box.push(str(number))

        await asyncio.create_task(push(0))
        box.put("5")
        await asyncio.create_task(push(6))
        slow.gate.set()
        await box.finish()
        assert slow.sent == [str(number) for number in range(11)]

    asyncio.run(scenario())


def test_a_socket_that_takes_nothing_is_given_up_once() -> None:
    """So many messages wait, and no more; what comes later costs nothing."""

    async def scenario() -> None:
        slow = Slow()
        box = Outbox(slow.send, slow.drop)

        async def flood() -> None:
            for _ in range(3 * outbox.MAX_WAITING):
                box.push("x")
                await asyncio.sleep(0)

        await asyncio.create_task(flood())
        assert slow.dropped == 1
        assert box.dead
        assert not slow.sent

    asyncio.run(scenario())


def test_a_full_line_keeps_messages_until_it_is_empty_again() -> None:
    """Also those that the socket's own task has flushed; too many of them end it."""

    async def scenario() -> None:
        slow = Slow()
        slow.gate.set()
        box = Outbox(slow.send, slow.drop)
        box.hold()
        for number in range(outbox.MAX_WAITING):
            box.put(str(number))
            box.flush()
            box.heard()
        assert not slow.sent
        box.release()
        await box.finish()
        assert slow.sent == [str(number) for number in range(outbox.MAX_WAITING)]
        box.hold()
        for _ in range(outbox.MAX_WAITING + 1):
            box.put("x")
            box.heard()
        assert box.given_up
        assert slow.dropped == 1

    asyncio.run(scenario())


def test_who_never_says_anything_gets_no_more_than_so_much() -> None:
    """A server that gives no sign of a full socket: the client's own words count."""

    async def scenario(*, speaks: bool) -> int:
        slow = Slow()
        slow.gate.set()
        box = Outbox(slow.send, slow.drop)
        for _ in range(80):
            box.put("x" * (outbox.MAX_UNHEARD // 64))
            box.flush()
            if speaks:
                box.heard()
        return slow.dropped

    assert asyncio.run(scenario(speaks=False)) == 1
    assert asyncio.run(scenario(speaks=True)) == 0


def test_a_send_that_fails_closes_the_outbox_quietly() -> None:
    async def scenario() -> None:
        async def send(_: dict[str, Any]) -> None:
            raise RuntimeError("after close")

        box = Outbox(send, lambda: None)
        box.put("x")
        box.flush()
        assert box.dead
        box.push("y")
        box.flush()

    asyncio.run(scenario())
