"""Leaving ranked games: which count, how long one waits, and how it is told and taken back."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.leaving import leave_for_good
from games.models import Match, ModerationEntry, Outage, Player, Pulse
from games.refusals import Refused
from games.services import leave_match
from games.services.moderation import moderate
from ratings import grades
from ratings.grades import PER_GRADE, graded
from ratings.models import Attempt, Leaving, Play
from ratings.services import catalogue, linking, matching, penalties
from tests.ratings.tables import people, play_on

NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class TestGrades:
    """A notice, ten minutes, an hour, a day; five finished games take one back."""

    def test_nothing_is_held_against_who_leaves_nothing(self) -> None:
        found = graded(left=[], finished=[NOON])
        assert (found.number, found.until, found.to_finish) == (0, None, 0)

    @pytest.mark.parametrize(
        ("times", "wait"),
        [(1, None), (2, 10 * MINUTE), (3, HOUR), (4, 24 * HOUR), (7, 24 * HOUR)],
    )
    def test_each_time_the_wait_is_longer(self, times: int, wait: timedelta | None) -> None:
        left = [NOON + number * HOUR for number in range(times)]
        found = graded(left=left, finished=[])
        assert found.number == times
        assert found.until == (None if wait is None else left[-1] + wait)

    def test_finished_games_take_a_grade_back(self) -> None:
        left = [NOON, NOON + HOUR]
        games = [NOON + (2 + number) * HOUR for number in range(PER_GRADE)]
        almost = graded(left=left, finished=games[:-1])
        assert (almost.number, almost.to_finish) == (2, 1)
        done = graded(left=left, finished=games)
        assert (done.number, done.to_finish) == (1, PER_GRADE)
        again = graded(left=[*left, NOON + 20 * HOUR], finished=games)
        assert again.until == NOON + 20 * HOUR + 10 * MINUTE

    def test_games_finished_before_count_for_nothing(self) -> None:
        early = [NOON - number * HOUR for number in range(1, 30)]
        assert graded(left=[NOON], finished=early).number == 1

    def test_a_game_left_begins_the_count_of_finished_ones_anew(self) -> None:
        games = [NOON + number * MINUTE for number in range(1, PER_GRADE)]
        found = graded(left=[NOON, NOON + HOUR], finished=[*games, NOON + 2 * HOUR])
        assert (found.number, found.to_finish) == (2, PER_GRADE - 1)


def ranked(players: list[Player], kind: str = Play.Kind.RANKED) -> Match:
    game = catalogue.lend(players=players)
    return catalogue.seat_down(game=game, players=players, kind=kind)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> list[Player]:
    monkeypatch.setattr(catalogue, "_prepare_aside", lambda _: None)
    return people(2)


def seat_of(match: Match, player: Player) -> int:
    return match.seats.get(player=player).seat


def leave(players: list[Player], times: int = 1) -> None:
    for _ in range(times):
        match = ranked(players)
        assert leave_for_good(match=match.pk, seat=seat_of(match, players[0]))


def finish(ended: str, player: Player) -> None:
    """Have a ranked play finished for a player, without playing it."""
    play = Play.objects.filter(kind=Play.Kind.RANKED).latest("pk")
    Play.objects.filter(pk=play.pk).update(finished_at=timezone.now())
    Attempt.objects.filter(play=play, player=player).update(ended=ended)


@pytest.mark.django_db
class TestWhatCounts:
    def test_giving_up_and_running_out_of_time_do_and_once(self, two: list[Player]) -> None:
        match = ranked(two)
        seat = seat_of(match, two[0])
        assert leave_for_good(match=match.pk, seat=seat, timed_out=True)
        assert not leave_for_good(match=match.pk, seat=seat, timed_out=True)
        row = Leaving.objects.get()
        assert (row.player, row.match, row.timed_out, row.excused) == (two[0], match, True, False)
        leave_match(match=ranked(two), player=two[0])
        assert [row.timed_out for row in Leaving.objects.order_by("pk")] == [True, False]

    def test_a_challenge_or_the_days_game_does_not(self, two: list[Player]) -> None:
        match = ranked(two, Play.Kind.CHALLENGE)
        leave_for_good(match=match.pk, seat=0)
        assert not Leaving.objects.exists()

    def test_no_time_that_ran_out_while_the_service_was_out(self, two: list[Player]) -> None:
        match = ranked(two)
        play_on(match, stop=1)
        now = timezone.now()
        Outage.objects.create(began=now - HOUR, ended=now + MINUTE)
        leave_for_good(match=match.pk, seat=seat_of(match, two[0]), timed_out=True)
        assert Leaving.objects.get().excused
        assert penalties.standing(two[0]).left == ()

    def test_an_outage_excuses_nobody_who_gives_up_or_was_asked_after_it(
        self, two: list[Player]
    ) -> None:
        now = timezone.now()
        Outage.objects.create(began=now - 2 * HOUR, ended=now - HOUR)
        Pulse.objects.create(pk=1, at=now)
        match = ranked(two)
        play_on(match, stop=1)
        leave_for_good(match=match.pk, seat=seat_of(match, two[0]), timed_out=True)
        assert not Leaving.objects.get().excused


@pytest.mark.django_db
class TestTheQueue:
    def test_the_first_time_is_a_notice_and_the_second_a_wait(
        self, client: Client, two: list[Player]
    ) -> None:
        leave(two)
        client.force_login(two[0])
        page = client.get("/ranked/").content.decode()
        assert "You left 1 ranked game in the last 30 days" in page
        assert "This is but a notice" in page
        assert matching.enter(player=two[0], seats=2).waiting
        matching.leave(player=two[0])

        leave(two)
        with pytest.raises(Refused) as refused:
            matching.enter(player=two[0], seats=2)
        assert refused.value.code == "ranked_paused"
        page = client.get("/ranked/").content.decode()
        assert "You left 2 ranked games in the last 30 days" in page
        assert "You can play ranked again at" in page
        assert "Each 5 games that you finish remove one." in page
        for row in Leaving.objects.all():
            assert f"/matches/{row.match.public_id}/" in page
        answer = client.post("/ranked/enter/", {"seats": "2"}, follow=True)
        assert "You left ranked games lately" in answer.content.decode()
        assert client.post("/play/").status_code == 302, "the computer is open to everybody"
        assert penalties.standing(two[1]).until is None, "the other has left nothing"

    def test_when_the_wait_is_over_the_queue_is_open(self, two: list[Player]) -> None:
        leave(two, 2)
        Leaving.objects.update(at=timezone.now() - 11 * MINUTE)
        assert penalties.standing(two[0]).until is None
        assert matching.enter(player=two[0], seats=2).waiting

    def test_what_is_a_month_old_is_forgotten(self, two: list[Player]) -> None:
        leave(two, 3)
        Leaving.objects.update(at=timezone.now() - grades.WINDOW - MINUTE)
        assert penalties.standing(two[0]).left == ()

    def test_games_played_to_their_end_take_one_back(self, two: list[Player]) -> None:
        leave(two, 2)
        for _ in range(PER_GRADE):
            ranked(two)
            finish(Attempt.Ended.PLAYED, two[0])
        assert penalties.standing(two[0]).grade.number == 1
        ranked(two)
        finish(Attempt.Ended.LEFT, two[0])
        assert penalties.standing(two[0]).grade.to_finish == PER_GRADE

    def test_another_account_of_the_same_person_waits_too(self, two: list[Player]) -> None:
        leave(two, 2)
        other, stranger = people(2, start=7)
        linking.link(one=two[0], other=other)
        assert penalties.standing(other).until is not None
        assert penalties.standing(stranger).until is None


@pytest.mark.django_db
class TestForgiving:
    def test_a_moderator_does_it_and_it_is_written_down(self, two: list[Player]) -> None:
        leave(two, 4)
        assert penalties.standing(two[0]).until is not None
        keeper = people(1, start=5)[0]
        moderate(moderator=keeper, player=two[0], action="pardon", reason="His line was cut.")
        entry = ModerationEntry.objects.get()
        assert (entry.moderator, entry.player, entry.action) == (keeper, two[0], "pardon")
        assert penalties.standing(two[0]).left == ()
        assert Leaving.objects.filter(forgiven_at__isnull=False).count() == 4

    def test_a_guest_who_logs_in_brings_what_he_left(self, two: list[Player]) -> None:
        from games.accounts import create_guest, merge_guest

        guest = create_guest()
        leave([guest, two[1]], 2)
        merge_guest(guest=guest, account=two[0])
        assert penalties.standing(two[0]).until is not None
