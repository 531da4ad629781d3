"""Wishes for a rematch that reach different processes."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from games.cluster import announce
from games.engine import rules
from games.engine.moves import Resign
from games.engine.state import require
from games.live.runtime import runtime
from games.models import Block, Match, Player, Seat
from games.people.accounts import create_guest
from games.people.changed_accounts import refresh_tables
from games.people.friendships import block
from games.people.nightly import lift_ended_bans
from tests.live.test_turn_clock import discarding
from tests.support.live_tables import new_table
from tests.support.people import Wire, make_computer_match, make_match, run
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("other", "wish"), [("same", "wanted"), ("swapped", "swapped")])
def test_equal_wishes_at_the_same_moment_in_two_processes_make_the_rematch(
    other: str, wish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither process knows the other wish when it gets its own."""
    # The clock stands still: the other process sends no heartbeats, and would count as gone.
    monkeypatch.setattr("games.live.runtime.time", SimpleNamespace(monotonic=lambda: 0.0))
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        await here.hear("view")
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        while (await here.hear("steps"))["view"]["phase"] != "over":
            pass
        await there.hang_up()
        assert (await here.ask("rematch"))["t"] == "ok"
        parts = runtime()
        # Outside of this task, as from Redis: a socket's own task only queues its messages.
        for told in ("here other 1 0", f"rematch 1 {other}"):
            parts.loop.call_soon(parts._heard, announce.channel(match.pk), told)
        while True:
            shown = (await here.hear("table"))["rematch"]
            if 1 in shown[wish] and bool(shown["match"]) is (other == "same"):
                break
        await here.hang_up()

    run(scenario())
    assert Match.objects.count() == (2 if wish == "wanted" else 1)


async def ended(match: Match, *people: Player | None) -> list[Wire]:
    """Return connections to a match of two that the second of these people has resigned."""
    wires = [await Wire(match, person).open() for person in people]
    for wire in wires:
        await discarding(wire)  # the same deals can be repeated only if there is one
    wires[1].send({"t": "resign", "d": {}, "id": "b-1"})
    for wire in wires:
        while (await wire.hear("steps"))["view"]["phase"] != "over":
            pass
    return wires


async def offers(wire: Wire, **wanted: Any) -> dict[str, Any]:
    """Wait until the table offers a rematch with these fields; return the whole offer."""
    while True:
        shown: dict[str, Any] = (await wire.hear("table"))["rematch"]
        if all(shown[name] == value for name, value in wanted.items()):
            return shown


def test_by_correspondence_a_wish_counts_also_after_its_player_has_left() -> None:
    """They hardly ever are at the table together, and have days to see the new match."""
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=3)

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await there.ask("rematch"))["t"] == "ok"
        await there.hang_up()
        assert (await here.ask("rematch"))["t"] == "ok"
        await here.hang_up()

    run(scenario())
    assert Match.objects.count() == 2


def test_by_correspondence_a_wish_is_kept_when_everyone_has_left_and_the_site_restarts() -> None:
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=3)

    async def ask_and_leave() -> None:
        here, there = await ended(match, ann, bob)
        await here.hang_up()
        assert (await there.ask("rematch"))["t"] == "ok"
        await there.hang_up()

    async def come_later() -> None:
        here = await Wire(match, ann).open()
        shown = (await here.hear("table"))["rematch"]
        assert (shown["wanted"], shown["match"]) == ([1], None)
        assert (await here.ask("rematch"))["t"] == "ok"
        await here.hang_up()

    run(ask_and_leave())
    run(come_later())
    assert Match.objects.count() == 2


async def one_asks_and_leaves_then_the_other_asks(match: Match, ann: Player, bob: Player) -> Wire:
    """Let Bob ask for a rematch and leave, and then Ann ask; return her connection."""
    here, there = await ended(match, ann, bob)
    assert (await there.ask("rematch"))["t"] == "ok"
    await offers(here, wanted=[1])
    await there.hang_up()
    await offers(here, wanted=[])
    here.send({"t": "rematch", "d": {}, "id": "a-1"})
    assert (await offers(here, wanted=[0]))["match"] is None
    return here


def test_nobody_is_seated_at_a_rematch_after_leaving_the_table() -> None:
    """They would lose a match of which they don't know. Once they are back, their wish counts."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await one_asks_and_leaves_then_the_other_asks(match, ann, bob)
        back = await Wire(match, bob).open()
        for wire in (here, back):
            while (await offers(wire))["match"] is None:
                pass
            await wire.hang_up()

    run(scenario())
    assert Match.objects.count() == 2


def test_a_rematch_that_a_block_prevents_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await one_asks_and_leaves_then_the_other_asks(match, ann, bob)
        await Block.objects.acreate(blocker=bob, blocked=ann)
        caplog.set_level("INFO")
        back = await Wire(match, bob).open()
        await wait_until(lambda: "no rematch" in caplog.text)
        for wire in (here, back):
            await wire.hang_up()

    run(scenario())
    assert "Traceback" not in caplog.text
    assert Match.objects.count() == 1


def test_who_left_their_seat_to_a_computer_is_seated_at_the_rematch_that_they_ask_for() -> None:
    """As at a table of three with two computers: nobody else has to agree."""
    match, ann = make_computer_match()

    def hand_over() -> None:
        row = match.seats.select_related("player").get(seat=1)
        match.seats.get(seat=0).let_play(require(row.player))
        announce.table(match.pk)

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        wire.send({"t": "resign", "d": {}, "id": "a-1"})
        while (await wire.hear("steps"))["view"]["phase"] != "over":
            pass
        await database_sync_to_async(hand_over)()
        while not (await wire.hear("table"))["seats"][0]["stand_in"]:
            pass
        assert (await wire.ask("rematch", "a-2"))["t"] == "ok"
        await wire.hang_up()

    run(scenario())
    following = Match.objects.latest("pk")
    assert following.pk != match.pk
    assert following.seats.filter(player=ann, computer=False, stand_in=None).exists()


def test_no_rematch_is_offered_while_the_other_is_banned_or_once_they_are_deleted() -> None:
    match, (ann, bob) = make_match()

    def ban() -> None:
        Player.objects.filter(pk=bob.pk).update(is_active=False)
        refresh_tables(player=bob)

    def let_ban_end() -> None:
        Player.objects.filter(pk=bob.pk).update(banned_until=timezone.now())
        lift_ended_bans.call()

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await there.ask("rematch"))["t"] == "ok"
        assert (await offers(here, wanted=[1]))["possible"]
        await database_sync_to_async(ban)()
        await offers(here, possible=False)
        await database_sync_to_async(let_ban_end)()
        await offers(here, possible=True)
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


@pytest.mark.parametrize("swap", [False, True])
def test_watchers_are_led_only_to_a_rematch_that_they_may_watch(swap: bool) -> None:
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    watcher = create_guest()

    async def scenario() -> None:
        wires = await ended(match, ann, bob, watcher)
        for wire in wires[:2]:
            assert (await wire.ask("rematch", "r-1", swap=swap))["t"] == "ok"
        late = await Wire(match, watcher).open()
        for wire in (wires[2], late):
            shown = await offers(wire, wanted=[] if swap else [0, 1], swapped=[0, 1] * swap)
            while not swap and shown["match"] is None:
                shown = await offers(wire)
            assert (shown["match"] is None) is swap
        for wire in (*wires, late):
            await wire.hang_up()

    run(scenario())
    assert Match.objects.latest("pk").watchable is not swap


@pytest.mark.parametrize("days", [None, 3])
@pytest.mark.parametrize("where", ["at the table", "on a page", "elsewhere"])
def test_a_wish_is_withdrawn_by_blocking_the_other(where: str, days: int | None) -> None:
    """They would accept it, and be refused."""
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=days)
    Player.objects.filter(pk=ann.pk).update(kind=Player.Kind.PERSON)

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch", "a-1"))["t"] == "ok"
        await offers(there, wanted=[0])
        if where == "at the table":
            assert (await here.ask("block", "a-2", seat=1))["t"] == "ok"
        elif where == "on a page":
            await database_sync_to_async(block)(
                player=await Player.objects.aget(pk=ann.pk), other=bob
            )
        else:
            await Block.objects.acreate(blocker=ann, blocked=bob)
            await Seat.objects.filter(player=ann).aupdate(rematch_wish=None)
            parts = runtime()
            for message in ("chat", "table"):
                parts.loop.call_soon(parts._heard, announce.channel(match.pk), message)
        await offers(there, wanted=[])
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


def test_swapping_seats_is_offered_only_if_cards_were_dealt() -> None:
    """Who resigns before the first deal leaves no deals to repeat."""
    table = new_table()
    table.meta = replace(table.meta, swappable=True)
    assert not table.swappable
    table.state = rules.apply(table.state, Resign(0)).state
    assert not table.swappable
    dealt = new_table(dealt_out=True)
    dealt.meta = table.meta
    dealt.state = rules.apply(dealt.state, Resign(0)).state
    assert dealt.swappable


@pytest.mark.parametrize("at_table", [True, False])
def test_by_correspondence_a_stored_wish_is_withdrawn_by_blocking_the_other(at_table: bool) -> None:
    """The other may come days later; accepting it would be refused."""
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=3)
    Player.objects.filter(pk=ann.pk).update(kind=Player.Kind.PERSON)

    async def ask_and_block() -> None:
        here, there = await ended(match, ann, bob)
        await there.hang_up()
        assert (await here.ask("rematch", "a-1"))["t"] == "ok"
        if at_table:
            assert (await here.ask("block", "a-2", seat=1))["t"] == "ok"
        await here.hang_up()

    async def come_later() -> None:
        there = await Wire(match, bob).open()
        assert (await there.hear("table"))["rematch"]["wanted"] == []
        await there.hang_up()

    run(ask_and_block())
    if not at_table:
        block(player=Player.objects.get(pk=ann.pk), other=bob)
    run(come_later())
