"""Matches by correspondence: days for each decision, counted by the log; a choice, and no loss."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import correspondence, outages
from games.engine.state import Ruleset
from games.models import Match, Outage, Pulse
from games.outages import AFTERWARDS, SILENCE, lengthened
from games.refusals import Refused
from games.services import create_match, make_rematch
from tests.games import letters
from tests.games.people import Wire, run

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())


class TestTheTimeOfADecision:
    """Worked out from the log alone, so that no restart and no process changes it."""

    def test_it_runs_from_the_entry_that_asked(self) -> None:
        match = letters.begin(days=3)
        before = correspondence.turn(match)
        assert before is not None
        assert before.seats == (0, 1)
        assert timedelta(0) < before.due - (timezone.now() + 3 * DAY) + HOUR < 2 * HOUR
        letters.pass_time(match, DAY)
        later = correspondence.turn(match)
        assert later is not None
        assert abs(before.due - DAY - later.due) < timedelta(seconds=5)

    def test_the_discard_of_one_prolongs_nobodys_time(self) -> None:
        match = letters.begin()
        letters.pass_time(match, DAY)
        before = correspondence.turn(match)
        letters.discard(match, 0)
        after = correspondence.turn(match)
        assert before is not None and after is not None
        assert (after.seats, after.due, after.asked) == ((1,), before.due, before.asked)

    def test_a_match_without_days_has_none(self) -> None:
        match = letters.begin()
        Match.objects.filter(pk=match.pk).update(days=None)
        assert correspondence.turn(Match.objects.get(pk=match.pk)) is None

    def test_other_numbers_of_days_are_refused(self) -> None:
        match = letters.begin()
        assert match.created_by is not None
        with pytest.raises(Refused) as refused:
            create_match(creator=match.created_by, ruleset=Ruleset(), days=4)
        assert refused.value.code == "bad_days"

    def test_a_rematch_has_the_same_days(self) -> None:
        match = letters.begin(days=7)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
        assert make_rematch(match=match).days == 7


class TestAnOutage:
    """It takes nothing off anybody's time."""

    def test_its_length_is_added_and_hours_are_left_after_it(self) -> None:
        out = (NOON + 60 * HOUR, NOON + 80 * HOUR)
        assert lengthened(NOON, 3 * DAY, [out]) == NOON + 92 * HOUR
        short = (NOON + 71 * HOUR, NOON + 72 * HOUR)
        assert lengthened(NOON, 3 * DAY, [short]) == NOON + 72 * HOUR + AFTERWARDS

    def test_one_before_or_after_the_time_changes_nothing(self) -> None:
        before, after = (NOON - 5 * HOUR, NOON - HOUR), (NOON + 4 * DAY, NOON + 5 * DAY)
        assert lengthened(NOON, 3 * DAY, [before, after]) == NOON + 3 * DAY

    def test_a_silence_is_written_down_once_by_whoever_comes_after_it(self) -> None:
        long_ago = timezone.now() - HOUR
        Pulse.objects.create(pk=1, at=long_ago)
        assert [began for began, _ in outages.since(long_ago)] == [long_ago]
        outages.beat()
        outages.beat()
        row = Outage.objects.get()
        assert row.began == long_ago
        assert row.ended - row.began >= HOUR
        assert Pulse.objects.get().at == row.ended or Pulse.objects.get().at > row.ended

    def test_a_process_that_works_makes_none(self) -> None:
        Pulse.objects.create(pk=1, at=timezone.now() - SILENCE / 2)
        outages.beat()
        assert not Outage.objects.exists()

    def test_who_was_late_only_because_of_it_is_not_late(self) -> None:
        match = letters.begin(days=1)
        letters.pass_time(match, 25 * HOUR)
        late = correspondence.turn(match)
        assert late is not None and late.late(0)
        now = timezone.now()
        Outage.objects.create(began=now - 3 * HOUR, ended=now - 2 * HOUR)
        found = correspondence.turn(match)
        assert found is not None and not found.late(0)


class TestWhatFollows:
    """The others choose; who moves first is in time; nothing is lost in silence."""

    def test_nothing_happens_by_itself_and_the_late_one_may_still_move(self) -> None:
        match = letters.begin()
        letters.pass_time(match, 30 * DAY)
        letters.discard(match, 0)
        letters.discard(match, 1)
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING
        assert match.seats.filter(stand_in__isnull=False).count() == 0

    def test_the_win_may_be_claimed_once_the_time_is_up_and_not_before(self) -> None:
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.discard(match, 0)

        async def early() -> None:
            wire = await Wire(match, ann).open()
            told = await wire.hear("due")
            assert (told["seats"], told["days"], told["late"]) == ([1], 3, False)
            wire.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-1"})
            assert (await wire.hear("error"))["code"] == "not_offered"
            await wire.hang_up()

        run(early())
        letters.pass_time(match, 3 * DAY)

        async def late() -> None:
            wire = await Wire(match, ann).open()
            assert (await wire.hear("table"))["absent"] == []
            await wire.hear("due", late=True)
            wire.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-2"})
            await wire.hear("ok")
            await wire.hang_up()

        run(late())
        match.refresh_from_db()
        assert (match.status, match.winner, match.ended_by) == ("finished", 0, "resigned")

    def test_who_is_late_himself_claims_nothing(self) -> None:
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.pass_time(match, 4 * DAY)

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            await wire.hear("due", late=True)
            for number, wish in enumerate(("claim_win", "stand_in")):
                wire.send({"t": wish, "d": {"seat": 1}, "id": f"a-{number}"})
                assert (await wire.hear("error"))["code"] == "not_offered"
            await wire.hang_up()

        run(scenario())

    def test_the_computer_may_play_on_until_the_late_one_is_back(self) -> None:
        match = letters.begin()
        ann, bob = (match.seats.get(seat=seat).player for seat in (0, 1))
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)

        async def scenario() -> None:
            wire = await Wire(match, ann).open()
            await wire.hear("due", late=True)
            wire.send({"t": "stand_in", "d": {"seat": 1}, "id": "a-1"})
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

    def test_a_claim_that_a_move_forestalls_takes_nothing(self) -> None:
        """The offer stands for one version: the judge refuses it at any other."""
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        letters.discard(match, 0)
        letters.pass_time(match, 4 * DAY)
        stale = correspondence.turn(match)
        letters.discard(match, 1)

        async def scenario() -> None:
            from games.deadlines import Deadlines
            from games.runtime import runtime

            wire = await Wire(match, ann).open()
            await wire.hear("view")
            deadlines = runtime().deadlines

            async def look(_live: object) -> object:
                return stale

            deadlines.look = look  # type: ignore[method-assign,assignment]
            assert isinstance(deadlines, Deadlines)
            wire.send({"t": "claim_win", "d": {"seat": 1}, "id": "a-1"})
            assert (await wire.hear("error"))["code"] == "not_offered"
            await wire.hang_up()

        run(scenario())
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING


class TestYourTurn:
    """The list in the lobby, and the number in navigation and title."""

    def test_the_one_with_the_least_time_left_comes_first(self, client: Client) -> None:
        ann, bob = letters.make_person("ann"), letters.make_person("bob")
        slow, quick = letters.begin(ann, bob, days=7), letters.begin(ann, bob, days=1)
        done = letters.begin(ann, bob)
        letters.discard(done, 0)
        own = correspondence.own_turns(player=ann)
        assert [each.match for each in own] == [quick, slow]
        assert correspondence.number_of_turns(player=ann) == 2
        assert correspondence.number_of_turns(player=bob) == 3

        client.force_login(ann)
        page = client.get("/lobby/").content.decode()
        rows = page[page.index("data-own-turns") :]
        assert rows.index(quick.public_id) < rows.index(slow.public_id)
        assert done.public_id not in rows
        assert "<title>(2) " in page
        assert "Your turn in 2 matches" in page
        assert "<title>(2) " not in client.get(f"/t/{slow.public_id}/").content.decode()

    def test_where_a_computer_plays_on_it_is_not_ones_turn(self) -> None:
        match = letters.begin()
        ann = match.seats.get(seat=0).player
        assert ann is not None and correspondence.number_of_turns(player=ann) == 1
        from games.services import seat_stand_in

        seat_stand_in(match=match, seat=0)
        assert correspondence.number_of_turns(player=ann) == 0
        assert correspondence.own_turns(player=ann) == []

    def test_days_are_chosen_where_a_friend_is_invited_and_nowhere_else(
        self, client: Client
    ) -> None:
        for address, days in (("/invite/", 5), ("/open/", None), ("/play/", None)):
            client.post(address, {"days": "5"})
            assert Match.objects.latest("pk").days == days
        assert client.post("/invite/", {"days": "4"}).status_code == 422
