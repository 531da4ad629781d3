"""When the others at a table are told who is there."""

from __future__ import annotations

import json

import pytest

from games.live import attendance
from games.live.attendance import CROWD
from games.live.runtime import runtime
from games.models import Match
from tests.live.test_absence import dealt
from tests.support.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)


def test_updates_about_a_crowd_of_watchers_are_batched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each newcomer gets the table at once; the others are not told of every single newcomer."""
    match, (ann, _) = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    number = 3 * CROWD
    # Long enough for a slow machine: the watchers come in a few periods of collecting.
    monkeypatch.setattr(attendance, "COLLECT", 4.0)

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


def test_who_reloads_the_page_was_not_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that they have left, nor when all leave together for the next match."""
    match, (ann, bob) = make_match()
    monkeypatch.setattr(attendance, "GOING", 3600.0)

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await dealt(here)  # a move tells at once who is away
        there = await Wire(match, bob).open()
        while not (await here.hear("table"))["seats"][1]["online"]:
            pass
        before = len(here.heard)
        await there.hang_up()
        back = await Wire(match, bob).open()
        await back.hear("table")
        told = [json.loads(text) for text in here.heard[before:]]
        assert not [each for each in told if each["t"] == "table"], "nothing has changed for them"
        for wire in (back, here):
            await wire.hang_up()
        assert not runtime().attendance._collecting

    run(scenario())
