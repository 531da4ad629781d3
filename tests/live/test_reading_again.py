"""How tables are read when they are opened, and when Redis confirms that they are heard.

They are read once, unless there was news; and what Redis says in one go is worked off in parts, so
that moves are answered in between.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from games.cluster import announce
from games.cluster.bus import PER_TURN, Bus
from games.live import entrances
from games.live.entrances import Entrances
from games.live.runtime import READ_AGAIN_AT_ONCE, Runtime, runtime, shut_down
from games.live.table import Table
from games.log import store
from games.models import Match, Player
from games.people import chat
from tests.support.people import Wire, make_match, run

TABLES = 5 * READ_AGAIN_AT_ONCE
MESSAGES = 10 * PER_TURN


class Watcher:
    """A listener without a seat."""

    seat = None


class TableInUse:
    """A table that is read again once the test allows it."""

    def __init__(self, pk: int) -> None:
        self.pk = pk
        self.listeners = {Watcher()}
        self.returning = set[int]()
        self.meta = SimpleNamespace(public_id=str(pk))
        self.begun = self.done = False
        self.may_read = asyncio.Event()

    def publish(self, _change: Any) -> None:
        """Do nothing: nobody listens."""

    async def follow_log(self) -> None:
        self.begun = True
        await self.may_read.wait()

    async def reload_seats(self, *, always: bool) -> None:
        self.done = always


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.django_db(transaction=True)
def test_few_tables_are_read_again_at_the_same_time() -> None:
    async def scenario() -> None:
        parts = runtime()
        tables: Any = [TableInUse(pk) for pk in range(1, TABLES + 1)]
        gone = tables[READ_AGAIN_AT_ONCE]
        try:
            parts.matches.open.update({table.pk: table for table in tables})
            for table in tables:
                parts._subscribed(announce.channel(table.pk))
            await settle()
            begun = [table.begun for table in tables]
            assert begun == [True] * READ_AGAIN_AT_ONCE + [False] * 4 * READ_AGAIN_AT_ONCE
            gone.listeners.clear()
            for table in tables:
                table.may_read.set()
                await settle()
            assert [table for table in tables if not table.done] == [gone]
        finally:
            parts.matches.open.clear()
            await shut_down()

    asyncio.run(scenario())


def test_others_run_between_the_messages_of_a_chunk() -> None:
    heard: list[str] = []
    most = 0

    async def scenario() -> None:
        bus = Bus(
            "redis://nowhere",
            (),
            on_message=lambda _, message: heard.append(message),
            on_subscribe=lambda _: None,
            on_reconnect=lambda: None,
        )
        stream = asyncio.StreamReader()
        stream.feed_data(b"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n" * MESSAGES)
        connection = SimpleNamespace(_reader=stream)
        listening = asyncio.ensure_future(bus._listen(connection))
        nonlocal most
        while len(heard) < MESSAGES:
            before = len(heard)
            await asyncio.sleep(0)
            most = max(most, len(heard) - before)
        listening.cancel()

    asyncio.run(scenario())
    assert most <= PER_TURN


class Redis:
    """Stands for Redis: confirms subscriptions in the next turn of the loop, or when told to."""

    hearing_since = 0.0

    def __init__(self, parts: Runtime, *, at_once: bool = True) -> None:
        self.subscribed: list[str] = []
        self._parts = parts
        self._at_once = at_once
        parts.peers.bus = cast(Bus, self)

    def subscribe(self, channel: str) -> None:
        if channel not in self.subscribed:
            self.subscribed.append(channel)
            if self._at_once:
                asyncio.get_running_loop().call_soon(self._parts._subscribed, channel)

    def unsubscribe(self, channel: str) -> None:
        self.subscribed.remove(channel)

    def publish(self, name: str, message: str, *, soon: bool = False) -> None:
        """Do nothing: there is no other process."""

    async def aclose(self) -> None:
        """Do nothing."""


class Reads:
    """Counts what is read of tables: logs, seats, chats, and matches that are opened."""

    def __init__(self, parts: Runtime, patch: pytest.MonkeyPatch) -> None:
        self.logs = self.seats = self.chats = self.again = self.opened = 0
        read_log, get, again = parts.reader.since, parts.lookups.get, parts.read_again

        async def since(match: int, sequence: int) -> list[store.Entry]:
            self.logs += 1
            return await read_log(match, sequence)

        async def found(load: Any, key: Any) -> Any:
            self.seats += load.__name__ == "load_by_pk"
            self.opened += load.__name__ == "load_by_id"
            self.chats += load is chat.load_rooms
            return await get(load, key)

        async def read_again(table: Table) -> None:
            self.again += 1
            await again(table)

        patch.setattr(parts.reader, "since", since)
        patch.setattr(parts.lookups, "get", found)
        patch.setattr(parts, "read_again", read_again)


async def greeted(match: Match, player: Player) -> Wire:
    """Return a connection whose `hello` was answered."""
    wire = await Wire(match, player).open()
    await wire.hear("view")
    await wire.hear("table")
    return wire


@pytest.mark.django_db(transaction=True)
def test_an_opened_table_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its channel is subscribed to before it is read, so the confirmation changes nothing."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        redis, reads = Redis(runtime()), Reads(runtime(), monkeypatch)
        here = await greeted(match, ann)
        await here.hear("chat")
        await settle()
        assert redis.subscribed == [announce.channel(match.pk)]
        assert (reads.logs, reads.seats, reads.chats, reads.again) == (1, 1, 1, 0)
        there = await greeted(match, bob)
        await here.hang_up()
        await there.hang_up()
        assert redis.subscribed == []

    run(scenario())


def test_sockets_at_one_table_wait_for_redis_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One after the other, the last of a hundred would wait for ten seconds."""
    monkeypatch.setattr("games.live.entrances.CONFIRMED_WITHIN", 60.0)
    peers: Any = SimpleNamespace(bus=object(), hearing_since=lambda: 0.0, subscribe=lambda _: None)
    matches: Any = SimpleNamespace(open={}, cached=lambda _: None)

    async def scenario() -> None:
        doors = Entrances(peers, matches)
        doors.enter(7)
        heard: Any = doors._open[7].heard
        waiting = [asyncio.ensure_future(doors.find(7, "x")) for _ in range(3)]
        await settle()
        assert len(heard._waiters) == 3
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(scenario())


@pytest.mark.django_db(transaction=True)
def test_players_who_come_to_a_rematch_together_share_what_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, people = make_match()

    async def scenario() -> None:
        parts = runtime()
        Redis(parts)
        reads = Reads(parts, monkeypatch)
        table = await parts.matches.find(match.public_id)
        assert table is not None
        table.note_rematch(match.public_id, match.pk)
        reads.opened = 0
        wires = await asyncio.gather(*(greeted(match, each) for each in people))
        assert (reads.opened, reads.seats) == (1, 0)
        for wire in wires:
            await wire.hang_up()

    run(scenario())


@pytest.mark.django_db(transaction=True)
def test_a_table_whose_changes_are_heard_too_late_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, _) = make_match()
    monkeypatch.setattr(entrances, "CONFIRMED_WITHIN", 0.001)

    async def scenario() -> None:
        parts = runtime()
        Redis(parts, at_once=False)
        reads = Reads(parts, monkeypatch)
        here = await greeted(match, ann)
        assert reads.again == 0
        parts._subscribed(announce.channel(match.pk))
        await settle()
        assert reads.again == 1
        await here.hang_up()

    run(scenario())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("news", ["version 1", "table 00000000", "chat 00000000"])
def test_news_between_reading_and_joining_is_read(
    news: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message comes before anybody has joined the table."""
    match, (ann, _) = make_match()

    async def scenario() -> None:
        parts = runtime()
        Redis(parts)
        reads = Reads(parts, monkeypatch)
        update = Table.update

        async def update_in_time(table: Table) -> None:
            await update(table)
            parts._heard(announce.channel(table.pk), news)

        monkeypatch.setattr(Table, "update", update_in_time)
        here = await greeted(match, ann)
        await settle()
        assert reads.again == 1
        await here.hang_up()

    run(scenario())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("said", ["here {own} - 0", "who {own}", "here 0123abcd 1 0", "version 0"])
def test_what_says_nothing_new_of_log_and_seats_has_nothing_read_again(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis also returns what this process has said itself, as when a page is loaded again."""
    match, (ann, _) = make_match()

    async def scenario() -> None:
        parts = runtime()
        Redis(parts)
        reads = Reads(parts, monkeypatch)
        update = Table.update

        async def update_in_time(table: Table) -> None:
            await update(table)
            parts._heard(announce.channel(table.pk), said.format(own=parts.presence.process))

        monkeypatch.setattr(Table, "update", update_in_time)
        here = await greeted(match, ann)
        await settle()
        assert reads.again == 0
        await here.hang_up()

    run(scenario())


@pytest.mark.django_db(transaction=True)
def test_a_channel_is_confirmed_anew_if_the_last_listener_leaves_as_another_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The newcomer would otherwise wait for a confirmation that came long ago."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        redis, reads = Redis(runtime()), Reads(runtime(), monkeypatch)
        here = await greeted(match, ann)
        there = await Wire(match, bob).open(hello=False)
        while not runtime().entrances.awaited(match.pk):  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0)
        await here.hang_up()
        assert redis.subscribed == [announce.channel(match.pk)]
        there.send({"t": "hello", "d": {"v": None}})
        await there.hear("table")
        await settle()
        assert (reads.seats, reads.again) == (2, 0)
        await there.hang_up()
        assert redis.subscribed == []

    run(scenario())


@pytest.mark.django_db(transaction=True)
def test_who_was_connected_elsewhere_is_asked_again_after_a_break() -> None:
    """Between its last listener here and the next, this process hears nothing of a match."""
    match, (ann, _) = make_match()

    async def scenario() -> None:
        parts = runtime()
        Redis(parts)
        here = await greeted(match, ann)
        channel = announce.channel(match.pk)
        parts._heard(channel, "here other 1 0")
        assert parts.presence.online(parts.matches.open[match.pk])[0] == {0, 1}
        await here.hang_up()
        again = await greeted(match, ann)
        assert parts.presence.online(parts.matches.open[match.pk])[0] == {0}
        await again.hang_up()

    run(scenario())
