"""Correspondence matches: days per decision, deadlines from the log, and what follows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.cluster import outages
from games.cluster.outages import AFTERWARDS, extend_deadline
from games.correspondence import turns
from games.engine.state import Ruleset
from games.jobs.worker import work_off
from games.live.correspondence_timers import CorrespondenceTimers
from games.live.planned_moves import follow_move
from games.live.runtime import runtime
from games.log import store
from games.log.writer import Writer
from games.models import Match, Move, Outage, Pulse
from games.tables.rematches import make_rematch
from games.tables.tables import create_match, seat_stand_in
from games.wire.refusals import Refused
from tests.support import letters
from tests.support.people import Wire, run
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())


async def late(wire: Wire) -> dict[str, Any]:
    """Return the first `due` message that says that somebody is late."""
    told: dict[str, Any] = await wire.hear("due")
    while not late_seats(told):
        told = await wire.hear("due")
    return told


def late_seats(told: dict[str, Any]) -> list[int]:
    return [each["seat"] for each in told["seats"] if each["late"]]


class TestDeadlines:
    """A deadline is computed from the log, so it is the same after a restart and in any process."""

    def test_it_runs_from_the_log_entry_that_asked_for_the_decision(self) -> None:
        match = letters.begin(days=3)
        before = turns.turn(match)
        assert before is not None
        assert before.seats == (0, 1)
        assert timedelta(0) < before.due - (timezone.now() + 3 * DAY) + HOUR < 2 * HOUR
        letters.pass_time(match, DAY)
        later = turns.turn(match)
        assert later is not None
        assert abs(before.due - DAY - later.due) < timedelta(seconds=5)

    @pytest.mark.parametrize("days", [-4, 4])
    def test_no_process_calls_a_player_late_by_its_own_clock(self, days: int) -> None:
        """By a clock that is fast, the opponents could claim the win at once."""
        match = letters.begin(days=3)
        aged = letters.begin(days=3)
        letters.pass_time(aged, 4 * DAY)
        with wrong_clock(days * DAY):
            for row, is_late in ((match, False), (aged, True)):
                found = turns.turn(row)
                assert found is not None
                assert found.late(0) is is_late
                player = row.seats.get(seat=0).player
                assert player is not None
                (own,) = turns.own_turns(player=player)
                assert own.over is is_late

    def test_one_players_discard_does_not_extend_the_others_deadline(self) -> None:
        match = letters.begin()
        letters.pass_time(match, DAY)
        before = turns.turn(match)
        letters.discard(match, 0)
        after = turns.turn(match)
        assert before is not None and after is not None
        assert (after.seats, after.due, after.asked) == ((1,), before.due, before.asked)

    def test_a_live_match_has_no_deadline(self) -> None:
        match = letters.begin()
        Match.objects.filter(pk=match.pk).update(days=None)
        assert turns.turn(Match.objects.get(pk=match.pk)) is None

    def test_unsupported_numbers_of_days_are_refused(self) -> None:
        match = letters.begin()
        assert match.created_by is not None
        with pytest.raises(Refused) as refused:
            create_match(creator=match.created_by, ruleset=Ruleset(), days=4)
        assert refused.value.code == "bad_days"

    def test_a_rematch_keeps_the_days(self) -> None:
        match = letters.begin(days=7)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
        assert make_rematch(match=match).days == 7


class TestOutages:
    """An outage costs no player any time."""

    def test_its_length_is_added_and_some_hours_remain_afterwards(self) -> None:
        out = (NOON + 60 * HOUR, NOON + 80 * HOUR)
        assert extend_deadline(NOON, 3 * DAY, [out]) == NOON + 92 * HOUR
        short = (NOON + 71 * HOUR, NOON + 72 * HOUR)
        assert extend_deadline(NOON, 3 * DAY, [short]) == NOON + 72 * HOUR + AFTERWARDS

    def test_one_before_the_decision_or_after_the_deadline_changes_nothing(self) -> None:
        before, after = (NOON - 5 * HOUR, NOON - HOUR), (NOON + 4 * DAY, NOON + 5 * DAY)
        assert extend_deadline(NOON, 3 * DAY, [before, after]) == NOON + 3 * DAY

    def test_a_gap_between_pulses_is_recorded_once_as_an_outage(self) -> None:
        long_ago = timezone.now() - HOUR
        Pulse.objects.create(pk=1, at=long_ago)
        assert [began for began, _ in outages.outages_since(long_ago)] == [long_ago]
        outages.record_pulse()
        outages.record_pulse()
        row = Outage.objects.get()
        assert row.began == long_ago
        assert row.ended - row.began >= HOUR
        assert Pulse.objects.get().at == row.ended or Pulse.objects.get().at > row.ended

    def test_all_processes_learn_from_it_that_one_is_deaf(self) -> None:
        assert not outages.record_pulse()
        assert outages.record_pulse(deaf=True)
        assert outages.record_pulse(), "the others hear of it"
        Pulse.objects.update(deaf_at=timezone.now() - 2 * outages.BREAK)
        assert not outages.record_pulse(), "it hears again, or has gone"

    def test_regular_pulses_record_no_outage(self) -> None:
        Pulse.objects.create(pk=1, at=timezone.now() - outages.BREAK / 2)
        outages.record_pulse()
        assert not Outage.objects.exists()

    def test_a_player_late_only_because_of_it_is_not_late(self) -> None:
        match = letters.begin(days=1)
        letters.pass_time(match, 25 * HOUR)
        late = turns.turn(match)
        assert late is not None and late.late(0)
        now = timezone.now()
        Outage.objects.create(began=now - 3 * HOUR, ended=now - 2 * HOUR)
        found = turns.turn(match)
        assert found is not None and not found.late(0)


class TestLatePlayers:
    """The opponent decides what follows a missed deadline; until then a late move still counts."""

    def test_nothing_happens_automatically_and_a_late_player_may_still_move(self) -> None:
        match = letters.begin()
        ann, bob = (match.seats.get(seat=seat).player for seat in (0, 1))
        letters.discard(match, 0)
        letters.pass_time(match, 30 * DAY)

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            told = await late(wire)
            assert late_seats(told) == [1]
            # What a process does regularly.
            await runtime().clock.start_timers()
            await asyncio.to_thread(work_off)
            back = await Wire(match, bob).open()
            view = await back.hear("view")
            assert view["legal"]["action"] == "discard"
            back.send({"t": "discard", "d": {"cards": view["cards"][:2]}, "id": "b-1"})
            await back.hear("ok")
            await wire.hear("steps")
            for each in (wire, back):
                await each.hang_up()

        run(scenario())
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING
        # The move was stored with the job that notifies whoever is next.
        job = DBTaskResult.objects.get(task_path=follow_move.module_path)
        assert job.args_kwargs["args"] == [match.pk]
        assert not match.seats.filter(stand_in__isnull=False).exists()
        assert not match.seats.filter(left_at__isnull=False).exists()
        assert [row.seat for row in store.whole(match.pk) if row.seat is not None] == [0, 1]

    def test_the_win_can_be_claimed_only_after_the_deadline(self) -> None:
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.discard(match, 0)

        async def early() -> None:
            wire = await Wire(match, ann).open()
            told = await wire.hear("due")
            assert [each["seat"] for each in told["seats"]] == [1]
            assert (told["days"], late_seats(told)) == (3, [])
            wire.send({"t": "claim_win", "d": {"seat": 1, "v": told["v"]}, "id": "a-1"})
            assert (await wire.hear("error"))["code"] == "not_offered"
            await wire.hang_up()

        run(early())
        letters.pass_time(match, 3 * DAY)

        async def afterwards() -> None:
            wire = await Wire(match, ann).open()
            assert (await wire.hear("table"))["absent"] == []
            told = await late(wire)
            wire.send({"t": "claim_win", "d": {"seat": 1, "v": told["v"]}, "id": "a-2"})
            await wire.hear("ok")
            await wire.hang_up()

        run(afterwards())
        match.refresh_from_db()
        assert (match.status, match.winner, match.ended_by) == ("finished", 0, "resigned")

    def test_a_player_who_is_late_too_can_claim_nothing(self) -> None:
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.pass_time(match, 4 * DAY)

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            told = await late(wire)
            for number, wish in enumerate(("claim_win", "stand_in")):
                wire.send({"t": wish, "d": {"seat": 1, "v": told["v"]}, "id": f"a-{number}"})
                assert (await wire.hear("error"))["code"] == "not_offered"
            await wire.hang_up()

        run(scenario())

    def test_a_substitute_plays_until_the_late_player_returns(self) -> None:
        match = letters.begin()
        ann, bob = (match.seats.get(seat=seat).player for seat in (0, 1))
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            told = await late(wire)
            wire.send({"t": "stand_in", "d": {"seat": 1, "v": told["v"]}, "id": "a-1"})
            told = await wire.hear("table")
            while told["seats"][1]["stand_in"] is None:
                told = await wire.hear("table")
            back = await Wire(match, bob).open()
            told = await wire.hear("table")
            while told["seats"][1]["stand_in"] is not None:
                told = await wire.hear("table")
            await back.hang_up()
            await wire.hang_up()

        run(scenario())

    def test_a_claim_overtaken_by_a_move_is_refused(self) -> None:
        """The offer is valid for one version: the move handler refuses it at any other."""
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)
        stale = turns.turn(match)
        assert stale is not None
        letters.discard(match, 1)

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            await wire.hear("view")
            deadlines = runtime().correspondence

            async def look(_live: object) -> object:
                return stale

            deadlines.read_turn = look  # type: ignore[method-assign,assignment]
            assert isinstance(deadlines, CorrespondenceTimers)
            wire.send({"t": "claim_win", "d": {"seat": 1, "v": stale.version}, "id": "a-1"})
            assert (await wire.hear("error"))["code"] == "not_offered"
            await wire.hang_up()

        run(scenario())
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING

    @pytest.mark.parametrize("moves", [-1, 1])
    def test_a_claim_counts_only_with_the_time_limit_of_its_version(
        self, monkeypatch: pytest.MonkeyPatch, moves: int
    ) -> None:
        """Another process may store a move between the look at the log and that at the limit."""
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)
        turn = turns.turn(match)
        assert turn is not None
        other = replace(turn, version=turn.version + moves)

        async def read(_timers: object, _table: object) -> turns.Turn:
            return other

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            await wire.hear("view")
            monkeypatch.setattr(CorrespondenceTimers, "read_turn", read)
            answer = await wire.ask("claim_win", seat=1, v=turn.version)
            assert (answer["t"], answer["d"].get("code")) == ("error", "not_offered")
            await wire.hang_up()

        run(scenario())
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING

    def test_a_substitute_overtaken_by_a_move_is_refused(self) -> None:
        match = letters.begin()
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)
        offered = store.length(match.pk)
        letters.discard(match, 1)
        with pytest.raises(Refused, match="not_offered"):
            seat_stand_in(match=match, seat=1, version=offered)
        assert match.seats.get(seat=1).stand_in is None

    def test_a_late_move_does_not_overtake_a_substitute_at_the_same_moment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another process seats it between the look at the seats and the move."""
        match = letters.begin()
        bob = match.seats.get(seat=1).player
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)
        offered = store.length(match.pk)
        append = Writer.append

        def append_too_late(self: Writer, *args: Any, **how: Any) -> asyncio.Future[bool]:
            monkeypatch.setattr(Writer, "append", append)

            async def after_the_substitute() -> bool:
                await database_sync_to_async(seat_stand_in)(match=match, seat=1, version=offered)
                return await append(self, *args, **how)

            return asyncio.ensure_future(after_the_substitute())

        async def scenario() -> None:
            wire = await Wire(match, bob).open()
            view = await wire.hear("view")
            monkeypatch.setattr(Writer, "append", append_too_late)
            answer = await wire.ask("discard", cards=view["cards"][:2])
            assert (answer["t"], answer["d"].get("code")) == ("error", "not_seated")
            await wire.hang_up()

        run(scenario())
        own = Move.objects.filter(match=match, seat=1).exclude(client_id="")
        assert not own.exists()


class TestOwnTurns:
    """The list of the player's turns in the lobby, and their number in navigation and title."""

    def test_the_match_with_the_least_time_left_comes_first(self, client: Client) -> None:
        ann, bob = letters.make_person("ann"), letters.make_person("bob")
        slow, quick = letters.begin(ann, bob, days=7), letters.begin(ann, bob, days=1)
        done = letters.begin(ann, bob)
        letters.discard(done, 0)
        own = turns.own_turns(player=ann)
        assert [each.match for each in own] == [quick, slow]
        assert turns.number_of_turns(player=ann) == 2
        assert turns.number_of_turns(player=bob) == 3

        client.force_login(ann)
        page = client.get("/lobby/").content.decode()
        rows = page[page.index("data-own-turns") :]
        assert rows.index(quick.public_id) < rows.index(slow.public_id)
        assert done.public_id not in rows
        assert "<title>(2) " in page
        assert "Your turn in 2 matches" in page
        assert "<title>(2) " not in client.get(f"/t/{slow.public_id}/").content.decode()

    def test_a_match_with_a_substitute_is_not_the_players_turn(self) -> None:
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        assert ann is not None and turns.number_of_turns(player=ann) == 1
        seat_stand_in(match=match, seat=0)
        assert turns.number_of_turns(player=ann) == 0
        assert turns.own_turns(player=ann) == []

    def test_days_can_be_chosen_only_when_inviting_a_friend(self, client: Client) -> None:
        for address, days in (("/invite/", 5), ("/open/", None), ("/play/", None)):
            client.post(address, {"days": "5"})
            assert Match.objects.latest("pk").days == days
        assert client.post("/invite/", {"days": "4"}).status_code == 422
