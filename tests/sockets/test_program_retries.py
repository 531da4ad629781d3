"""Programs while the site cannot store a move: what they are asked, and their counts."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.db import OperationalError

from games.engine import rules
from games.engine.moves import Claim, Decision, Discard, Play, Resign
from games.engine.state import Ruleset
from games.engine.view import view_for
from games.live import computers
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Player
from games.people.accounts import create_guest
from games.people.programs import create_program
from games.sockets.program_socket import ProgramSocket
from games.tables.tables import create_match
from games.wire.refusals import Refused
from tests.sockets.test_programs import Opened
from tests.support.people import Wire, run
from tests.support.waiting import DEADLINE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.COMPUTER_PAUSE, settings.PROGRAM_SECONDS = 0.0, 600.0


def refuse_first(
    monkeypatch: pytest.MonkeyPatch, kind: type, seat: int, error: Exception | None = None
) -> list[Decision]:
    """Let the first move of a kind by a seat fail as if the database were away; return it."""
    refused: list[Decision] = []
    play = Table.play

    async def unless_first(table: Table, decision: Decision, **more: Any) -> int:
        if isinstance(decision, kind) and decision.seat == seat and not refused:
            refused.append(decision)
            raise error or Refused("unavailable")
        return await play(table, decision, **more)

    monkeypatch.setattr(Table, "play", unless_first)
    return refused


class Seated(Opened):
    """A program at a table for two against a guest, who plays like the weakest computer."""

    def __init__(self, ruleset: Ruleset) -> None:
        _, token = create_program(owner=Player.objects.create_user("Margery"), name="Deep Crib")
        self.match = create_match(creator=create_guest(), ruleset=ruleset)
        self.token = token

    async def sit(self) -> Table:
        """Connect and join; return the table."""
        super().__init__(self.token)
        self.say({"t": "join", "d": {"invite": self.match.invite}})
        table = await runtime().matches.get(self.match.public_id)
        assert table is not None
        return table

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.given.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def asked(self) -> dict[str, Any]:
        """Return the next question."""
        while True:
            message = await self.hear()
            if message["t"] in {"discard", "play"}:
                return message

    def answer(self, question: dict[str, Any]) -> None:
        """Answer with the first legal cards."""
        legal = question["view"]["legal"]
        if question["t"] == "discard":
            self.say({"cards": legal["cards"][: legal["number"]]})
        else:
            self.say({"card": legal["cards"][0]})

    async def answer_all(self) -> None:
        """Answer every question."""
        while True:
            self.answer(await self.asked())

    async def leave(self) -> None:
        """End the connection."""
        self.given.put_nowait({"type": "websocket.disconnect"})
        await self.running


async def play_guest(table: Table) -> None:
    """Make the guest's moves."""
    while True:
        await wait_until(lambda: 0 in rules.waiting(table.state))
        decision = computers.decide("poppy", view_for(table.state, 0))
        if decision is not None:
            await table.play(decision, seat=0)


def test_a_program_is_asked_again_for_an_answer_that_could_not_be_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = refuse_first(monkeypatch, Discard, 1)
    program = Seated(Ruleset())

    async def scenario() -> None:
        table = await program.sit()
        first = await program.asked()
        program.answer(first)
        assert await program.asked() == first
        program.answer(first)
        await wait_until(lambda: rules.waiting(table.state) == (0,))
        await program.leave()

    run(scenario())
    assert refused


def test_a_program_that_is_asked_again_for_a_card_has_no_more_than_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = refuse_first(monkeypatch, Play, 1, OperationalError("away"))
    program = Seated(Ruleset())

    async def scenario() -> None:
        table = await program.sit()
        guest = asyncio.create_task(play_guest(table))
        question: dict[str, Any] = {}
        while not refused:
            question = await program.asked()
            program.answer(question)
            await wait_until(lambda: refused or program.told.qsize())
        assert await program.asked() == question
        (socket,) = table.listeners
        assert isinstance(socket, ProgramSocket) and socket._question is not None
        assert not socket._question.end.cancelled()
        guest.cancel()
        await program.leave()

    run(scenario())


def test_a_count_that_could_not_be_stored_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refuse_first(monkeypatch, Claim, 1)
    program = Seated(Ruleset(counting="manual"))

    async def scenario() -> None:
        table = await program.sit()
        async with asyncio.timeout(DEADLINE):
            others = [
                asyncio.create_task(work) for work in (program.answer_all(), play_guest(table))
            ]
            await wait_until(lambda: table.state.hands)
        for task in others:
            task.cancel()
        await program.leave()

    run(scenario())
    assert refused


def test_a_program_agrees_again_to_a_rematch_that_could_not_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.live.rematch_maker.PAUSES", (0.0,))
    monkeypatch.setattr("games.live.rematches.LATER", (0.0,))
    program = Seated(Ruleset())
    match, ann = program.match, program.match.created_by

    async def scenario() -> None:
        table = await program.sit()
        here = await Wire(match, ann).open()
        await program.asked()
        await table.play(Resign(0), seat=0)
        await wait_until(lambda: 1 in table.rematch)
        maker = runtime().rematches
        work = maker.work
        monkeypatch.setattr(maker, "work", lambda batch: [None] * len(batch))
        assert (await here.ask("rematch"))["t"] == "ok"
        await wait_until(lambda: 0 not in table.rematch)
        monkeypatch.setattr(maker, "work", work)
        assert (await here.ask("rematch", "a-2"))["t"] == "ok"
        await wait_until(lambda: table.meta.rematch)
        await here.hang_up()
        await program.leave()

    run(scenario())
