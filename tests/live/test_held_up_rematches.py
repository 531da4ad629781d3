"""Rematches whose asker is cut off, or of which a player stays locked by another request."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from games.live.commands import want_rematch
from games.live.runtime import runtime, shut_down
from games.models import Match, Player
from games.tables import rematches
from tests.live.test_rematches import ended, offers
from tests.support.people import Wire, make_match, run
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("days", [None, 3])
def test_the_others_hear_of_a_wish_whose_player_was_cut_off(
    days: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server cancels a socket's task while the wish is being stored."""
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=days)
    begun, gate = threading.Event(), threading.Event()

    def hold(name: str) -> None:
        wrapped = getattr(rematches, name)

        def held(**given: Any) -> Any:
            begun.set()
            gate.wait()
            return wrapped(**given)

        monkeypatch.setattr(f"games.{'live' if days else 'tables'}.rematches.{name}", held)

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        if days is None:
            assert (await here.ask("rematch"))["t"] == "ok"
        hold("make_rematch" if days is None else "store_wish")
        live = await runtime().matches.get(match.public_id)
        assert live is not None
        asking = asyncio.create_task(want_rematch(table=live, seat=1, player=bob.pk))
        await asyncio.to_thread(begun.wait)
        asking.cancel()
        gate.set()
        shown = await offers(here, wanted=[0, 1] if days is None else [1])
        while days is None and shown["match"] is None:
            shown = await offers(here)
        with pytest.raises(asyncio.CancelledError):
            await asking
        await here.hang_up()
        await there.hang_up()

    run(scenario())
    assert Match.objects.count() == (2 if days is None else 1)


def shown(wire: Wire) -> list[tuple[list[int], bool]]:
    """Return who was shown to want a rematch, and whether there was one, in order."""
    tables = [each["d"]["rematch"] for each in map(json.loads, wire.heard) if each["t"] == "table"]
    return [(offer["wanted"], offer["match"] is not None) for offer in tables]


@pytest.mark.parametrize("held", [3, 99])
def test_a_rematch_whose_player_stays_locked_is_tried_again_by_itself(
    held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both see that both have asked; after the last attempt each can ask again."""
    match, (ann, bob) = make_match()
    monkeypatch.setattr("games.live.rematch_maker.PAUSES", (0.0, 0.0))
    monkeypatch.setattr("games.live.rematches.LATER", (0.0, 0.0, 0.0))
    tried: list[int] = []

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch"))["t"] == "ok"
        maker = runtime().rematches
        work = maker.work

        def held_up(batch: Any) -> Any:
            tried.append(1)
            return [None] * len(batch) if len(tried) <= held else work(batch)

        maker.work = held_up  # type: ignore[method-assign]
        assert (await there.ask("rematch", "b-2"))["t"] == "ok"
        end = ([0, 1], True) if held == 3 else ([], False)
        for wire in (here, there):
            await wait_until(lambda wire=wire: shown(wire)[-1] == end)
            assert ([0, 1], False) in shown(wire)
        maker.work = work  # type: ignore[method-assign]
        if held == 99:
            for wire, ident in ((here, "a-3"), (there, "b-3")):
                assert (await wire.ask("rematch", ident))["t"] == "ok"
        await here.hang_up()
        await there.hang_up()

    run(scenario())
    assert len(tried) == (held + 1 if held == 3 else 8)
    assert Match.objects.count() == 2


def test_a_rematch_by_correspondence_that_stays_held_up_can_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The wishes stay after the last attempt; both see that it couldn't start, and either asks.

    Meanwhile both see that it is tried again.
    """
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=3)
    monkeypatch.setattr("games.live.rematch_maker.PAUSES", (0.0, 0.0))
    monkeypatch.setattr("games.live.rematches.LATER", (0.0, 0.0, 0.0))

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch"))["t"] == "ok"
        maker = runtime().rematches
        work = maker.work
        maker.work = lambda batch: [None] * len(batch)  # type: ignore[method-assign]
        assert (await there.ask("rematch", "b-2"))["t"] == "ok"
        for wire in (here, there):
            await wait_until(lambda wire=wire: offer(wire)["stalled"])
            assert offer(wire)["wanted"] == [0, 1]
        await wait_until(lambda: not maker.held_up)
        for wire in (here, there):
            wire.heard.clear()
        assert (await there.ask("rematch", "b-3"))["t"] == "ok"
        for wire in (here, there):
            await wait_until(lambda wire=wire: stalls(wire)[:2] == [False, True])
        await wait_until(lambda: not maker.held_up)
        maker.work = work  # type: ignore[method-assign]
        assert (await here.ask("rematch", "a-3"))["t"] == "ok"
        for wire in (here, there):
            await wait_until(lambda wire=wire: offer(wire)["match"] is not None)
        await here.hang_up()
        await there.hang_up()

    run(scenario())
    assert Match.objects.count() == 2


def test_a_rematch_that_cannot_start_is_no_longer_shown_so_once_a_block_withdraws_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(days=3)
    Player.objects.filter(pk=ann.pk).update(kind=Player.Kind.PERSON)
    monkeypatch.setattr("games.live.rematch_maker.PAUSES", (0.0, 0.0))
    monkeypatch.setattr("games.live.rematches.LATER", (0.0,))

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch"))["t"] == "ok"
        maker = runtime().rematches
        maker.work = lambda batch: [None] * len(batch)  # type: ignore[method-assign]
        assert (await there.ask("rematch", "b-2"))["t"] == "ok"
        await wait_until(lambda: offer(there)["stalled"])
        assert (await here.ask("block", "a-2", seat=1))["t"] == "ok"
        await wait_until(lambda: offer(there)["wanted"] == [1])
        assert not offer(there)["stalled"]
        await here.hang_up()
        await there.hang_up()

    run(scenario())


def stalls(wire: Wire) -> list[bool]:
    """Return whether the rematch was shown as stalled, in order."""
    tables = (each for each in map(json.loads, wire.heard) if each["t"] == "table")
    return [each["d"]["rematch"]["stalled"] for each in tables]


def offer(wire: Wire) -> dict[str, Any]:
    """Return the last offer of a rematch that a client was shown."""
    tables = (each for each in map(json.loads, reversed(wire.heard)) if each["t"] == "table")
    found: dict[str, Any] = next(tables)["d"]["rematch"]
    return found


def test_a_wish_is_dropped_without_an_error_when_its_event_loop_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python closes what still waits for the match then, which must not ask for it."""
    match, (ann, bob) = make_match()
    begun, gate = threading.Event(), threading.Event()
    make = rematches.make_rematch

    def held(**given: Any) -> Any:
        begun.set()
        gate.wait()
        return make(**given)

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch"))["t"] == "ok"
        monkeypatch.setattr("games.tables.rematches.make_rematch", held)
        live = await runtime().matches.get(match.public_id)
        assert live is not None
        asking = want_rematch(table=live, seat=1, player=bob.pk)
        try:
            asking.send(None)
            await asyncio.to_thread(begun.wait)
            asking.close()
        finally:
            gate.set()
        await here.hang_up()
        await there.hang_up()

    run(scenario())
    assert Match.objects.count() == 2


def test_a_rematch_is_not_tried_again_in_a_process_that_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last of the first attempts may end after the shutdown has cut off its socket."""
    match, (ann, bob) = make_match()
    monkeypatch.setattr("games.live.rematch_maker.PAUSES", (0.0,))
    begun, gate = threading.Event(), threading.Event()

    def held_up(batch: Any) -> Any:
        begun.set()
        gate.wait()
        return [None] * len(batch)

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch"))["t"] == "ok"
        parts = runtime()
        live = await parts.matches.get(match.public_id)
        assert live is not None
        monkeypatch.setattr(parts.rematches, "work", held_up)
        asking = asyncio.create_task(want_rematch(table=live, seat=1, player=bob.pk))
        await asyncio.to_thread(begun.wait)
        stopping = asyncio.create_task(shut_down())
        await wait_until(lambda: parts.rematches._thread is None)
        gate.set()
        await stopping
        await asking
        assert not parts.rematches.held_up
        await here.hang_up()
        await there.hang_up()

    run(scenario())
