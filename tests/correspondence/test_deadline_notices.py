"""Notices before a deadline: once for a turn, in time, and only while the player must move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.correspondence import notify, turns, vacations
from games.correspondence.deadline_notices import lead, remind_at, remind_of_deadlines
from games.jobs.schedules import all_scheduled
from games.models import Match, Notice, Player
from tests.support.letters import begin, deliver, discard, make_person, pass_time

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SUBJECT = "Your time against bob is running out"


def sweep() -> list[str]:
    """Run the hourly job and deliver; return the subjects of all mails until now."""
    remind_of_deadlines.func()
    deliver()
    return [letter.subject for letter in mail.outbox]


def tell(match: Match) -> None:
    """Send the notice of the turn."""
    notify.your_turn(match)
    deliver()


def test_a_player_is_reminded_once_a_day_before_the_deadline(match: Match) -> None:
    tell(match)
    pass_time(match, 47 * HOUR)
    assert sweep() == ["Your turn against bob"]
    pass_time(match, 2 * HOUR)
    assert sweep() == ["Your turn against bob", SUBJECT]
    assert "It's still your turn against bob." in mail.outbox[1].body
    assert "You have until" in mail.outbox[1].body
    pass_time(match, HOUR)
    assert len(sweep()) == 2


@pytest.mark.parametrize(("days", "hours"), [(1, 6), (2, 12), (3, 24), (5, 24), (7, 24), (14, 24)])
def test_it_comes_a_day_before_or_with_a_quarter_of_a_short_time_left(
    days: int, hours: int
) -> None:
    assert lead(days) == hours * HOUR


def test_an_accepted_game_counts_as_told(ann: Player) -> None:
    made = begin(ann, make_person("bob", mails=False))
    notify.accepted(made)
    deliver()
    pass_time(made, 60 * HOUR)
    assert sweep() == ["bob accepted your game", SUBJECT]


def test_none_comes_without_a_notice_of_the_turn(match: Match) -> None:
    notify.your_turn(match)
    pass_time(match, 60 * HOUR)
    remind_of_deadlines.func()
    assert not Notice.objects.filter(kind=Notice.Kind.DUE).exists()


def test_none_comes_once_the_deadline_has_passed(match: Match) -> None:
    tell(match)
    pass_time(match, 73 * HOUR)
    remind_of_deadlines.func()
    assert not Notice.objects.filter(kind=Notice.Kind.DUE).exists()


def test_one_that_waits_is_dropped_once_the_player_has_moved(match: Match) -> None:
    tell(match)
    pass_time(match, 60 * HOUR)
    remind_of_deadlines.func()
    discard(match, 0)
    deliver()
    assert len(mail.outbox) == 1
    notify.your_turn(match)
    assert not Notice.objects.filter(kind=Notice.Kind.DUE).exists()


def test_one_that_waits_is_dropped_once_the_deadline_has_passed(match: Match) -> None:
    tell(match)
    pass_time(match, 60 * HOUR)
    remind_of_deadlines.func()
    pass_time(match, 20 * HOUR)
    deliver()
    assert len(mail.outbox) == 1


def test_days_off_put_it_off(ann: Player, match: Match) -> None:
    tell(match)
    pass_time(match, 60 * HOUR)
    remind_of_deadlines.func()
    vacations.go_away(player=ann, days=2)
    assert sweep() == ["Your turn against bob"], "neither the one that waits nor another one"
    assert not Notice.objects.filter(kind=Notice.Kind.DUE).exists()
    vacations.come_back(player=ann)
    assert sweep() == ["Your turn against bob", SUBJECT]


def test_none_is_created_during_days_off_so_that_one_follows_them(
    ann: Player, match: Match
) -> None:
    tell(match)
    pass_time(match, 60 * HOUR)
    off = vacations.go_away(player=ann, days=1)
    pass_time(match, 20 * HOUR)
    off.began, off.until = off.began - 20 * HOUR, off.until - 20 * HOUR
    off.save()
    assert timezone.now() > remind_at(ann, days=3, due=turns.deadline_of(match, ann))
    remind_of_deadlines.func()
    assert not Notice.objects.filter(kind=Notice.Kind.DUE).exists()
    vacations.come_back(player=ann)
    assert sweep() == ["Your turn against bob", SUBJECT]


def test_a_channel_that_is_chosen_later_has_its_own(ann: Player, match: Match) -> None:
    tell(match)
    pass_time(match, 49 * HOUR)
    turn = turns.turn(match)
    assert turn is not None
    notify.make(ann, match, Notice.Way.PUSH, Notice.Kind.DUE, asked=turn.asked)
    assert sweep() == ["Your turn against bob", SUBJECT]


def test_the_hourly_job_asks_no_more_for_many_matches_than_for_few(ann: Player) -> None:
    def queries(number: int) -> int:
        """Return the queries of a run, once this process knows the new matches."""
        bob = make_person(f"bob{number}", mails=False)
        for _ in range(number):
            made = begin(ann, bob)
            notify.accepted(made)
            notify.your_turn(made)
        Notice.objects.update(sent_at=timezone.now())
        remind_of_deadlines.func()
        with CaptureQueriesContext(connection) as asked:
            remind_of_deadlines.func()
        return len(asked)

    few = queries(2)
    assert queries(20) == few


def test_a_match_whose_log_cannot_be_read_is_logged_once_and_stops_no_others(
    ann: Player, match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    broken = begin(ann, make_person("cid", mails=False))
    discard(broken, 1)
    for each in (broken, match):
        tell(each)
        pass_time(each, 60 * HOUR)
    broken.moves.filter(seat=1).update(text="1 discard 2C2C")
    turns._awaited.cache_clear()  # as in a process that has not read it yet
    for _ in range(2):
        assert sweep()[2:] == [SUBJECT]
    assert [f"match {broken.public_id}: its log cannot be read"] == caplog.messages
    assert "2C" not in caplog.text, "a server's log shows no cards"


def test_the_next_turn_has_its_own(ann: Player, match: Match) -> None:
    tell(match)
    pass_time(match, 60 * HOUR)
    sweep()
    Notice.objects.update(asked=1)  # as if they were of an earlier turn
    tell(match)
    assert sweep() == ["Your turn against bob", SUBJECT] * 2


class TestQuietHours:
    DUE = datetime(2026, 11, 22, 7, tzinfo=UTC)

    def at(self, begin: int, end: int, *, due: datetime = DUE, zone: str = "") -> datetime:
        player = Player(zone=zone, quiet_from=begin, quiet_until=end)
        return remind_at(player, days=1, due=due)

    def test_it_comes_before_those_that_last_until_the_deadline(self) -> None:
        assert self.at(22, 8) == datetime(2026, 11, 21, 20, tzinfo=UTC)
        assert self.at(0, 8) == datetime(2026, 11, 21, 22, tzinfo=UTC)
        assert self.at(23, 9, zone="Europe/Berlin") == datetime(2026, 11, 21, 20, tzinfo=UTC)

    def test_it_waits_for_the_end_of_those_that_leave_enough_time(self) -> None:
        assert self.at(22, 3) == self.DUE - 6 * HOUR
        assert self.at(9, 17) == self.DUE - 6 * HOUR

    def test_a_run_of_the_job_comes_before_they_begin(self) -> None:
        late = datetime(2026, 11, 22, 3, 30, tzinfo=UTC)
        assert self.at(22, 8, due=late) == datetime(2026, 11, 21, 20, tzinfo=UTC)

    def test_without_quiet_hours_it_comes_at_its_time(self) -> None:
        assert remind_at(Player(), days=3, due=self.DUE) == self.DUE - DAY


def test_the_job_runs_every_hour() -> None:
    now = timezone.now()
    (found,) = [each for each in all_scheduled() if each.path.endswith("remind_of_deadlines")]
    assert found.after(now) == now + HOUR
