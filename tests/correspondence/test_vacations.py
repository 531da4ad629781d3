"""Days off: they stop the deadlines of one player, within an allowance, for all processes alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.correspondence import turns, vacations
from games.correspondence.turns import union
from games.models import Match, Outage, Player, Vacation
from games.people.accounts import create_guest
from games.wire.refusals import Refused
from tests.support import letters
from tests.support.people import Wire, run

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob() -> Player:
    return letters.make_person("bob", mails=False)


@pytest.fixture
def match(bob: Player) -> Match:
    """Start a match of three days per decision in which both must discard."""
    return letters.begin(letters.make_person("ann"), bob)


def deadline(match: Match, seat: int) -> datetime:
    found = turns.turn(match)
    assert found is not None
    return found.due_of(seat)


def is_late(match: Match, seat: int) -> bool:
    found = turns.turn(match)
    return found is not None and found.late(seat)


def refusal(player: Player, days: int) -> str:
    with pytest.raises(Refused) as refused:
        vacations.go_away(player=player, days=days)
    return refused.value.code


class At:
    """The site's clock, fixed some time from now."""

    def __init__(self, later: timedelta) -> None:
        self._now = timezone.now() + later
        self._patch = patch("django.utils.timezone.now", lambda: self._now)

    def __enter__(self) -> None:
        self._patch.start()

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


class TestDeadlines:
    def test_only_the_away_players_deadline_waits(self, match: Match, bob: Player) -> None:
        before = deadline(match, 0)
        vacations.go_away(player=bob, days=7)
        assert deadline(match, 0) == before
        assert deadline(match, 1) == before + 7 * DAY
        with At(4 * DAY):
            assert is_late(match, 0)
            assert not is_late(match, 1)
        with At(10 * DAY + HOUR):
            assert is_late(match, 1)

    def test_coming_back_early_counts_only_the_days_away(self, match: Match, bob: Player) -> None:
        before = deadline(match, 1)
        vacations.go_away(player=bob, days=20)
        with At(2 * DAY):
            assert vacations.come_back(player=bob)
            assert abs(deadline(match, 1) - before - 2 * DAY) < timedelta(minutes=1)
            assert not vacations.come_back(player=bob)

    def test_a_turn_that_begins_meanwhile_has_its_full_time_afterwards(
        self, match: Match, bob: Player
    ) -> None:
        vacations.go_away(player=bob, days=5)
        Vacation.objects.update(began=timezone.now() - DAY, until=timezone.now() + 4 * DAY)
        assert abs(deadline(match, 1) - timezone.now() - 7 * DAY) < timedelta(minutes=1)

    def test_a_deadline_that_has_passed_stays_passed(self, match: Match, bob: Player) -> None:
        letters.pass_time(match, 3 * DAY + HOUR)
        assert is_late(match, 1)
        vacations.go_away(player=bob, days=28)
        assert is_late(match, 1)

    def test_some_hours_are_left_after_the_last_minute(self, match: Match, bob: Player) -> None:
        letters.pass_time(match, 3 * DAY - timedelta(minutes=1))
        until = vacations.go_away(player=bob, days=1).until
        assert deadline(match, 1) == until + 12 * HOUR

    def test_an_outage_within_counts_once(self, match: Match, bob: Player) -> None:
        before = deadline(match, 1)
        vacations.go_away(player=bob, days=7)
        now = timezone.now()
        Outage.objects.create(began=now + DAY, ended=now + DAY + 5 * HOUR)
        assert deadline(match, 1) == before + 7 * DAY
        assert deadline(match, 0) == before + 5 * HOUR

    def test_periods_are_joined_where_they_overlap(self) -> None:
        now = timezone.now()
        hours = [now + n * HOUR for n in range(8)]
        parts = [(hours[5], hours[6]), (hours[0], hours[2]), (hours[1], hours[3])]
        assert union(parts) == [(hours[0], hours[3]), (hours[5], hours[6])]
        inner = [(hours[0], hours[4]), (hours[1], hours[2])]
        assert union(inner) == [(hours[0], hours[4])]

    def test_the_list_of_own_turns_has_the_own_deadline(self, match: Match, bob: Player) -> None:
        vacations.go_away(player=bob, days=7)
        (own,) = turns.own_turns(player=bob)
        assert own.due == deadline(match, 1)


class TestTheAllowance:
    def test_no_one_can_stall_for_ever(self, bob: Player) -> None:
        assert vacations.days_left(bob) == 28
        vacations.go_away(player=bob, days=20)
        with At(21 * DAY):
            assert vacations.days_left(bob) == 8
            assert refusal(bob, 9) == "bad_days_off"
            vacations.go_away(player=bob, days=8)
        with At(60 * DAY):
            assert refusal(bob, 1) == "bad_days_off"
        with At(400 * DAY):
            assert vacations.days_left(bob) == 28

    def test_each_period_costs_at_least_a_day(self, bob: Player) -> None:
        for _ in range(28):
            vacations.go_away(player=bob, days=1)
            vacations.come_back(player=bob)
        assert refusal(bob, 1) == "bad_days_off"

    @pytest.mark.parametrize("days", [0, -1, 29, 10**9])
    def test_other_numbers_are_refused(self, bob: Player, days: int) -> None:
        assert refusal(bob, days) == "bad_days_off"

    def test_a_second_period_at_once_is_refused(self, bob: Player) -> None:
        vacations.go_away(player=bob, days=1)
        assert refusal(bob, 1) == "away_already"

    def test_guests_have_none(self) -> None:
        assert refusal(create_guest(), 1) == "no_account"


@pytest.mark.django_db(transaction=True)
def test_of_several_requests_at_once_one_begins(bob: Player) -> None:
    def go(_: int) -> bool:
        try:
            vacations.go_away(player=bob, days=20)
        except Refused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(go, range(4))) == [False, False, False, True]
    assert Vacation.objects.count() == 1


class TestPages:
    def test_days_off_begin_and_end_on_the_page(self, client: Client, bob: Player) -> None:
        client.force_login(bob)
        page = client.get("/correspondence/").content.decode()
        assert "You have 28 days left of 28 in 12 months." in page
        page = client.post("/correspondence/away/", {"days": "7"}, follow=True).content.decode()
        assert "You&#x27;re away until:" in page or "You're away until:" in page
        page = client.post("/correspondence/back/", follow=True).content.decode()
        assert "You have 27 days left of 28 in 12 months." in page

    @pytest.mark.parametrize("days", ["", "x", "²", "0", "9" * 50, "29"])
    def test_bad_input_gets_a_clear_answer(self, client: Client, bob: Player, days: str) -> None:
        client.force_login(bob)
        page = client.post("/correspondence/away/", {"days": days}, follow=True)
        assert "have that many days off left. Choose fewer." in page.content.decode()
        assert not Vacation.objects.exists()

    def test_guests_are_asked_to_sign_up_and_visitors_to_log_in(self, client: Client) -> None:
        assert client.get("/correspondence/").status_code == 302
        assert client.post("/correspondence/away/", {"days": "1"}).status_code == 302
        client.force_login(create_guest())
        assert "Sign up" in client.get("/correspondence/").content.decode()


@pytest.mark.django_db(transaction=True)
class TestTheTable:
    def test_the_opponent_sees_it_at_once_and_a_watcher_not(self, bob: Player) -> None:
        match = letters.begin(letters.make_person("ann"), bob)
        Match.objects.filter(pk=match.pk).update(watchable=True)
        ann = match.seats.get(seat=0).player

        async def scenario() -> None:
            from asgiref.sync import sync_to_async

            wire, watcher = await Wire(match, ann).open(), await Wire(match, None).open()
            assert [each["away"] for each in (await wire.hear("due"))["seats"]] == [None, None]
            made = await sync_to_async(vacations.go_away)(player=bob, days=7)
            told = await wire.hear("due")
            assert told["seats"][1]["away"] == pytest.approx(made.until.timestamp(), abs=1)
            assert told["seats"][1]["until"] - told["seats"][0]["until"] == 7 * 86400
            told = await watcher.hear("due")
            while told["seats"][0]["until"] == told["seats"][1]["until"]:
                told = await watcher.hear("due")
            assert [each["away"] for each in told["seats"]] == [None, None]
            assert await sync_to_async(vacations.come_back)(player=bob)
            told = await wire.hear("due")
            assert told["seats"][1]["away"] is None
            assert told["seats"][1]["until"] - told["seats"][0]["until"] < DAY.total_seconds()
            for each in (wire, watcher):
                await each.hang_up()

        run(scenario())
