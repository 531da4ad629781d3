"""Absent players: grace period, the offers after it, substitutes, and returning."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.test import override_settings

from games.live.peers import Peers
from games.live.presence import FORGOTTEN_AFTER, Presence
from games.models import Match, Player, Seat
from games.text.log_sentences import claim_text
from tests.support.live_tables import new_table
from tests.support.people import Wire, as_, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)

GRACE_S = 0.5
SHORT = override_settings(ABSENCE_GRACE=GRACE_S, COMPUTER_PAUSE=0.0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give a frozen clock for absence; its only element is the current time in seconds."""
    now = [100.0]
    monkeypatch.setattr("games.live.runtime.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@SHORT
def test_claims_are_offered_only_after_the_grace_period(clock: list[float]) -> None:
    """The waiting player sees how long, is refused before, and may choose afterwards."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await absent(here, offered=False)
        assert told["seats"][1]["online"] is False
        here.send({"t": "claim_win", "d": {"seat": 1, "v": told["v"]}, "id": "a-1"})
        assert (await here.hear("error"))["code"] == "not_offered"
        clock[0] += GRACE_S
        offer = await absent(here, offered=True)

        back = await Wire(match, bob).open()
        told = await here.hear("table", absent=[])
        assert told["seats"][1]["online"] is True
        here.send({"t": "claim_win", "d": {"seat": 1, "v": offer["v"]}, "id": "a-2"})
        assert (await here.hear("error"))["code"] == "not_offered"
        await back.hang_up()
        await here.hang_up()

    run(scenario())


async def absent(wire: Wire, *, offered: bool, other_than: int = 0) -> dict[str, Any]:
    """Return the next table message in which seat 1 is absent, at another version than this."""
    wanted = {
        "seat": 1,
        "since": 0,
        "can_stand_in": offered,
        "can_claim": offered,
        "offer_in": None if offered else 1,
    }
    while True:
        told = await wire.hear("table")
        for entry in told["absent"]:
            version = entry.pop("v")
            if entry == wanted and version != other_than:
                return {**told, "v": version}


async def absent_too_long(wire: Wire, clock: list[float]) -> dict[str, Any]:
    """Let the grace period of the absent player pass; return what the table offers then."""
    await absent(wire, offered=False)
    clock[0] += GRACE_S
    return await absent(wire, offered=True)


async def dealt(wire: Wire) -> dict[str, Any]:
    """Return the view after the first deal, whether it comes whole or in steps."""
    view = await wire.hear("view")
    while view["phase"] != "discard":
        view = (await wire.hear("steps"))["view"]
    return view


async def hear_event(wire: Wire, event: dict[str, object]) -> None:
    """Wait for an event."""
    while not any(event in move for move in (await wire.hear("steps"))["events"]):
        pass


@SHORT
def test_a_player_who_need_not_act_is_not_absent() -> None:
    """The grace period runs only while the game waits for the absent player."""
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
def test_a_win_claimed_from_an_absent_player_ends_the_match(clock: list[float]) -> None:
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await absent_too_long(here, clock)
        here.send({"t": "claim_win", "d": {"seat": 1, "v": told["v"]}, "id": "a-1"})
        await here.hear("table", status="finished", claimed="absent")
        back = await Wire(match, bob).open()
        await back.hear("table", claimed="absent")
        for wire in (here, back):
            await wire.hang_up()

    run(scenario())
    match.refresh_from_db()
    assert (match.status, match.winner, match.ended_by) == ("finished", 0, "resigned")
    assert words_for(match, ann) == {"win claimed", "was away; the win was claimed"}


def words_for(match: Match, player: Player) -> set[str]:
    """Return the words for the end of a match in the player's list, its print and its replay."""
    client, here = as_(player), f"/matches/{match.public_id}/"
    pages = [client.get(path) for path in ("/matches/", f"{here}print/", f"{here}1.1/")]
    text = " ".join(page.content.decode() for page in pages)
    assert bool(client.get(f"{here}replay.json").json()["claimed"]) == ("claimed" in text)
    known = ("resigned", "win claimed", *map(claim_text, ("absent", "idle", "late")))
    return {words for words in known if words in text}


def test_a_match_that_was_resigned_or_goes_on_was_not_claimed() -> None:
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        await here.hear("table", claimed=None)
        assert (await there.ask("resign"))["t"] == "ok"
        await here.hear("table", status="finished", claimed=None)
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    assert words_for(match, ann) == {"resigned"}


@SHORT
def test_a_claim_for_an_earlier_version_is_refused(clock: list[float]) -> None:
    """Ann discards after the offer: her claim needs the new one."""
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        cards = (await dealt(here))["cards"]
        told = await absent_too_long(here, clock)
        here.send({"t": "discard", "d": {"cards": cards[:2]}, "id": "a-1"})
        new = await absent(here, offered=True, other_than=told["v"])
        here.send({"t": "claim_win", "d": {"seat": 1, "v": told["v"]}, "id": "a-2"})
        assert (await here.hear("error"))["code"] == "not_offered"
        here.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-3"})
        assert (await here.hear("error"))["code"] == "malformed"
        here.send({"t": "claim_win", "d": {"seat": 1, "v": new["v"]}, "id": "a-4"})
        await hear_event(here, {"e": "resigned", "seat": 1})
        await here.hang_up()

    run(scenario())
    match.refresh_from_db()
    assert (match.status, match.winner) == ("finished", 0)


@SHORT
def test_a_substitute_plays_until_the_player_is_back(clock: list[float]) -> None:
    """It moves at once; when the player returns they have their seat and the computer stops."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await absent_too_long(here, clock)
        here.send({"t": "stand_in", "d": {"seat": 1, "v": told["v"] + 1}, "id": "a-0"})
        assert (await here.hear("error"))["code"] == "not_offered", "of a version still to come"
        here.send({"t": "stand_in", "d": {"seat": 1, "v": told["v"]}, "id": "a-1"})
        await hear_event(here, {"e": "discarded", "seat": 1, "number": 2})
        there = await Wire(match, bob).open()
        told = await there.hear("table")
        assert told["seats"][1]["stand_in"] is None
        assert (await there.hear("returned"))["computer"]
        again = await Wire(match, bob).open()
        assert (await again.ask("return"))["t"] == "ok"
        assert "returned" not in again.kinds, "they were not away"
        await again.hang_up()
        await there.hang_up()
        await here.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=1).stand_in is None


@override_settings(ABSENCE_GRACE=GRACE_S, COMPUTER_PAUSE=60.0)
def test_a_player_who_takes_their_turn_back_is_not_missed_meanwhile(clock: list[float]) -> None:
    """Others would read at once that they are back and that they are waited for."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        told = await absent_too_long(here, clock)
        here.send({"t": "stand_in", "d": {"seat": 1, "v": told["v"]}, "id": "a-1"})
        await here.hear("ok")
        there = await Wire(match, bob).open()
        while not told["seats"][1]["online"]:
            told = await here.hear("table")
            seat = told["seats"][1]
            assert seat["stand_in"] or not told["absent"]
        await there.hang_up()
        await here.hang_up()

    run(scenario())


@SHORT
def test_with_three_seats_a_player_can_leave_their_seat_to_a_computer() -> None:
    """They cannot resign; the game goes on without them."""
    match, people = make_match(players=3, target=61)

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        wires[2].send({"t": "resign", "d": {}, "id": "c-1"})
        assert (await wires[2].hear("error"))["code"] == "cannot_resign"
        wires[2].send({"t": "leave", "d": {}, "id": "c-2"})
        await wires[2].hear("ok")
        await wires[2].hang_up()
        await hear_event(wires[0], {"e": "discarded", "seat": 2, "number": 1})
        for wire in wires[:2]:
            await wire.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=2).stand_in is not None


def test_a_rematch_starts_when_all_players_want_it() -> None:
    """One player's wish is shown to the other; once both agree there is a match between them."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        here.send({"t": "rematch", "d": {}, "id": "a-1"})
        assert (await here.hear("error"))["code"] == "not_offered"
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        await hear_event(here, {"e": "resigned", "seat": 1})
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

    run_with_database(scenario)
    following = Match.objects.latest("pk")
    assert following.pk != match.pk
    assert list(following.seats.order_by("seat").values_list("player", flat=True)) == [
        ann.pk,
        bob.pk,
    ]
    assert Match.objects.get(pk=match.pk).rematch == following


def run_with_database(scenario: object) -> None:
    """Run a scenario that reads the database synchronously, which Django forbids by default."""
    import os

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        run(scenario())
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class FakePeers:
    """Records the messages to other processes."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.hearing: float | None = float("-inf")

    def hearing_since(self) -> float | None:
        return self.hearing

    def send(self, match: int, message: str, *, soon: bool = False) -> None:
        self.said.append(message)

    tell = send


def alone(peers: FakePeers, clock: Callable[[], float]) -> Presence:
    """Return the presence tracker of a process without sockets."""
    return Presence(cast(Peers, peers), lambda: 0, clock)


def test_presence_reported_by_a_silent_process_expires() -> None:
    """A killed process cannot report that its players have gone."""
    now = 0.0
    presence = alone(FakePeers(), lambda: now)
    seven = new_table(7)
    presence.record_process("other")
    assert presence.record_seats(7, "other", "0,2", "3")
    assert not presence.record_seats(7, "other", "0,2", "3"), "nothing new"
    assert presence.online(seven) == (frozenset({0, 2}), 3)
    now = FORGOTTEN_AFTER - 1
    presence.record_heartbeat("other", "5")
    now = 2 * FORGOTTEN_AFTER - 2
    assert presence.online(seven)[0] == {0, 2}, "heard of in between"
    assert presence.online_count() == 5
    now = 3 * FORGOTTEN_AFTER
    assert presence.online(seven) == (frozenset(), 0)
    assert presence.drop_silent() == {7}
    assert presence.is_alone()


def test_silence_means_nothing_while_a_process_is_deaf() -> None:
    """Others keep their sockets, nobody is absent, and both times begin anew afterwards."""
    now = 0.0
    peers = FakePeers()
    presence = alone(peers, lambda: now)
    match = new_table(dealt_out=True)
    presence.record_process("other")
    presence.record_seats(match.pk, "other", "0", "0")
    assert presence.absences(match) == {1: 0.0}
    now, peers.hearing = 2.0, None
    assert presence.absences(match) == {}
    now = 100.0
    assert presence.online(match)[0] == {0}
    assert presence.drop_silent() == set()
    assert presence.absences(match) == {}
    peers.hearing = now
    assert presence.online(match)[0] == {0}
    assert presence.absences(match) == {1: 0.0}
    now += FORGOTTEN_AFTER + 1
    assert presence.drop_silent() == {match.pk}
    assert presence.absences(match) == {0: 0.0, 1: FORGOTTEN_AFTER + 1}
    assert presence.is_alone()
    peers.hearing = None
    assert not presence.is_alone(), "there may be others"


def test_a_process_ignores_its_own_presence_messages() -> None:
    peers = FakePeers()
    presence = alone(peers, lambda: 0.0)
    seven = new_table(7)
    presence.announce(seven)
    assert peers.said == [f"here {presence.process} - 0"]
    assert not presence.record_heartbeat(presence.process, "9")
    assert not presence.record_seats(7, presence.process, "1", "0")
    assert presence.is_alone()
    assert presence.online_count() == 0


def test_the_grace_period_starts_when_this_process_first_misses_a_player() -> None:
    """A restart of the service costs players nothing: a process counts from what it sees itself."""
    now = 100.0
    presence = alone(FakePeers(), lambda: now)
    match = new_table(dealt_out=True)
    assert presence.absences(match) == {0: 0.0, 1: 0.0}
    now = 130.0
    assert presence.absences(match) == {0: 30.0, 1: 30.0}
    again = new_table(dealt_out=True)
    assert alone(FakePeers(), lambda: now).absences(again) == {0: 0.0, 1: 0.0}
