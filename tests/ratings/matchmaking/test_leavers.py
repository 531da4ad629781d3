"""Leaving ranked games: what counts, the wait, its explanation, and forgiveness."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match, ModerationEntry, Outage, Player, Pulse
from games.safety.moderation import moderate
from games.tables.forfeit import leave_for_good
from games.tables.tables import leave_match
from games.wire.refusals import Refused
from ratings.matchmaking import leaver_penalties, leavers, linked_accounts, queue
from ratings.matchmaking.leaver_penalties import PER_GRADE, penalty_grade
from ratings.models import Attempt, Leaving, Play, Ticket
from ratings.standard import catalogue
from tests.support.standard_tables import people, play_on

NOON = datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class TestGrades:
    """A notice, then waits of ten minutes, an hour, a day; five finished games remove a grade."""

    def test_a_player_who_never_leaves_has_no_penalty(self) -> None:
        found = penalty_grade(left=[], finished=[NOON])
        assert (found.number, found.until, found.to_finish) == (0, None, 0)

    @pytest.mark.parametrize(
        ("times", "wait"),
        [(1, None), (2, 10 * MINUTE), (3, HOUR), (4, 24 * HOUR), (7, 24 * HOUR)],
    )
    def test_each_leaving_lengthens_the_wait(self, times: int, wait: timedelta | None) -> None:
        left = [NOON + number * HOUR for number in range(times)]
        found = penalty_grade(left=left, finished=[])
        assert found.number == times
        assert found.until == (None if wait is None else left[-1] + wait)

    def test_finished_games_remove_a_grade(self) -> None:
        left = [NOON, NOON + HOUR]
        games = [NOON + (2 + number) * HOUR for number in range(PER_GRADE)]
        almost = penalty_grade(left=left, finished=games[:-1])
        assert (almost.number, almost.to_finish) == (2, 1)
        done = penalty_grade(left=left, finished=games)
        assert (done.number, done.to_finish) == (1, PER_GRADE)
        again = penalty_grade(left=[*left, NOON + 20 * HOUR], finished=games)
        assert again.until == NOON + 20 * HOUR + 10 * MINUTE

    def test_the_wait_for_earlier_games_is_not_the_one_for_a_warning(self) -> None:
        games = [NOON + (2 + number) * HOUR for number in range(2 * PER_GRADE)]
        found = penalty_grade(left=[NOON, NOON + HOUR, NOON + 20 * HOUR], finished=games)
        assert (found.number, found.until) == (1, None)

    def test_games_finished_before_leaving_do_not_count(self) -> None:
        early = [NOON - number * HOUR for number in range(1, 30)]
        assert penalty_grade(left=[NOON], finished=early).number == 1

    def test_leaving_again_restarts_the_count_of_finished_games(self) -> None:
        games = [NOON + number * MINUTE for number in range(1, PER_GRADE)]
        found = penalty_grade(left=[NOON, NOON + HOUR], finished=[*games, NOON + 2 * HOUR])
        assert (found.number, found.to_finish) == (2, PER_GRADE - 1)


def ranked(players: list[Player], kind: str = Play.Kind.RANKED) -> Match:
    game = catalogue.choose_game(players=players)
    return catalogue.start_match(game=game, players=players, kind=kind)


@pytest.fixture
def two() -> list[Player]:
    return people(2)


def seat_of(match: Match, player: Player) -> int:
    return match.seats.get(player=player).seat


def leave(players: list[Player], times: int = 1) -> None:
    for _ in range(times):
        match = ranked(players)
        assert leave_for_good(match=match.pk, seat=seat_of(match, players[0]))


def finish(ended: str, player: Player) -> None:
    """Mark the latest ranked play as finished for a player, without playing it."""
    play = Play.objects.filter(kind=Play.Kind.RANKED).latest("pk")
    Play.objects.filter(pk=play.pk).update(finished_at=timezone.now())
    Attempt.objects.filter(play=play, player=player).update(ended=ended)


@pytest.mark.django_db
class TestWhatCounts:
    def test_resigning_and_running_out_of_time_each_count_once(self, two: list[Player]) -> None:
        match = ranked(two)
        seat = seat_of(match, two[0])
        assert leave_for_good(match=match.pk, seat=seat, timed_out=True)
        assert not leave_for_good(match=match.pk, seat=seat, timed_out=True)
        row = Leaving.objects.get()
        assert (row.player, row.match, row.timed_out, row.excused) == (two[0], match, True, False)
        leave_match(match=ranked(two), player=two[0])
        assert [row.timed_out for row in Leaving.objects.order_by("pk")] == [True, False]

    def test_leaving_a_challenge_does_not_count(self, two: list[Player]) -> None:
        match = ranked(two, Play.Kind.CHALLENGE)
        leave_for_good(match=match.pk, seat=0)
        assert not Leaving.objects.exists()

    def test_a_timeout_during_an_outage_is_excused(self, two: list[Player]) -> None:
        match = ranked(two)
        play_on(match, stop=1)
        now = timezone.now()
        Outage.objects.create(began=now - HOUR, ended=now + MINUTE)
        leave_for_good(match=match.pk, seat=seat_of(match, two[0]), timed_out=True)
        assert Leaving.objects.get().excused
        assert leavers.status_of(two[0]).left == ()

    def test_an_outage_before_the_turn_excuses_no_timeout(self, two: list[Player]) -> None:
        now = timezone.now()
        Outage.objects.create(began=now - 2 * HOUR, ended=now - HOUR)
        Pulse.objects.create(pk=1, at=now)
        match = ranked(two)
        play_on(match, stop=1)
        leave_for_good(match=match.pk, seat=seat_of(match, two[0]), timed_out=True)
        assert not Leaving.objects.get().excused


@pytest.mark.django_db
class TestTheQueue:
    def test_the_first_leaving_is_a_notice_and_the_second_a_wait(
        self, client: Client, two: list[Player]
    ) -> None:
        leave(two)
        client.force_login(two[0])
        page = client.get("/ranked/").content.decode()
        assert "You left 1 ranked game in the last 30 days" in page
        assert "No wait this time" in page
        assert queue.enter(player=two[0], seats=2).waiting
        queue.leave(player=two[0])

        leave(two)
        with pytest.raises(Refused) as refused:
            queue.enter(player=two[0], seats=2)
        assert refused.value.code == "ranked_paused"
        page = client.get("/ranked/").content.decode()
        assert "You left 2 ranked games in the last 30 days" in page
        assert "You can play ranked again:" in page
        assert "Every 5 finished games clear one." in page
        for row in Leaving.objects.all():
            assert f"/matches/{row.match.public_id}/" in page
        answer = client.post("/ranked/enter/", {"seats": "2"}, follow=True)
        assert "You left ranked games recently" in answer.content.decode()
        assert client.post("/play/").status_code == 302, "playing the computer is always possible"
        assert leavers.status_of(two[1]).until is None, "the other player has not left"

    def test_the_queue_reopens_when_the_wait_is_over(self, two: list[Player]) -> None:
        leave(two, 2)
        Leaving.objects.update(at=timezone.now() - 11 * MINUTE)
        assert leavers.status_of(two[0]).until is None
        assert queue.enter(player=two[0], seats=2).waiting

    def test_leavings_are_forgotten_after_a_month(self, two: list[Player]) -> None:
        leave(two, 3)
        Leaving.objects.update(at=timezone.now() - leaver_penalties.WINDOW - MINUTE)
        assert leavers.status_of(two[0]).left == ()

    def test_finished_ranked_games_remove_a_grade(self, two: list[Player]) -> None:
        leave(two, 2)
        for _ in range(PER_GRADE):
            ranked(two)
            finish(Attempt.Ended.PLAYED, two[0])
        assert leavers.status_of(two[0]).grade.number == 1
        ranked(two)
        finish(Attempt.Ended.LEFT, two[0])
        assert leavers.status_of(two[0]).grade.to_finish == PER_GRADE

    def test_another_account_of_the_same_person_waits_too(self, two: list[Player]) -> None:
        leave(two, 2)
        other, stranger = people(2, start=7)
        linked_accounts.link(one=two[0], other=other)
        assert leavers.status_of(other).until is not None
        assert leavers.status_of(stranger).until is None


@pytest.mark.django_db
class TestForgiving:
    def test_a_moderators_pardon_is_logged(self, two: list[Player]) -> None:
        leave(two, 4)
        assert leavers.status_of(two[0]).until is not None
        keeper = people(1, start=5)[0]
        moderate(moderator=keeper, player=two[0], action="pardon", reason="His line was cut.")
        entry = ModerationEntry.objects.get()
        assert (entry.moderator, entry.player, entry.action) == (keeper, two[0], "pardon")
        assert leavers.status_of(two[0]).left == ()
        assert Leaving.objects.filter(forgiven_at__isnull=False).count() == 4

    def test_a_guest_who_logs_in_keeps_their_leavings(self, two: list[Player]) -> None:
        from games.people.accounts import create_guest, merge_guest

        guest = create_guest()
        leave([guest, two[1]], 2)
        merge_guest(guest=guest, account=two[0])
        assert leavers.status_of(two[0]).until is not None

    @pytest.mark.parametrize(("wait", "lowered"), [(0, False), (11, True)])
    @pytest.mark.parametrize("before", ["", "removed"])
    def test_a_guests_games_during_the_wait_do_not_count_for_the_account(
        self, two: list[Player], wait: int, before: str, *, lowered: bool
    ) -> None:
        """Who had to wait could play on as a guest elsewhere, and log in at the table.

        What a moderator removed meanwhile, the opponent's results, must not count once restored.
        """
        from games.people.accounts import create_guest, merge_guest

        leave(two, 2)
        Leaving.objects.update(at=timezone.now() - wait * MINUTE)
        guest, bob = create_guest(), two[1]
        for _ in range(PER_GRADE):
            match = ranked([guest, bob])
            finish(Attempt.Ended.PLAYED, guest)
        Play.objects.filter(match=match).update(exclusion=before)
        merge_guest(guest=guest, account=two[0])
        assert Play.objects.get(match=match).exclusion == (before if lowered else "waiting")
        assert leavers.status_of(two[0]).grade.number == (1 if lowered else 2)


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
class TestBarredWhileWaiting:
    def test_who_was_barred_is_not_paired(self, two: list[Player]) -> None:
        ann, bob = two
        queue.enter(player=ann, seats=2)
        moderate(moderator=a_keeper(), player=ann, action="ranked_ban", reason="left", days=3)
        assert queue.enter(player=bob, seats=2).waiting
        assert not queue.poll(player=ann).waiting
        assert not Ticket.objects.filter(player=ann).exists()
        assert not Match.objects.exists()

    def test_who_was_barred_does_not_play_the_house(self, two: list[Player]) -> None:
        ann = two[0]
        queue.enter(player=ann, seats=2)
        moderate(moderator=a_keeper(), player=ann, action="ranked_ban", reason="left", days=3)
        with pytest.raises(Refused, match="not_offered"):
            queue.play_computer(player=ann)
        assert not Match.objects.exists()


def a_keeper() -> Player:
    return Player.objects.create_superuser("Keeper")
