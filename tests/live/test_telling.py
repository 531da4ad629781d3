"""Sending to sockets: in order, bounded, and isolated from broken sockets."""

from __future__ import annotations

import asyncio
from typing import Any

from games.live.changes import Change, ChangeStream, Joined, Left, Moved
from games.live.table import Table
from games.sockets import send_queue
from games.sockets.send_queue import SendQueue
from tests.support.live_tables import new_table


class Listener:
    """Records the changes it is notified of; may be broken."""

    def __init__(self, *, broken: bool = False) -> None:
        self.seat: int | None = None
        self.player: int | None = None
        self.heard: list[Change] = []
        self._broken = broken

    def notify(self, _: Table, change: Change) -> None:
        if self._broken:
            raise ConnectionError("gone")
        self.heard.append(change)


def moves(listener: Listener) -> int:
    """Return how many moves a listener was notified of."""
    return sum(isinstance(change, Moved) for change in listener.heard)


def fail(_: Table, change: Moved) -> None:
    raise ZeroDivisionError


def test_a_broken_listener_does_not_affect_others() -> None:
    subscribed: list[Change] = []
    stream = ChangeStream()
    stream.subscribe(Moved, fail)
    for kind in (Joined, Left, Moved):
        stream.subscribe(kind, lambda _, change: subscribed.append(change))
    table = new_table(stream=stream)
    good, broken, late = Listener(), Listener(broken=True), Listener()
    table.join(broken)
    table.join(good)
    assert subscribed == [Joined(broken, first=True), Joined(good, first=False)]
    table.publish(Moved(own=True))
    assert moves(good) == 1
    assert subscribed[-1] == Moved(own=True), "one subscriber failed, the next was still called"
    table.join(late)
    table.leave(broken)
    table.leave(broken)
    assert subscribed[-1] == Left(broken, last=False), "leaving twice has no effect"
    table.publish(Moved(own=False))
    assert (moves(good), moves(late)) == (2, 1)
    table.leave(good)
    table.leave(late)
    assert subscribed[-1] == Left(late, last=True)
    assert not table.listeners


class Slow:
    """A socket whose sends block until its gate opens."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.sent: list[str] = []
        self.dropped = 0

    async def send(self, message: dict[str, Any]) -> None:
        await self.gate.wait()
        self.sent.append(message["text"])

    def drop(self) -> None:
        self.dropped += 1


def test_messages_from_different_tasks_go_out_in_order() -> None:
    async def scenario() -> None:
        slow = Slow()
        queue = SendQueue(slow.send, slow.drop)

        async def push(start: int) -> None:
            for number in range(start, start + 5):
                queue.push(str(number))

        await asyncio.create_task(push(0))
        queue.put("5")
        await asyncio.create_task(push(6))
        slow.gate.set()
        await queue.finish()
        assert slow.sent == [str(number) for number in range(11)]

    asyncio.run(scenario())


def test_nothing_follows_the_last_message() -> None:
    """Whatever happens at the table while a connection is being closed."""

    async def scenario() -> None:
        slow = Slow()
        queue = SendQueue(slow.send, slow.drop)
        await asyncio.create_task(push_to(queue, "waiting"))
        queue.put("bye")
        queue.seal()
        await asyncio.create_task(push_to(queue, "late"))
        queue.put("later")
        slow.gate.set()
        await queue.finish()
        assert slow.sent == ["waiting", "bye"]
        assert slow.dropped == 0

    async def push_to(queue: SendQueue, text: str) -> None:
        queue.push(text)

    asyncio.run(scenario())


def test_a_blocked_socket_is_dropped_once() -> None:
    """The queue is bounded; messages after the drop are discarded."""

    async def scenario() -> None:
        slow = Slow()
        queue = SendQueue(slow.send, slow.drop)

        async def flood() -> None:
            for _ in range(3 * send_queue.MAX_WAITING):
                queue.push("x")
                await asyncio.sleep(0)

        await asyncio.create_task(flood())
        assert slow.dropped == 1
        assert queue.closed
        assert not slow.sent

    asyncio.run(scenario())


def test_a_held_queue_keeps_messages_until_it_is_released() -> None:
    """This includes messages flushed by the socket's own task; too many of them drop the socket."""

    async def scenario() -> None:
        slow = Slow()
        slow.gate.set()
        queue = SendQueue(slow.send, slow.drop)
        queue.pause()
        for number in range(send_queue.MAX_WAITING):
            queue.put(str(number))
            queue.flush()
            queue.client_active()
        assert not slow.sent
        queue.resume()
        await queue.finish()
        assert slow.sent == [str(number) for number in range(send_queue.MAX_WAITING)]
        queue.pause()
        for _ in range(send_queue.MAX_WAITING + 1):
            queue.put("x")
            queue.client_active()
        assert queue.overflowed
        assert slow.dropped == 1

    asyncio.run(scenario())


def test_a_client_that_never_sends_anything_is_dropped_at_a_limit() -> None:
    """For servers without backpressure signals: the client's own messages show that it is alive."""

    async def scenario(*, speaks: bool) -> int:
        slow = Slow()
        slow.gate.set()
        queue = SendQueue(slow.send, slow.drop)
        for _ in range(80):
            queue.put("x" * (send_queue.MAX_UNANSWERED // 64))
            queue.flush()
            if speaks:
                queue.client_active()
        return slow.dropped

    assert asyncio.run(scenario(speaks=False)) == 1
    assert asyncio.run(scenario(speaks=True)) == 0


def test_a_single_reply_over_the_limit_is_sent() -> None:
    """Only accumulated messages end a connection: the longest one does not count."""

    async def scenario() -> None:
        slow = Slow()
        slow.gate.set()
        queue = SendQueue(slow.send, slow.drop)
        long, short = "x" * (4 * send_queue.MAX_UNANSWERED), "y" * 1024
        for text in (short, long, short):
            queue.put(text)
            queue.flush()
        assert slow.sent == [short, long, short]
        queue.put(long)
        assert queue.overflowed, "a second one needs a message from the client first"

    asyncio.run(scenario())


def test_a_failed_send_closes_the_queue_quietly() -> None:
    async def scenario() -> None:
        async def send(_: dict[str, Any]) -> None:
            raise RuntimeError("after close")

        queue = SendQueue(send, lambda: None)
        queue.put("x")
        queue.flush()
        assert queue.closed
        queue.push("y")
        queue.flush()

    asyncio.run(scenario())
