"""Connected players who do not act: what both sides see, and what the other may then choose."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import override_settings

from games.live.idleness import Idleness
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Seat
from tests.live.test_absence import FakePeers, alone, dealt, hear_event, words_for
from tests.support.live_tables import new_table
from tests.support.people import Wire, make_computer_match, make_match, run

LIMIT_S = 0.5
SHORT = override_settings(IDLE_LIMIT=LIMIT_S, COMPUTER_PAUSE=0.0)

real = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give a frozen clock; its only element is the current time in seconds."""
    now = [100.0]
    monkeypatch.setattr("games.live.runtime.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


async def idle(wire: Wire, seat: int, **wanted: object) -> dict[str, Any]:
    """Return the next entry about an idle seat that is as wanted."""
    while True:
        for entry in (await wire.hear("table"))["idle"]:
            if entry["seat"] == seat and wanted.items() <= entry.items():
                return dict(entry)


async def waited_for(match: Any, people: list[Any]) -> tuple[Wire, Wire, list[str]]:
    """Connect both players and discard for the first, so that the match waits for the second.

    Return their connections, and the cards of the second.
    """
    here, there = [await Wire(match, person).open() for person in people]
    own, other = [(await dealt(wire))["cards"] for wire in (here, there)]
    assert (await here.ask("discard", "d-1", cards=own[:2]))["t"] == "ok"
    return here, there, other


async def offered(
    match: Any, people: list[Any], clock: list[float]
) -> tuple[Wire, Wire, list[str], dict[str, Any]]:
    """Connect both players, and let the second be idle until the first may act for them.

    Return their connections, the cards of the second, and the offer.
    """
    here, there, cards = await waited_for(match, people)
    clock[0] += LIMIT_S
    return here, there, cards, await idle(here, 1, can_claim=True, can_stand_in=True)


@real
@SHORT
def test_both_sides_see_it_before_the_waiting_player_may_claim_the_win(clock: list[float]) -> None:
    match, people = make_match()

    async def scenario() -> None:
        here, there, _ = await waited_for(match, people)
        clock[0] += LIMIT_S * 0.75
        entry = await idle(here, 1, offer_in=1)
        assert not entry["can_claim"]
        assert not entry["can_stand_in"]
        asked = await idle(there, 1, offer_in=1)
        early = await here.ask("claim_win", "a-1", seat=1, v=entry["v"])
        assert early["d"]["code"] == "not_offered"
        clock[0] += LIMIT_S
        offer = await idle(here, 1, can_claim=True, can_stand_in=True, offer_in=None)
        asked = await idle(there, 1, offer_in=None)
        assert not asked["can_claim"], "from oneself"
        own = await there.ask("claim_win", "b-1", seat=0, v=offer["v"])
        assert own["d"]["code"] == "not_offered"
        assert (await here.ask("claim_win", "a-2", seat=1, v=offer["v"]))["t"] == "ok"
        await there.hear("table", status="finished", claimed="idle", idle=[])
        back = await Wire(match, people[1]).open()
        await back.hear("table", claimed="idle")
        late = await here.ask("claim_win", "a-3", seat=1, v=offer["v"])
        assert late["t"] == "ok", "its answer may have been lost"
        await back.hang_up()
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    match.refresh_from_db()
    assert (match.status, match.winner) == ("finished", 0)
    assert words_for(match, people[0]) == {"win claimed", "stopped playing; the win was claimed"}


@real
@SHORT
def test_a_player_who_acts_is_no_longer_idle_and_an_old_offer_is_refused(
    clock: list[float],
) -> None:
    match, people = make_match()

    async def scenario() -> None:
        here, there, cards, offer = await offered(match, people, clock)
        assert (await there.ask("discard", "b-1", cards=cards[:2]))["t"] == "ok"
        await here.hear("table", idle=[])
        late = await here.ask("claim_win", "a-1", seat=1, v=offer["v"])
        assert late["d"]["code"] == "not_offered"
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


@real
@SHORT
def test_a_computer_plays_for_an_idle_player_until_they_take_their_seat_back(
    clock: list[float],
) -> None:
    match, people = make_match()

    async def scenario() -> None:
        here, there, _, offer = await offered(match, people, clock)
        assert (await here.ask("stand_in", "a-1", seat=1, v=offer["v"]))["t"] == "ok"
        await hear_event(there, {"e": "discarded", "seat": 1, "number": 2})
        assert (await there.ask("return", "b-1"))["t"] == "ok"
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=1).stand_in is None


@real
@SHORT
def test_nobody_is_asked_to_hurry_who_plays_against_the_computer_alone(
    clock: list[float],
) -> None:
    match, person = make_computer_match()

    async def scenario() -> None:
        here = await Wire(match, person).open()
        await dealt(here)
        clock[0] += 2 * LIMIT_S
        assert (await here.ask("return", "a-1"))["t"] == "ok"
        there = await Wire(match, person).open()
        assert (await there.hear("table"))["idle"] == []
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


class Idle:
    """An idleness tracker with a clock of its own, and a table with both players connected."""

    def __init__(self, **meta: Any) -> None:
        self.now = 0.0
        self.peers = FakePeers()
        self.presence = alone(self.peers, lambda: self.now)
        self.tracker = Idleness(self.presence, lambda: self.now, 300.0)
        self.table: Table = new_table(dealt_out=True)
        self.table.meta = replace(self.table.meta, **meta)
        self.connect("0,1")

    def connect(self, seats: str) -> None:
        """Let another process have these seats connected."""
        self.presence.record_process("other")
        self.presence.record_seats(self.table.pk, "other", seats, "0")

    def after(self, seconds: float) -> dict[int, float]:
        """Let time pass, with a heartbeat of the other process; return who is idle."""
        self.now += seconds
        self.presence.record_heartbeat("other", "2")
        return self.tracker.seconds(self.table)


def test_the_time_of_a_seat_starts_over_only_when_it_acts() -> None:
    idle = Idle()
    assert idle.after(0) == {0: 0.0, 1: 0.0}
    idle.table.acted[0] = 3
    assert idle.after(100) == {0: 0.0, 1: 100.0}
    assert idle.after(100) == {0: 100.0, 1: 200.0}


def test_who_is_not_connected_is_absent_instead_and_starts_over_when_they_are_back() -> None:
    idle = Idle()
    idle.after(0)
    idle.connect("0")
    assert idle.after(100) == {0: 100.0}
    idle.connect("0,1")
    assert idle.after(10) == {0: 110.0, 1: 0.0}


def test_the_time_stands_still_once_the_players_process_is_not_heard_any_more() -> None:
    """It may have been killed, and its player is about to reconnect to another one."""
    idle = Idle()
    idle.after(0)
    assert idle.after(299) == {0: 299.0, 1: 299.0}
    idle.now += 6.0
    assert idle.tracker.seconds(idle.table) == {0: 299.0, 1: 299.0}
    assert idle.presence.online(idle.table)[0] == {0, 1}
    assert idle.after(0) == {0: 305.0, 1: 305.0}


@real
@override_settings(IDLE_LIMIT=300.0, COMPUTER_PAUSE=0.0)
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_the_time_of_who_comes_back_from_a_killed_process_starts_over(
    clock: list[float], where: str
) -> None:
    """Others count the seats of a killed process for seven seconds more."""
    match, people = make_match()

    async def scenario() -> None:
        here, there, _ = await waited_for(match, people)
        table = runtime().matches.open[match.pk]
        runtime()._on_here(table, "killed", "1", "0")
        await there.hang_up()
        clock[0] += 2.0
        runtime().presence.record_process("killed")
        assert runtime().idleness.seconds(table) == {1: 2.0}
        if where == "here":
            there = await Wire(match, people[1]).open()
            await there.hear("table")
        else:
            runtime()._on_here(table, "another", "1", "0")
        assert runtime().idleness.seconds(table) == {1: 0.0}
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


@real
@override_settings(IDLE_LIMIT=300.0, COMPUTER_PAUSE=0.0)
def test_a_second_tab_does_not_start_the_time_over(clock: list[float]) -> None:
    match, people = make_match()

    async def scenario() -> None:
        here, there, _ = await waited_for(match, people)
        table = runtime().matches.open[match.pk]
        clock[0] += 2.0
        assert runtime().idleness.seconds(table) == {1: 2.0}
        again = await Wire(match, people[1]).open()
        await again.hear("table")
        assert runtime().idleness.seconds(table) == {1: 2.0}
        for wire in (here, there, again):
            await wire.hang_up()

    run(scenario())


@pytest.mark.parametrize("timed", [{"ranked": True}, {"clock": 60}, {"days": 3}])
def test_where_a_time_limit_decides_nobody_is_idle(timed: dict[str, Any]) -> None:
    idle = Idle(**timed)
    assert [idle.after(200), idle.after(200)] == [{}, {}]


@pytest.mark.parametrize(
    "change", [{"level": "walter", "stand_in": "Walter"}, {"kind": "computer"}]
)
def test_nobody_is_asked_to_hurry_whom_only_a_computer_or_a_program_waits_for(
    change: dict[str, Any],
) -> None:
    """Nobody could go on without them."""
    idle = Idle()
    own, other = idle.table.meta.seats
    idle.table.meta = replace(idle.table.meta, seats=(own, replace(other, **change)))
    assert [0 in idle.after(200), 0 in idle.after(200)] == [False, False]


def test_deafness_starts_every_time_over() -> None:
    idle = Idle()
    idle.after(0)
    idle.peers.hearing = None
    assert idle.after(400) == {}
    idle.peers.hearing = idle.now
    assert idle.after(0) == {0: 0.0, 1: 0.0}
    idle.after(200)
    idle.presence.others_deaf = True
    assert idle.after(200) == {}


def test_who_has_to_act_themselves_may_not_act_for_another() -> None:
    idle = Idle()
    idle.after(0)
    idle.after(300)
    assert not idle.tracker.offered(idle.table, 1, 0)
    seconds = idle.tracker.seconds(idle.table)
    assert idle.tracker.asked(seconds) == {0: 300.0, 1: 300.0}
    assert idle.tracker.next_change(seconds) is None
