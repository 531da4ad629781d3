"""The exam of a course: how it opens, is played at a table, and is marked."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from games import hooks
from games.analysis.review import VERSION, Item
from games.engine.state import Ruleset
from games.learn.courses import exams
from games.learn.courses.catalogue import course_of
from games.learn.courses.course import Course
from games.learn.courses.pegging import PEGGING
from games.learn.courses.throwing import THROWING
from games.models import CourseExam, Match, Player, Review, Seat
from games.people.accounts import create_guest, merge_guest
from games.people.player_lock import locked_player
from games.tables.tables import create_match
from games.wire.refusals import Refused
from tests.learn.test_courses import BY_COURSE, solve_all
from tests.support.people import as_
from tests.support.played import play_on
from tests.support.reviewed import review_now


@pytest.mark.django_db
@BY_COURSE
def test_the_exam_opens_once_all_exercises_are_solved(player: Player, course: Course) -> None:
    client = as_(player)
    address = f"/learn/{course.key}/"
    assert "Take the exam" not in client.get(address).content.decode()
    assert client.post(f"{address}exam/")["Location"] == address
    solve_all(player, course)
    page = client.get(address).content.decode()
    assert "Take the exam" in page
    does_not_count = {"discard": "The cards you play don", "play": "Your throws don"}
    assert does_not_count[course.action] in page
    table = client.post(f"{address}exam/")["Location"]
    match = Match.objects.get()
    assert table == f"/t/{match.public_id}/"
    assert (match.ruleset["target"], match.hints) == (course.target, False)
    assert client.post(f"{address}exam/")["Location"] == table, "it goes on where it was"
    assert "Continue the exam" in client.get(address).content.decode()


@pytest.mark.django_db
def test_two_requests_at_once_begin_one_exam(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = list[CourseExam]()

    def wait_for_another(player: Player) -> AbstractContextManager[Player]:
        monkeypatch.setattr("games.learn.courses.exams.locked_player", locked_player)
        other.append(exams.begin_exam(player=player, course=THROWING))
        return locked_player(player)

    monkeypatch.setattr("games.learn.courses.exams.locked_player", wait_for_another)
    assert [exams.begin_exam(player=player, course=THROWING)] == other
    assert Match.objects.count() == 1


def finish_exam(player: Player, course: Course) -> CourseExam:
    exam = exams.begin_exam(player=player, course=course)
    play_on(exam.match.public_id)
    return exam


@pytest.mark.django_db
def test_a_page_whose_exam_has_ended_since_continues_with_its_result(player: Player) -> None:
    """A click on "Continue the exam" began another one."""
    solve_all(player, THROWING)
    exam, browser = exams.begin_exam(player=player, course=THROWING), as_(player)
    assert 'name="continue"' in browser.get("/learn/throwing/").content.decode()
    form = ("/learn/throwing/exam/", {"continue": "1"})
    assert browser.post(*form)["Location"] == f"/t/{exam.match.public_id}/"
    play_on(exam.match.public_id)
    assert browser.post(*form)["Location"] == "/learn/throwing/#exam"
    assert CourseExam.objects.count() == 1


@pytest.mark.django_db
def test_the_review_marks_an_exam_by_the_decisions_of_its_course(
    player: Player, requested_reviews: list[int]
) -> None:
    exam = finish_exam(player, THROWING)
    hooks.finished(exam.match_id)
    assert exam.match_id in requested_reviews
    page = as_(player).get("/learn/throwing/").content.decode()
    assert "Your last exam is being reviewed." in page
    review_now(exam.match_id)
    exam.refresh_from_db()
    items = map(Item.from_dict, exam.match.reviews.get().items)
    own = [item for item in items if (item.seat, item.action) == (0, "discard")]
    assert exam.marked_at is not None
    assert exam.decisions == len(own) > 2
    assert exam.loss == pytest.approx(sum(item.loss for item in own), abs=1e-4)
    assert exam.passed == (exam.loss <= THROWING.limit)
    page = as_(player).get("/learn/throwing/").content.decode()
    assert ("You passed" in page) == exam.passed
    assert f"/matches/{exam.match.public_id}/review/" in page


@pytest.mark.django_db
def test_an_exam_is_passed_though_its_guest_logs_in_as_it_is_marked(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = create_guest()
    exam = finish_exam(guest, THROWING)

    def course_as_they_log_in(key: str) -> Course:
        merge_guest(guest=guest, account=player)
        return course_of(key)

    monkeypatch.setattr(exams, "course_of", course_as_they_log_in)
    exams.mark_exam(match=exam.match_id, items=[fake_item("discard", 0.0)])
    assert exams.has_passed(player=player, course=THROWING)


def fake_item(action: str, loss: float, *, forced: bool = False) -> Any:
    return Item(
        *(0, 1, 1, 0),
        action=action,  # type: ignore[arg-type]
        part="lead",
        chosen=(),
        options=(),
        forced=forced,
        verdict="fine",
        loss=loss,
        points_lost=0.0,
        chance_lost=loss,
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("loss", "passed"), [(0.0, True), (0.03, True), (0.0302, True), (0.031, False)]
)
def test_an_exam_is_passed_up_to_its_limit_which_other_decisions_do_not_use_up(
    player: Player, loss: float, passed: bool
) -> None:
    exam = finish_exam(player, THROWING)
    others = [
        fake_item("play", 0.5),
        fake_item("discard", 0.5, forced=True),
        replace(fake_item("discard", 0.5), verdict="close"),
    ]
    exams.mark_exam(match=exam.match_id, items=[fake_item("discard", loss), *others])
    assert exams.has_passed(player=player, course=THROWING) == passed
    assert not exams.has_passed(player=player, course=course_of("pegging"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("points", "told"),
    [
        (0.04, "You passed, without a choice that cost anything."),
        (3.54, "You passed: your choices cost only 3.5 points."),
        (3.56, "Not passed yet: your choices cost 3.6 points."),
        (101.0, "Not passed yet: your choices cost 101.0 points."),
    ],
)
def test_the_exam_in_pegging_is_marked_by_points(player: Player, points: float, told: str) -> None:
    """In a game that was nearly won or lost, any card cost hardly a chance to win."""
    exam = finish_exam(player, PEGGING)
    items = [
        replace(fake_item("play", 0.9), points_lost=points),
        replace(fake_item("play", 0.1), points_lost=-3.0),
        replace(fake_item("play", 0.1), points_lost=9.0, verdict="close"),
        replace(fake_item("discard", 0.1), points_lost=9.0),
    ]
    exams.mark_exam(match=exam.match_id, items=items)
    page = as_(player).get("/learn/pegging/").content.decode()
    assert "A game to 121 against Walter" in page
    assert "cost at most 3.5 points" in page
    assert told in page


@pytest.mark.django_db
def test_an_exam_of_an_earlier_length_is_neither_continued_nor_passed(
    player: Player,
) -> None:
    """A game to 61 has half as many decisions, which together may cost as many points."""
    match = create_match(creator=player, ruleset=Ruleset(target=61), computers={1: exams.LEVEL})
    old = CourseExam.objects.create(player=player, course=PEGGING.key, match=match)
    assert exams.running_exam(player=player, course=PEGGING) is None
    play_on(match.public_id)
    exams.mark_exam(match=match.pk, items=[fake_item("play", 0.0)])
    old.refresh_from_db()
    assert old.marked_at is not None and not old.passed
    assert exams.last_exam(player=player, course=PEGGING) is None
    assert not exams.has_passed(player=player, course=PEGGING)
    CourseExam.objects.update(passed=True)
    assert exams.has_passed(player=player, course=PEGGING), "who passed then, has passed"


@pytest.mark.django_db
def test_a_review_that_failed_is_not_said_to_be_under_way(player: Player) -> None:
    exam = finish_exam(player, THROWING)
    review = Review.objects.create(match=exam.match, version=VERSION, status=Review.Status.FAILED)
    page = as_(player).get("/learn/throwing/").content.decode()
    assert "is being reviewed" in page, "it is tried again"
    DBTaskResult.objects.update(status=TaskResultStatus.FAILED, finished_at=timezone.now())
    page = as_(player).get("/learn/throwing/").content.decode()
    assert "This review failed." in page
    assert "is being reviewed" not in page
    Review.objects.filter(pk=review.pk).update(status=Review.Status.WORKING)
    assert "is being reviewed" in as_(player).get("/learn/throwing/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("loss", "told"),
    [
        (0.0004, "You passed, without a choice that cost anything."),
        (1.0006, "Not passed yet: together, your choices cost more than a whole game."),
        (0.0006, "You passed: your choices cost only 0.1 games in 100."),
    ],
)
def test_an_exam_that_cost_nothing_is_not_said_to_have_cost_0_games(
    player: Player, loss: float, told: str
) -> None:
    exam = finish_exam(player, THROWING)
    exams.mark_exam(match=exam.match_id, items=[fake_item("discard", loss)])
    assert told in as_(player).get("/learn/throwing/").content.decode()


@pytest.mark.django_db
def test_a_worse_exam_does_not_deny_the_one_that_was_passed(player: Player) -> None:
    for loss, told in ((0.5, "Not passed yet"), (0.0, "You passed"), (0.5, "Not passed this time")):
        exam = finish_exam(player, THROWING)
        exams.mark_exam(match=exam.match_id, items=[fake_item("discard", loss)])
        page = as_(player).get("/learn/throwing/").content.decode()
        assert told in page
        assert ('<span class="tag">passed</span>' in page) == (told != "Not passed yet")
        listed = as_(player).get("/learn/").content.decode()
        assert listed.count('<span class="tag">passed</span>') == int(told != "Not passed yet")


@pytest.mark.django_db
def test_an_exam_that_another_finished_is_not_passed(player: Player) -> None:
    exam = finish_exam(player, THROWING)
    Seat.objects.filter(match=exam.match, player=player).update(left_at=20)
    exams.mark_exam(match=exam.match_id, items=[])
    assert not exams.has_passed(player=player, course=THROWING)
    given_up = exams.begin_exam(player=player, course=THROWING)
    play_on(given_up.match.public_id)
    Match.objects.filter(pk=given_up.match_id).update(ended_by=Match.EndedBy.RESIGNED)
    exams.mark_exam(match=given_up.match_id, items=[])
    assert not exams.has_passed(player=player, course=THROWING)
    solve_all(player, THROWING)
    page = as_(player).get("/learn/throwing/").content.decode()
    assert "The last one doesn't count" in page


@pytest.mark.django_db
def test_an_exam_is_marked_once_and_other_matches_never(player: Player) -> None:
    exam = finish_exam(player, THROWING)
    for loss in (0.02, 0.9):
        exams.mark_exam(match=exam.match_id, items=[fake_item("discard", loss)])
    exam.refresh_from_db()
    assert (exam.loss, exam.passed) == (0.02, True)
    exams.mark_exam(match=exam.match_id + 1, items=[fake_item("discard", 0.9)])
    assert list(CourseExam.objects.values_list("loss", flat=True)) == [0.02]


@pytest.mark.django_db
def test_the_exam_needs_a_level_that_exists(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exams, "LEVEL", "nobody")
    with pytest.raises(Refused, match="no_such_level"):
        exams.begin_exam(player=player, course=THROWING)
    assert not CourseExam.objects.exists()
    assert not Match.objects.exists()
