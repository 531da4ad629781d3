"""What a process keeps while Redis cannot be reached, and what it sends afterwards."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from redis.asyncio.connection import Connection

from games.cluster import announce, redis_log
from games.cluster.bus import Bus
from tests.support.data_servers import HOST, Redis
from tests.support.dead_wire import DeadWire
from tests.support.waiting import DEADLINE, wait_for, wait_until

MEANWHILE = 3.0
"""Seconds in which a process that is deaf connects again and has an echo back, if it can."""


def test_announcements_that_redis_could_not_take_are_repeated(
    redis_server: Redis, settings: Any
) -> None:
    """The other processes may hear Redis all the time, and would miss the change for good."""
    server: Any = redis.Redis.from_url(redis_server.url)
    with server.pubsub() as listener:
        listener.subscribe(announce.LOBBY)
        wait_for(lambda: listener.get_message(timeout=1))

        async def scenario() -> None:
            async with DeadWire(redis_server.port) as wire:
                wire.dead = True
                settings.REDIS_URL = f"redis://127.0.0.1:{wire.port}/0"
                await asyncio.to_thread(announce.lobby)
                await asyncio.to_thread(announce.lobby)
                assert listener.get_message() is None
                wire.dead = False
                message = await asyncio.to_thread(listener.get_message, timeout=DEADLINE)
                assert message["data"].startswith(b"table ")
                await wait_until(lambda: not announce._unsent.repeating)
                assert listener.get_message() is None
                await asyncio.to_thread(announce.lobby)
                assert await asyncio.to_thread(listener.get_message, timeout=DEADLINE)

        asyncio.run(scenario())


def test_announcements_wait_while_redis_is_a_replica(redis_server: Redis, settings: Any) -> None:
    """It would tell only its own subscribers, and so nobody at the server that it follows."""
    server: Any = redis.Redis.from_url(redis_server.url)
    settings.REDIS_URL = redis_server.url
    with server.pubsub() as listener:
        listener.subscribe(announce.LOBBY)
        wait_for(lambda: listener.get_message(timeout=1))
        server.replicaof(HOST, 1)
        announce.lobby()
        assert listener.get_message() is None
        server.replicaof("NO", "ONE")
        message = listener.get_message(timeout=DEADLINE)
        assert message["data"].startswith(b"table ")
        wait_for(lambda: not announce._unsent.repeating)


@pytest.mark.parametrize(
    ("option", "on", "off"), [("maxmemory", 1, 0), ("min-replicas-to-write", 1, 0)]
)
def test_a_redis_that_takes_no_changes_still_passes_messages_on(
    redis_server: Redis, settings: Any, option: str, on: int, off: int
) -> None:
    """One that is full, or has lost its replicas or its disk, is no replica: others hear it."""
    server: Any = redis.Redis.from_url(redis_server.url)
    settings.REDIS_URL = redis_server.url

    async def scenario() -> None:
        bus = new_bus(redis_server.url, on_message=lambda *said: heard.append(said[1]))
        bus.subscribe(announce.LOBBY)
        bus.start()
        await wait_until(lambda: bus.hearing_since is not None)
        server.config_set(option, on)
        await wait_until(lambda: bus.hearing_since is None)  # its echo was refused
        await wait_until(lambda: bus.hearing_since is not None)
        announce.lobby()
        await wait_until(lambda: bool(heard))
        server.replicaof(HOST, 1)  # its connections stay open
        await wait_until(lambda: bus.hearing_since is None)
        await asyncio.sleep(MEANWHILE)
        assert bus.hearing_since is None, "it stays deaf after it has connected again"
        announce.lobby()
        assert announce._unsent.repeating
        server.replicaof("NO", "ONE")
        await wait_until(lambda: bus.hearing_since is not None)
        await wait_until(lambda: not announce._unsent.repeating)
        await bus.aclose()

    heard: list[str] = []
    asyncio.run(scenario())
    server.config_set(option, off)
    assert heard[0].startswith("table ")
    assert not announce._unsent.repeating


def test_a_bus_without_redis_keeps_no_changed_subscriptions() -> None:
    """The next connection subscribes to all channels anyway: an outage of hours costs nothing."""

    async def scenario() -> None:
        bus = new_bus("redis://127.0.0.1:1/0")
        bus.start()
        for match in range(1000):
            bus.subscribe(f"match:{match}")
            bus.unsubscribe(f"match:{match}")
        await asyncio.sleep(0)
        assert not bus._changes
        assert bus._channels == {"lobby", bus._echo}
        await bus.aclose()

    asyncio.run(scenario())


def test_a_redis_that_refuses_the_password_is_logged_once_a_minute_and_at_its_return(
    redis_server: Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A process tries to connect several times a second, to receive and to send."""
    tried, now = [], [0.0]
    connect, server = Bus._connection, redis.Redis.from_url(redis_server.url)
    monkeypatch.setattr(Bus, "_connection", lambda bus: (tried.append(bus), connect(bus))[1])
    monkeypatch.setattr("games.cluster.bus.LONGEST_WAIT", 0.01)
    monkeypatch.setattr(redis_log, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def try_often() -> list[str]:
        caplog.clear()
        before = len(tried)
        await wait_until(lambda: len(tried) > before + 20)
        return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]

    async def scenario() -> None:
        server.config_set("requirepass", "secret")
        bus = new_bus(redis_server.url)
        bus.start()
        for seconds, logged in ((0.0, 1), (59.0, 0), (60.0, 1)):
            now[0] = seconds
            lines = await try_often()
            assert len(lines) == logged
            assert all("Authentication required" in line for line in lines)
        caplog.clear()
        now[0] = 90.0
        server.config_set("requirepass", "")
        await wait_until(lambda: bus.hearing_since is not None)
        assert caplog.messages == ["Redis is back after 90 seconds"]
        await bus.aclose()

    asyncio.run(scenario())


def test_a_bus_subscribes_to_what_was_added_while_redis_was_away(redis_server: Redis) -> None:
    async def scenario() -> None:
        subscribed: list[str] = []
        heard: list[str] = []
        bus = new_bus(redis_server.url, subscribed.append, lambda *said: heard.append(said[1]))
        bus.subscribe("before")
        bus.start()
        await wait_until(lambda: "before" in subscribed)
        bus.subscribe("after")
        await wait_until(lambda: "after" in subscribed)
        await asyncio.to_thread(redis_server.kill)
        await wait_until(lambda: bus.hearing_since is None)
        bus.subscribe("away")
        bus.unsubscribe("after")
        subscribed.clear()
        await asyncio.to_thread(redis_server.start)
        await wait_until(lambda: "away" in subscribed)
        for name in ("after", "before", "away"):
            bus.publish(name, name)
        await wait_until(lambda: heard[-1:] == ["away"])
        assert heard == ["before", "away"]
        await bus.aclose()

    asyncio.run(scenario())


def test_a_bus_sends_changed_subscriptions_in_one_write(
    redis_server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write is a system call, and a player who goes to a rematch causes both kinds."""

    async def scenario() -> None:
        subscribed: list[str] = []
        writes: list[bytes] = []
        send = Connection.send_packed_command

        async def recorded(connection: Connection, command: Any, **kwargs: Any) -> None:
            writes.append(b"".join(command) if isinstance(command, list) else command)
            await send(connection, command, **kwargs)

        monkeypatch.setattr(Connection, "send_packed_command", recorded)
        bus = new_bus(redis_server.url, subscribed.append)
        bus.subscribe("old")
        bus.start()
        await wait_until(lambda: "old" in subscribed)
        writes.clear()
        bus.unsubscribe("old")
        bus.publish("lobby", "said meanwhile")
        await wait_until(lambda: any(b"said" in each for each in writes))
        bus.subscribe("new")
        await wait_until(lambda: "new" in subscribed)
        changes = [each for each in writes if b"SUBSCRIBE" in each]
        assert len(changes) == 1
        assert b"UNSUBSCRIBE\r\n$3\r\nold" in changes[0]
        assert b"SUBSCRIBE\r\n$3\r\nnew" in changes[0]
        await bus.aclose()

    asyncio.run(scenario())


def test_a_message_that_is_not_urgent_shares_a_write_with_the_next(
    redis_server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        heard: list[str] = []
        writes: list[bytes] = []
        bus = new_bus(redis_server.url, on_message=lambda *said: heard.append(said[1]))
        bus.subscribe(announce.LOBBY)
        bus.start()
        await wait_until(lambda: bus.hearing_since is not None)
        send = Connection.send_packed_command

        async def recorded(connection: Connection, command: Any, **kwargs: Any) -> None:
            writes.append(command)
            await send(connection, command, **kwargs)

        monkeypatch.setattr(Connection, "send_packed_command", recorded)
        monkeypatch.setattr("games.cluster.bus.SOON", 60.0)
        bus.publish("lobby", "first", soon=True)
        await asyncio.sleep(0)
        assert writes == []
        bus.publish("lobby", "second")
        await wait_until(lambda: heard == ["first", "second"])
        (shared,) = [each for each in writes if b"first" in each]
        assert b"second" in shared
        await bus.aclose()

        monkeypatch.setattr("games.cluster.bus.SOON", 0.01)
        bus = new_bus(redis_server.url, on_message=lambda *said: heard.append(said[1]))
        bus.subscribe(announce.LOBBY)
        bus.start()
        await wait_until(lambda: bus.hearing_since is not None)
        bus.publish("lobby", "alone", soon=True)
        await wait_until(lambda: heard[-1] == "alone")
        await bus.aclose()

    asyncio.run(scenario())


def new_bus(url: str, on_subscribe: Any = None, on_message: Any = None) -> Bus:
    """Return a bus that is not connected yet."""
    return Bus(
        url,
        ("lobby",),
        on_message=on_message or (lambda *_: None),
        on_subscribe=on_subscribe or (lambda _: None),
        on_reconnect=lambda: None,
    )
