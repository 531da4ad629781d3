"""Players who lost their seat in a ranked match for good get no more of its cards."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import orjson
import pytest
from channels.db import database_sync_to_async

from games.cluster import announce
from games.live import messages
from games.live.runtime import runtime
from games.models import Match
from games.tables.forfeit import leave_for_good
from games.tables.tables import leave_match
from tests.live.test_turn_clock import discarding, ranked
from tests.support.people import Wire, make_match, run
from tests.support.played import play_on, play_on_further

pytestmark = pytest.mark.django_db(transaction=True)

CARD = re.compile(r'"([A2-9TJQK][CDHS])"')


@pytest.fixture(autouse=True)
def _any_pace(settings: Any) -> None:
    """Let a seat that plays by itself send as fast as it can; a refused move is not repeated."""
    settings.SOCKET_RATE = 10_000


def cards_told(wire: Wire, since: int) -> set[str]:
    """Return all cards in the messages that a connection has received after the first ``since``."""
    return {card for text in wire.heard[since:] for card in CARD.findall(text)}


async def finish(wire: Wire) -> None:
    """Play at random for the seat of a connection until its match is over."""
    wire.send({"t": "hello", "d": {"v": None}})
    view = await wire.hear("view")
    asked = 0
    while view["phase"] != "over":
        legal = view["legal"]
        if legal["action"] in {"discard", "play"}:
            asked += 1
            chosen = legal["cards"][: legal["number"]]
            data = {"cards": chosen} if legal["action"] == "discard" else {"card": chosen[0]}
            wire.send({"t": legal["action"], "d": data, "id": f"f-{asked}"})
        view = (await wire.hear("steps"))["view"]
    assert not any('"too_many"' in text for text in wire.heard), "its time ran out instead"


@pytest.mark.parametrize("how", ["resigning", "running out of time"])
def test_a_player_who_left_gets_no_more_cards(how: str, settings: Any) -> None:
    settings.COMPUTER_PAUSE = 0.0
    match, (ann, bob) = ranked()

    async def scenario() -> None:
        left, stays = await Wire(match, ann).open(), await Wire(match, bob).open()
        assert (await discarding(left))["cards"]
        if how == "resigning":
            left.send({"t": "resign", "d": {}, "id": "r-1"})
        else:
            await database_sync_to_async(leave_for_good)(match=match.pk, seat=0, timed_out=True)
        table = await left.hear("table", status="playing")
        while table["seats"][0]["left"] is None:
            table = await left.hear("table")
        heard = len(left.heard)
        again = await Wire(match, ann).open()
        view = await again.hear("view")
        assert (view["seat"], view["legal"]["action"]) == (0, "wait")
        await finish(stays)
        end = await left.hear("steps")
        while end["view"]["phase"] != "over":
            end = await left.hear("steps")
        assert max(end["view"]["scores"]) == 121
        assert end["events"][-1][-1]["e"] == "match_over"
        assert how != "resigning" or {"r-1"} == {
            told["id"] for told in map(orjson.loads, left.heard) if told["t"] == "ok"
        }
        last = await Wire(match, ann).open()
        view = await last.hear("view")
        assert view["events"][-1]["e"] == "match_over"
        assert cards_told(left, heard) == set()
        assert cards_told(again, 0) == cards_told(last, 0) == set()
        assert (await again.ask("history", game=1))["d"]["code"] == "not_offered"
        assert (await again.ask("hint"))["d"]["code"] == "hints_off"
        for wire in (left, again, last, stays):
            await wire.hang_up()

    run(scenario())


def test_where_anyone_may_watch_a_player_who_left_sees_what_watchers_see(settings: Any) -> None:
    settings.COMPUTER_PAUSE = 0.0
    match, (ann, bob) = ranked()
    Match.objects.filter(pk=match.pk).update(watchable=True)

    async def scenario() -> None:
        left, stays = await Wire(match, ann).open(), await Wire(match, bob).open()
        await discarding(left)
        assert (await left.ask("resign"))["t"] == "ok"
        await finish(stays)
        live = runtime().matches.cached(match.pk)
        assert live is not None
        for kind, since in (("view", None), ("steps", live.version - 20)):
            told = []
            for reader in (ann, None):
                wire = await Wire(match, reader).open(version=since)
                told.append(await wire.hear(kind))
                told[-1].get("view", told[-1]).pop("seat")
                await wire.hang_up()
            assert told[0] == told[1]
            assert CARD.search(orjson.dumps(told).decode())
        for wire in (left, stays):
            await wire.hang_up()

    run(scenario())


def test_a_process_that_did_not_hear_of_it_reads_the_seats_before_the_next_cards() -> None:
    """It learns from the log alone that the game goes on, as while Redis is away."""
    match, (ann, _) = ranked()
    play_on(match.public_id, moves=4)

    def go_on_unheard() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(announce, "_announce", lambda *_, **__: None)
            leave_for_good(match=match.pk, seat=0)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING)
        play_on_further(match.public_id, moves=34)

    async def scenario() -> None:
        left = await Wire(match, ann).open()
        await left.hear("view")
        heard = len(left.heard)
        await database_sync_to_async(go_on_unheard)()
        table = runtime().matches.cached(match.pk)
        assert table is not None
        await asyncio.create_task(table.follow_log())  # as when another process announces it
        await left.hear("steps")
        assert table.version == 34
        assert cards_told(left, heard) == set()
        await left.hang_up()

    run(scenario())


def test_who_may_take_the_seat_back_still_sees_its_cards() -> None:
    match, people = make_match(players=3)

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        await discarding(wires[2])
        await database_sync_to_async(leave_match)(match=match, player=people[2])
        table = await wires[2].hear("table")
        while table["seats"][2].get("stand_in") is None:
            table = await wires[2].hear("table")
        live = runtime().matches.cached(match.pk)
        assert live is not None
        assert orjson.loads(messages.view(live, 2))["d"]["cards"]
        for wire in wires:
            await wire.hang_up()

    run(scenario())
