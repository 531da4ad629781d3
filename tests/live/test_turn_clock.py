"""The turn clock: based on the log, and never running against players who could not play."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.live import turn_clock
from games.live.runtime import runtime
from games.log import store
from games.models import Decks, Match
from games.tables.ranked import begin_ranked
from tests.support.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = 50


def ranked() -> tuple[Match, list[Any]]:
    """Start a ranked match between two players with a clock."""
    _, people = make_match()
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    decks = Decks.objects.create(packs=[" ".join(cards)] * 20)
    return begin_ranked(players=people, decks=decks, clock=LIMIT), people


async def discarding(one: Wire) -> dict[str, Any]:
    """Return the view once the first discard is due."""
    view = await one.hear("view")
    while view["phase"] != "discard":
        view = (await one.hear("steps"))["view"]
    return view


def moment(told: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(told["until"], tz=timezone.get_current_timezone())


def test_a_discard_does_not_extend_the_other_players_time() -> None:
    match, (ann, _) = ranked()

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        view = await discarding(one)
        first = await one.hear("clock", v=view["v"])
        assert first["seats"] == [0, 1]
        one.send({"t": "discard", "d": {"cards": view["cards"][:2]}, "id": "a"})
        second = await one.hear("clock", v=view["v"] + 1)
        assert (second["seats"], second["until"]) == ([1], first["until"])
        live = runtime().matches.cached(match.pk)
        assert live is not None
        known = runtime().clock.deadline(live)
        assert known is not None
        assert known.seats == (1,)
        await one.hang_up()

    run(scenario())


def test_an_outage_costs_no_player_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn began before this process started: the time runs from the start of the process."""
    match, (ann, _) = ranked()
    before = timezone.now()
    long_ago = before - timedelta(hours=2)
    monkeypatch.setattr(store, "decision_requested_at", lambda _match: long_ago)

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        told = await one.hear("clock")
        assert moment(told) >= before + timedelta(seconds=LIMIT - 1)
        await one.hang_up()

    run(scenario())


def test_a_match_without_a_clock_has_no_deadline() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        view = await discarding(one)
        await runtime().clock.start_timers()
        live = runtime().matches.cached(match.pk)
        assert live is not None
        assert turn_clock.late_seats(live)
        assert runtime().clock.deadline(live) is None
        assert not runtime().clock._timers
        one.send({"t": "discard", "d": {"cards": view["cards"][:2]}, "id": "a"})
        await one.hear("ok")
        assert not runtime().clock._timers
        await one.hang_up()
        assert "clock" not in one.kinds

    run(scenario())
