"""What a process reads again when it is told of a change, and what it need not."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from channels.db import database_sync_to_async

from games.cluster import announce
from games.cluster.bus import Bus
from games.engine.state import Ruleset
from games.live import commands
from games.live.changes import Change
from games.live.chat_feed import ChatFeed
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Match
from games.people.accounts import create_guest
from games.sockets.connection import FORBIDDEN, Bye
from games.tables.tables import create_match, join_match, seat_stand_in
from tests.live.test_turn_clock import discarding
from tests.support.live_tables import new_table
from tests.support.people import Wire, make_match, run
from tests.support.played import play_on, play_on_further

pytestmark = pytest.mark.django_db(transaction=True)


class Channel:
    """Stands for Redis: keeps what was published."""

    hearing_since = 0.0

    def __init__(self) -> None:
        self.messages: list[str] = []

    def publish(self, name: str, message: str, *, soon: bool = False) -> None:
        self.messages.append(message)

    def subscribe(self, name: str) -> None:
        """Do nothing."""

    def unsubscribe(self, name: str) -> None:
        """Do nothing."""

    async def aclose(self) -> None:
        """Do nothing."""


class Player:
    """A listener in the first seat, without a wire."""

    seat: int | None = 0
    player: int | None = None

    def notify(self, table: Table, change: Change) -> None:
        """Do nothing."""


def test_a_process_ignores_its_own_announcements(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """It has acted on them before they come back from Redis; those of others count."""
    settings.REDIS_URL = ""
    channel = Channel()
    monkeypatch.setattr(announce, "_send", lambda _, *sent: channel.publish(*sent))
    read: list[object] = []

    async def scenario() -> None:
        parts = runtime()
        monkeypatch.setattr(parts, "_refresh", lambda table: read.append(table) or nothing())
        parts.matches.open[7] = new_table(7)
        settings.REDIS_URL = "redis://nowhere"
        announce.table(7)
        settings.REDIS_URL = ""
        (own,) = channel.messages
        parts._heard(announce.channel(7), own)
        assert read == []
        parts._heard(announce.channel(7), "table 00000000")
        assert len(read) == 1
        del parts.matches.open[7]

    async def nothing() -> None:
        pass

    run(scenario())


def test_a_process_tells_who_is_at_its_tables_once_it_meets_another() -> None:
    """Alone it tells nobody; whoever comes hears of the seats, and is asked for its own."""
    channel = Channel()

    async def scenario() -> None:
        parts = runtime()
        parts.peers.bus = cast(Bus, channel)
        parts.peers.is_alone = parts.presence.is_alone
        parts.matches.open[7] = table = new_table(7)
        table.listeners.add(Player())
        parts.presence.announce(table)
        assert channel.messages == []
        own = parts.presence.process
        parts._heard("cribbage:processes", "alive another 3")
        assert channel.messages == [f"here {own} 0 0", f"who {own}"]
        parts._heard("cribbage:processes", "alive another 3")
        assert len(channel.messages) == 2, "it knows the other one"
        del parts.matches.open[7]

    run(scenario())


@pytest.mark.parametrize("back", [True, False])
def test_who_takes_their_seat_back_is_there_before_other_processes_read_the_seats(
    monkeypatch: pytest.MonkeyPatch, settings: Any, *, back: bool
) -> None:
    """They would show for a moment that the player is waited for."""
    match, (_ann, bob) = make_match()
    seat_stand_in(match=match, seat=1)
    channel = Channel()
    monkeypatch.setattr(announce, "_send", lambda _, *sent: channel.publish(*sent))
    if not back:
        monkeypatch.setattr(commands, "return_to_seat", gone)

    async def scenario() -> None:
        settings.REDIS_URL = ""
        parts = runtime()
        settings.REDIS_URL = "redis://nowhere"
        parts.peers.bus = cast(Bus, channel)
        wire = await Wire(match, bob).open()
        if back:
            await wire.hear("table")
        await wire.hang_up()
        here, nobody = (f"here {parts.presence.process} {seats} 0" for seats in (1, "-"))
        verbs = [said.partition(" ")[0] for said in channel.messages]
        assert channel.messages[0] == here
        assert ("table" in verbs) == back
        # The deal may be stored, and announced, after the player has gone.
        assert [said for said in channel.messages if said.startswith("here ")][-1] == nobody

    run(scenario())


async def gone(**_: object) -> None:
    raise Bye("forbidden", FORBIDDEN)


def test_a_process_that_meets_another_repeats_the_wishes_for_a_rematch() -> None:
    """Alone it tells nobody of them, and the other seat's player may connect to the other one."""
    channel = Channel()

    async def scenario() -> None:
        parts = runtime()
        parts.peers.bus = cast(Bus, channel)
        parts.peers.is_alone = parts.presence.is_alone
        parts.matches.open[7] = table = new_table(7)
        table.rematch[1] = True
        parts.peers.wished(table, 1, swap=True)
        assert channel.messages == []
        parts._heard("cribbage:processes", "alive another 3")
        assert "rematch 1 swapped" in channel.messages
        del parts.matches.open[7]

    run(scenario())


def test_a_wish_that_comes_back_from_redis_is_not_acted_on_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[bool] = []

    async def hear(*_: object, swap: bool, **__: object) -> None:
        heard.append(swap)

    async def scenario() -> None:
        parts = runtime()
        monkeypatch.setattr("games.live.rematches.hear_wish", hear)
        parts.matches.open[7] = table = new_table(7)
        table.rematch[1] = False
        for said in ("rematch 1 same", "rematch 1 swapped"):
            parts._heard(announce.channel(7), said)
        await asyncio.sleep(0)
        assert heard == [True]
        del parts.matches.open[7]

    run(scenario())


def test_a_process_says_even_alone_that_nobody_is_left_at_a_table() -> None:
    """Otherwise one that was suspended meanwhile would believe that they are still there."""
    channel = Channel()

    async def scenario() -> None:
        parts = runtime()
        parts.peers.bus = cast(Bus, channel)
        parts.peers.is_alone = parts.presence.is_alone
        parts.presence.announce(new_table(7))
        assert channel.messages == [f"here {parts.presence.process} - 0"]

    run(scenario())


def test_a_process_that_makes_a_rematch_does_not_read_the_match_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It knows the rematch, also if it read the match just before and hears of that later."""
    match, (ann, bob) = make_match()
    read: list[object] = []

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        await here.hear("view")
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        for wire in (here, there):
            while (await wire.hear("steps"))["view"]["phase"] != "over":
                pass
        table = runtime().matches.open[match.pk]
        before = table.meta
        monkeypatch.setattr(type(table), "reload_seats", lambda *_, **__: read.append(1))
        for wire in (here, there):
            wire.send({"t": "rematch", "d": {}, "id": "a-2"})
        while not (told := await here.hear("table"))["rematch"]["match"]:
            pass
        assert read == []
        assert not table.set_meta(before)
        assert table.meta.rematch == told["rematch"]["match"]
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    assert Match.objects.get(pk=match.pk).rematch is not None


@pytest.mark.parametrize("swap", [False, True])
def test_other_processes_are_told_to_read_the_match_when_its_rematch_is_made(swap: bool) -> None:
    """Also those that have only watchers; and again if Redis may have lost it.

    The players go on to the rematch at once, and leave nobody here.
    """
    match, (ann, bob) = make_match()
    channel = Channel()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        for wire in (here, there):
            await discarding(wire)  # the same deals can be repeated only if there is one
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        for wire in (here, there):
            while (await wire.hear("steps"))["view"]["phase"] != "over":
                pass
        parts = runtime()
        parts.peers.bus = cast(Bus, channel)
        for wire in (here, there):
            assert (await wire.ask("rematch", swap=swap))["t"] == "ok"
        assert channel.messages.count(announce.table_message()) == 1
        for wire in (here, there):
            await wire.hang_up()
        parts._repeat_state()
        assert channel.messages.count(announce.table_message()) == 2

    run(scenario())
    assert Match.objects.get(pk=match.pk).rematch is not None


def test_a_rematch_does_not_read_the_chat_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, bob) = make_match()
    reads: list[object] = []
    read = ChatFeed._read
    monkeypatch.setattr(ChatFeed, "_read", lambda self, table: reads.append(read(self, table)))

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        await here.hear("chat")
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        for wire in (here, there):
            while (await wire.hear("steps"))["view"]["phase"] != "over":
                pass
        for wire in (here, there):
            wire.send({"t": "rematch", "d": {}, "id": "a-2"})
        before = len(reads)
        while not (await here.hear("table"))["rematch"]["match"]:
            pass
        assert len(reads) == before
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    assert Match.objects.count() == 2


def test_who_joins_reads_moves_of_other_processes_for_all_who_are_here() -> None:
    """When those moves are announced a moment later, this process knows them already."""
    match, (ann, bob) = make_match()
    play_on(match.public_id, moves=5)

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table")
        await database_sync_to_async(play_on_further)(match.public_id, moves=7)
        joins = await Wire(match, bob).open()
        assert (await joins.hear("view"))["v"] == 7
        runtime()._handle_message(announce.channel(match.pk), "version 7")
        assert (await here.hear("steps"))["v"] == 7
        for wire in (here, joins):
            await wire.hang_up()

    run(scenario())


def test_a_visitor_who_may_not_watch_hides_no_change_of_seats() -> None:
    """Looking for the table, the visitor's socket reads the seats before they are announced."""
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset())

    def join_unheard() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(announce, "_announce", lambda *_, **__: None)
            join_match(player=bob, invite=match.invite)

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table", status="waiting")
        await database_sync_to_async(join_unheard)()
        await (await Wire(match, None).open()).ended()
        runtime()._handle_message(announce.channel(match.pk), announce.TABLE_CHANGED)
        await here.hear("table", status="playing")
        await here.hang_up()

    run(scenario())
