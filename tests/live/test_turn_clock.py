"""The turn clock: based on the log, and never running against players who could not play."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.cluster import outages
from games.live import turn_clock
from games.live.match_cache import MatchCache
from games.live.runtime import runtime
from games.log import store
from games.log.batches import STUCK
from games.models import Decks, Match, Move, Outage, Pulse, Seat
from games.ops import true_time
from games.tables.forfeit import leave_for_good
from games.tables.ranked import begin_ranked
from games.tables.turn_deadlines import due, running_clocks
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


def test_an_outage_costs_no_player_time() -> None:
    """No process ran for two hours: the time starts again when one does."""
    match, (ann, _) = ranked()
    before = timezone.now()
    long_ago = before - timedelta(hours=2)
    Match.objects.filter(pk=match.pk).update(started_at=long_ago)
    Pulse.objects.create(at=long_ago + timedelta(seconds=1))

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        told = await one.hear("clock")
        assert moment(told) >= before + timedelta(seconds=LIMIT - 1)
        await one.hang_up()

    run(scenario())


def test_the_new_time_is_shown_while_nobody_may_be_judged_yet() -> None:
    """Redis is back, and another process still counts as deaf for a while."""
    match, (ann, _) = ranked()

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        view = await discarding(one)
        first = await one.hear("clock", v=view["v"])
        runtime().presence.others_deaf = True
        runtime().clock.pause()
        await runtime()._resume_clock(timezone.now() - 2 * outages.BREAK)
        second = await one.hear("clock", v=view["v"])
        assert second["until"] > first["until"]
        await one.hang_up()

    run(scenario())


def test_moves_that_wait_for_the_database_cost_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer is stuck: say an administrator's command has locked the tables that it needs."""
    match, (ann, _) = ranked()
    monkeypatch.setattr(outages, "BREAK", timedelta(0))

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        view = await discarding(one)
        first = await one.hear("clock", v=view["v"])
        parts = runtime()
        await parts._record_pulse()
        assert parts.presence.may_judge
        parts.writer.busy_since = time.monotonic() - STUCK
        await parts._record_pulse()
        assert not parts.presence.may_judge, "nor may any other process judge"
        parts.writer.busy_since = None
        await parts._record_pulse()
        assert parts.presence.may_judge
        second = await one.hear("clock", v=view["v"])
        assert second["until"] > first["until"]
        await one.hang_up()

    run(scenario())
    stalled = Outage.objects.get(partial=True)
    assert stalled.ended - stalled.began >= timedelta(seconds=STUCK)


def test_a_slow_clock_dates_no_move_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other processes would give away the seat of who has to move next."""
    monkeypatch.setattr(true_time, "_ahead", timedelta())
    monkeypatch.setattr(true_time, "seconds_ahead", lambda: -300.0)

    async def pulse() -> None:
        await runtime()._record_pulse()

    async def scenario() -> None:
        one = await Wire(match, ann).open()
        view = await discarding(one)
        told = await one.hear("clock")
        assert LIMIT - 10 < told["until"] - told["now"] <= LIMIT, "by the same clock"
        one.send({"t": "discard", "d": {"cards": view["cards"][:2]}, "id": "a"})
        await one.hear("ok")
        await one.hang_up()

    run(pulse())
    match, (ann, _) = ranked()  # by a process whose clock is right
    run(scenario())
    last = Move.objects.filter(match=match).latest("sequence")
    assert last.at > timezone.now() + timedelta(seconds=290)


def test_the_time_starts_again_after_each_outage_that_overlaps_it() -> None:
    begun, limit = timezone.now(), timedelta(seconds=LIMIT)
    at = [begun + timedelta(seconds=seconds) for seconds in (-20, -5, 30, 70, 300, 400)]
    assert due(begun, limit, []) == begun + limit
    assert due(begun, limit, [(at[0], at[1])]) == begun + limit, "it ended before"
    assert due(begun, limit, [(at[1], at[3])]) == at[3] + limit
    assert due(begun, limit, [(at[2], at[3]), (at[4], at[5])]) == at[3] + limit
    assert due(begun, limit, [(at[1], at[2]), (at[3], at[4])]) == at[4] + limit


@pytest.mark.parametrize("number", [1, 7])
def test_looking_for_late_matches_takes_as_many_queries_for_any_number(number: int) -> None:
    for _ in range(number):
        ranked()
    outages.record_pulse()
    with CaptureQueriesContext(connection) as queries:
        assert len(running_clocks()) == number
    assert len(queries) == 3, [query["sql"] for query in queries]


def test_a_look_reads_only_matches_that_are_late(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        ranked()
    late, _ = ranked()
    Match.objects.filter(pk=late.pk).update(started_at=timezone.now() - timedelta(hours=1))
    read: list[str] = []

    async def get(self: MatchCache, public_id: str) -> None:
        read.append(public_id)

    monkeypatch.setattr(MatchCache, "get", get)

    async def scenario() -> None:
        await runtime().clock.start_timers()

    run(scenario())
    assert read == [late.public_id]


def test_a_move_stored_before_a_forfeit_wins() -> None:
    """A forfeit belongs to one length of the log."""
    match, _ = ranked()
    store.append([store.Entry(match.pk, 0, None, "0 cut", "", timezone.now())])
    assert not leave_for_good(match=match.pk, seat=0, timed_out=True, version=0)
    assert not Seat.objects.filter(match=match, left_at__isnull=False).exists()
    assert leave_for_good(match=match.pk, seat=0, timed_out=True, version=1)
    assert Seat.objects.get(match=match, seat=0).left_at == 1
    assert store.length(match.pk) == 1, "nothing is left of the entry that held the log"


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
