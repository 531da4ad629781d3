"""Absent players: the grace, what is offered after it, computers that stand in, and the return."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from games.attendance import CROWD
from games.models import Match, Seat
from games.presence import FORGOTTEN_AFTER, Presence
from tests.games.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)

SHORT = override_settings(ABSENCE_GRACE=0.3, COMPUTER_PAUSE=0.0)


@SHORT
def test_what_is_offered_comes_after_the_grace_and_only_then() -> None:
    """The one who waits sees how long, is refused before, and then has the choice."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await here.hear("table", absent=[entry(offered=False)])
        assert told["seats"][1]["online"] is False
        here.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-1"})
        assert (await here.hear("error"))["code"] == "not_offered"
        await here.hear("table", absent=[entry(offered=True)])

        back = await Wire(match, bob).open()
        told = await here.hear("table", absent=[])
        assert told["seats"][1]["online"] is True
        here.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-2"})
        assert (await here.hear("error"))["code"] == "not_offered"
        await back.hang_up()
        await here.hang_up()

    run(scenario())


def entry(*, offered: bool) -> dict[str, object]:
    """Return what the table says of seat 1."""
    return {
        "seat": 1,
        "since": 0,
        "can_stand_in": offered,
        "can_claim": offered,
        "offer_in": None if offered else 1,
    }


async def dealt(wire: Wire) -> dict[str, Any]:
    """Return the view after the first deal, however it comes."""
    view = await wire.hear("view")
    while view["phase"] != "discard":
        view = (await wire.hear("steps"))["view"]
    return view


async def happened(wire: Wire, event: dict[str, object]) -> None:
    """Wait for an event."""
    while not any(event in move for move in (await wire.hear("steps"))["events"]):
        pass


@SHORT
def test_nobody_is_absent_who_need_not_act() -> None:
    """The grace runs only while the absent player is waited for."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        cards = (await dealt(there))["cards"]
        there.send({"t": "discard", "d": {"cards": cards[:2]}, "id": "b-1"})
        await there.hear("ok")
        await there.hang_up()
        told = await here.hear("table")
        while told["seats"][1]["online"]:
            told = await here.hear("table")
        assert told["absent"] == []
        await here.hang_up()

    run(scenario())


@SHORT
def test_a_win_claimed_from_an_absent_player_ends_the_match() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table", absent=[entry(offered=True)])
        here.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-1"})
        await here.hear("ok")
        await here.hang_up()

    run(scenario())
    match.refresh_from_db()
    assert (match.status, match.winner, match.ended_by) == ("finished", 0, "resigned")


@SHORT
def test_a_computer_stands_in_until_the_player_is_back() -> None:
    """It moves at once; whoever comes back has his seat, and the computer stops."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table", absent=[entry(offered=True)])
        here.send({"t": "stand_in", "d": {"seat": 1}, "id": "a-1"})
        await happened(here, {"e": "discarded", "seat": 1, "number": 2})
        there = await Wire(match, bob).open()
        told = await there.hear("table")
        assert told["seats"][1]["stand_in"] is None
        await there.hang_up()
        await here.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=1).stand_in is None


@SHORT
def test_with_three_seats_one_leaves_his_to_the_computer() -> None:
    """He cannot resign; the game goes on without him, and may end without him."""
    match, people = make_match(players=3, target=61)

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        wires[2].send({"t": "resign", "d": {}, "id": "c-1"})
        assert (await wires[2].hear("error"))["code"] == "cannot_resign"
        wires[2].send({"t": "leave", "d": {}, "id": "c-2"})
        await wires[2].hear("ok")
        await wires[2].hang_up()
        await happened(wires[0], {"e": "discarded", "seat": 2, "number": 1})
        for wire in wires[:2]:
            await wire.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=2).stand_in is not None


def test_a_rematch_is_made_when_all_want_it() -> None:
    """One wish is shown to the other; with both the match is there, with the same people."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        here.send({"t": "rematch", "d": {}, "id": "a-1"})
        assert (await here.hear("error"))["code"] == "not_offered"
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        await happened(here, {"e": "resigned", "seat": 1})
        here.send({"t": "rematch", "d": {}, "id": "a-2"})
        told = await there.hear("table")
        while told["rematch"]["wanted"] != [0]:
            told = await there.hear("table")
        assert told["rematch"]["match"] is None
        there.send({"t": "rematch", "d": {}, "id": "b-2"})
        told = await here.hear("table")
        while told["rematch"]["match"] is None:
            told = await here.hear("table")
        assert told["rematch"]["match"] == Match.objects.latest("pk").public_id
        for wire in (here, there):
            await wire.hang_up()

    asyncio_safe(scenario)
    following = Match.objects.latest("pk")
    assert following.pk != match.pk
    assert list(following.seats.order_by("seat").values_list("player", flat=True)) == [
        ann.pk,
        bob.pk,
    ]
    assert Match.objects.get(pk=match.pk).rematch == following


def asyncio_safe(scenario: object) -> None:
    """Run a scenario whose checks read the database, which coroutines may not by themselves."""
    import os

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        run(scenario())  # type: ignore[operator]
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class FakeHub:
    """Listeners that are only counted, and messages that are kept."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.sockets = 0

    def listeners(self, match: int) -> tuple[()]:
        return ()

    def say(self, match: int, message: str) -> None:
        self.said.append(message)


def test_what_a_silent_process_said_is_forgotten() -> None:
    """A process that was killed cannot say that its people have gone."""
    now = 0.0
    presence = Presence(FakeHub(), lambda: now)  # type: ignore[arg-type]
    presence.meets("other")
    assert presence.heard_here(7, "other", "0,2", "3")
    assert not presence.heard_here(7, "other", "0,2", "3"), "nothing new"
    assert presence.online(7) == (frozenset({0, 2}), 3)
    now = FORGOTTEN_AFTER - 1
    presence.heard_alive("other", "5")
    now = 2 * FORGOTTEN_AFTER - 2
    assert presence.online(7)[0] == {0, 2}, "heard of in between"
    assert presence.online_count() == 5
    now = 3 * FORGOTTEN_AFTER
    assert presence.online(7) == (frozenset(), 0)
    assert presence.forget_silent() == {7}
    assert presence.alone()


def test_a_process_does_not_take_itself_for_another() -> None:
    hub = FakeHub()
    presence = Presence(hub, lambda: 0.0)  # type: ignore[arg-type]
    presence.tell(7)
    assert hub.said == [f"here {presence.process} - 0"]
    assert not presence.heard_alive(presence.process, "9")
    assert not presence.heard_here(7, presence.process, "1", "0")
    assert presence.alone()
    assert presence.online_count() == 0


def test_the_grace_begins_when_somebody_is_first_missed_by_this_process() -> None:
    """The service's own restart costs nobody anything: it is counted from what a process sees."""
    from tests.games.test_protocol import live

    now = 100.0
    presence = Presence(FakeHub(), lambda: now)  # type: ignore[arg-type]
    match = live()
    assert presence.away(match) == {0: 0.0, 1: 0.0}
    now = 130.0
    assert presence.away(match) == {0: 30.0, 1: 30.0}
    assert Presence(FakeHub(), lambda: now).away(match) == {0: 0.0, 1: 0.0}  # type: ignore[arg-type]


@SHORT
def test_a_crowd_of_watchers_is_told_at_intervals() -> None:
    """Each newcomer knows at once who is there; the others are not told of each one by one."""
    match, (ann, _) = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    number = 3 * CROWD

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table")
        crowd = [await Wire(match, None).open() for _ in range(number)]
        for watcher in crowd:
            assert (await watcher.hear("table"))["you"] is None
        told = 1
        while (await here.hear("table"))["watchers"] < number:
            told += 1
        assert told < number
        for wire in (*crowd, here):
            await wire.hang_up()

    run(scenario())
