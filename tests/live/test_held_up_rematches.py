"""Rematches whose asker is cut off, or of which a player is locked by another request."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from django.db import connection

from games.live.commands import want_rematch
from games.live.runtime import runtime
from games.models import Match
from games.people.player_lock import locked_player
from games.tables import rematches
from tests.live.test_rematches import ended, offers
from tests.support.people import make_match, run
from tests.support.waiting import DEADLINE

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


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
def test_a_player_who_is_locked_delays_no_other_rematch() -> None:
    """Their own is made once the lock is released; the deletion of an account may hold it long."""
    (match, people), (other, others) = make_match(), make_match()
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with locked_player(people[0]):
            held.set()
            let_go.wait(DEADLINE)
        connection.close()

    async def scenario() -> None:
        waiting, free = await ended(match, *people), await ended(other, *others)
        holding = asyncio.create_task(asyncio.to_thread(hold))
        await asyncio.to_thread(held.wait)
        for wires in (waiting, free):
            assert (await wires[0].ask("rematch"))["t"] == "ok"
            wires[1].send({"t": "rematch", "d": {}, "id": "r-1"})
        while (await offers(free[0]))["match"] is None:
            pass
        let_go.set()
        while (await offers(waiting[0]))["match"] is None:
            pass
        await holding
        for wire in (*waiting, *free):
            await wire.hang_up()

    run(scenario())
    assert Match.objects.count() == 4


def test_a_rematch_whose_player_stays_locked_is_refused_after_some_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It can be asked for again."""
    match, (ann, bob) = make_match()
    monkeypatch.setattr("games.live.rematch_maker.PAUSES", (0.0, 0.0))
    tried: list[int] = []

    async def scenario() -> None:
        here, there = await ended(match, ann, bob)
        assert (await here.ask("rematch"))["t"] == "ok"
        maker = runtime().rematches
        work = maker.work
        maker.work = lambda batch: tried.append(1) or [None] * len(batch)  # type: ignore[method-assign]
        answer = await there.ask("rematch", "b-2")
        assert answer["d"]["code"] == "unavailable"
        maker.work = work  # type: ignore[method-assign]
        assert (await there.ask("rematch", "b-3"))["t"] == "ok"
        await here.hang_up()
        await there.hang_up()

    run(scenario())
    assert len(tried) == 2
    assert Match.objects.count() == 2
