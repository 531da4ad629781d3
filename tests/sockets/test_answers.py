"""A table's socket answers each request once, and does not repeat what the client knows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.db import Error as DatabaseError

from games.live import attendance
from games.live.changes import AttendanceChanged, DeadlineSet, Moved
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Match, Seat
from games.wire.refusals import Refused
from tests.live.test_turn_clock import discarding, ranked
from tests.support import letters
from tests.support.people import Wire, make_computer_match, make_match, run
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


async def table_of(match: Match) -> Table:
    """Return the table of a match that is in memory."""
    table = await runtime().matches.get(match.public_id)
    assert table is not None
    return table


def received(wire: Wire, kind: str) -> list[dict[str, Any]]:
    """Return the data of all messages of a kind that a client has received."""
    messages = [orjson.loads(text) for text in wire.heard]
    return [message["d"] for message in messages if message["t"] == kind]


async def code(wire: Wire, kind: str, ident: str = "a-1", **data: Any) -> str:
    """Send a request, and return the code with which it is refused."""
    answer = await wire.ask(kind, ident, **data)
    assert answer["t"] == "error", answer
    return str(answer["d"]["code"])


def test_an_unchanged_time_limit_is_sent_once() -> None:
    match, people = ranked()

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        view = await discarding(wire)
        await wire.hear("clock", v=view["v"])
        table = await table_of(match)
        for _ in range(2):
            assert table.deadline is not None
            table.deadline = replace(table.deadline)  # as when it is read again
            table.publish(DeadlineSet())
        assert await code(wire, "history", game=9) == "not_offered"
        assert [told["v"] for told in received(wire, "clock")].count(view["v"]) == 1
        await wire.hang_up()

    run(scenario())


def test_a_time_limit_that_is_gone_is_not_sent(caplog: pytest.LogCaptureFixture) -> None:
    match, people = ranked()

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        await wire.hear("clock", v=(await discarding(wire))["v"])
        table = await table_of(match)
        before, table.deadline = len(received(wire, "clock")), None
        table.publish(DeadlineSet())
        assert await code(wire, "history", game=9) == "not_offered"
        assert len(received(wire, "clock")) == before
        await wire.hang_up()

    run(scenario())
    assert "failed" not in caplog.text


def test_the_limit_of_a_correspondence_decision_is_sent_again_only_when_it_differs() -> None:
    match = letters.begin()
    ann = match.seats.get(seat=0).player

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        first = (await wire.hear("due"))["seats"][0]["until"]
        table = await table_of(match)
        turn = table.turn
        assert turn is not None
        for hours in (0, 1, 1, 0):
            moved = tuple(due + timedelta(hours=hours) for due in turn.dues)
            table.turn = replace(turn, dues=moved)
            table.publish(DeadlineSet())
        assert await code(wire, "history", game=9) == "not_offered"
        told = [due["seats"][0]["until"] - first for due in received(wire, "due")]
        assert told == [0, 3600, 0]
        await wire.hang_up()

    run(scenario())


def test_who_comes_to_a_crowded_table_is_shown_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its changes are sent later, all together."""
    monkeypatch.setattr(attendance, "CROWD", 0)
    monkeypatch.setattr(attendance, "COLLECT", 3600.0)
    match, (ann, _) = make_match()

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        assert (await wire.hear("table"))["you"] is not None
        await wire.hang_up()

    run(scenario())


def test_a_move_that_the_client_knows_is_not_sent_again() -> None:
    match, people = make_match()

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        await discarding(wire)
        before = len(received(wire, "steps"))
        (await table_of(match)).publish(Moved(own=False))
        assert await code(wire, "history", game=9) == "not_offered"
        assert len(received(wire, "steps")) == before
        await wire.hang_up()

    run(scenario())


def test_a_table_message_is_sent_again_only_when_it_differs() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        await wire.hear("table")
        table = await table_of(match)
        for mark in (1, 1, 2, 1):
            text = orjson.dumps({"t": "table", "d": {"mark": mark}}).decode()
            table.publish(AttendanceChanged(lambda _, text=text: text))
        assert await code(wire, "history", game=9) == "not_offered"
        marks = [told["mark"] for told in received(wire, "table") if "mark" in told]
        assert marks == [1, 2, 1]
        await wire.hang_up()

    run(scenario())


def test_a_hint_that_is_asked_for_again_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another request is refused until then."""
    match, person = make_computer_match()

    async def scenario() -> None:
        ready = asyncio.Event()

        async def slow(**_: object) -> None:
            await ready.wait()
            raise Refused("no_hint")

        monkeypatch.setattr("games.sockets.consumers.commands.ask_hint", slow)
        wire = await Wire(match, person).open()
        for _ in range(2):
            wire.send({"t": "hint", "d": {}, "id": "a-1"})
        for other in ("a-2", "a-0"):
            assert await code(wire, "hint", other) == "too_many"
        ready.set()
        assert (await wire.hear("error"))["code"] == "no_hint"
        assert await code(wire, "hint", "a-3") == "no_hint", "a later request is a new one"
        told = [orjson.loads(text) for text in wire.heard]
        assert [each["id"] for each in told if each["t"] == "error"] == ["a-2", "a-0", "a-1", "a-3"]
        await wire.hang_up()

    run(scenario())


def test_who_leaves_cancels_their_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    match, person = make_computer_match()
    ended: list[str] = []

    async def scenario() -> None:
        begun, left = asyncio.Event(), asyncio.Event()

        async def endless(**_: object) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                ended.append("cancelled")
                left.set()
                raise

        monkeypatch.setattr("games.sockets.consumers.commands.ask_hint", endless)
        wire = await Wire(match, person).open()
        wire.send({"t": "hint", "d": {}, "id": "a-1"})
        await begun.wait()
        table = await table_of(match)
        assert len(table.listeners) == 1
        await wire.hang_up()
        await left.wait()
        assert not table.listeners

    run(scenario())
    assert ended == ["cancelled"]


def test_a_move_that_the_rules_refuse_is_answered_with_the_whole_view() -> None:
    match, people = make_match()

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        held = [set((await discarding(wire))["cards"]) for wire in wires]
        assert await code(wires[0], "discard", cards=sorted(held[1])[:2]) == "not_your_card"
        view = await wires[0].hear("view")
        assert set(view["cards"]) == held[0]
        for wire in wires:
            await wire.hang_up()

    run(scenario())


def test_resigning_a_ranked_match_leaves_it_to_the_computer() -> None:
    match, people = ranked()

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        await discarding(wire)
        assert (await wire.ask("resign"))["t"] == "ok"
        await wire.hang_up()

    run(scenario())
    seats = Seat.objects.filter(match=match).order_by("seat")
    assert [row.stand_in is not None for row in seats] == [True, False]
    match.refresh_from_db()
    assert match.status == "playing"


def test_no_offer_is_taken_while_the_log_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, _) = make_match()

    async def unreadable(_: Table) -> None:
        raise DatabaseError

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        version = (await discarding(wire))["v"]
        monkeypatch.setattr(Table, "follow_log", unreadable)
        for kind in ("stand_in", "claim_win"):
            assert await code(wire, kind, seat=1, v=version) == "unavailable"
        await wire.hang_up()

    run(scenario())


@pytest.mark.parametrize("swap", [False, True])
def test_other_processes_are_told_which_rematch_is_wanted(
    swap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, (ann, bob) = make_match()
    told: list[str] = []

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        await discarding(here)
        assert (await there.ask("resign"))["t"] == "ok"
        parts, table = runtime(), await table_of(match)
        monkeypatch.setattr(parts.peers, "send", lambda _match, message: told.append(message))
        assert (await here.ask("rematch", swap=swap))["t"] == "ok"
        table.rematch.clear()
        (wish,) = (message.split()[1:] for message in told if message.startswith("rematch"))
        parts._on_rematch(table, *wish)  # as in a process that receives it
        await wait_until(lambda: table.rematch == {0: swap})
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


def test_only_a_client_that_knows_the_latest_version_is_spared_the_whole_view() -> None:
    match, people = ranked()

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        for wire in wires:
            await discarding(wire)
        latest = (await runtime().matches.get(match.public_id)).version
        again = [await Wire(match, people[0]).open(version=v) for v in (latest, latest + 1)]
        assert await again[0].hear("steps", events=[])
        assert await again[1].hear("view")
        assert "view" not in again[0].kinds
        for wire in (*wires, *again):
            await wire.hang_up()

    run(scenario())


def test_a_hint_that_fails_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    match, person = make_computer_match()

    async def failing(**asked: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("games.sockets.consumers.commands.ask_hint", failing)

    async def scenario() -> None:
        wire = await Wire(match, person).open()
        assert (await wire.ask("hint"))["d"]["code"] == "no_hint"
        await wire.hang_up()

    run(scenario())
