"""The courses: exercises with one best answer and progress of an account."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from django.test import Client

from games.analysis.review import judge, options
from games.analysis.review_verdicts import SOUND
from games.engine.cards import NAMES, RANK, Card, card_names
from games.learn import counting, tutor
from games.learn.courses import exams
from games.learn.courses.catalogue import COURSES, course_of, exercise_of
from games.learn.courses.course import Course, Exercise
from games.learn.courses.progress import note_answer, progress_of
from games.learn.courses.throwing import THROWING
from games.models import CourseStep, Player
from games.people.accounts import create_guest, merge_guest
from tests.support.people import as_

EXERCISES = [(course, each) for course in COURSES for each in course.exercises]
BY_COURSE = pytest.mark.parametrize("course", COURSES, ids=lambda course: course.key)


@pytest.fixture
def player() -> Player:
    return create_guest(name="Margery")


def solve_all(player: Player, course: Course) -> None:
    for each in course.exercises:
        note_answer(player=player, course=course, exercise=each, right=True)


def names(cards: tuple[Card, ...]) -> list[str]:
    return [NAMES[card] for card in cards]


def wrong_answer(exercise: Exercise) -> tuple[Card, ...]:
    return options(exercise.view)[-1].cards


# --- exercises -----------------------------------------------------------------------------------


@BY_COURSE
def test_a_course_has_thirty_different_exercises(course: Course) -> None:
    assert len(course.exercises) == 30
    assert len({each.drawn.position for each in course.exercises}) == 30
    assert [each.number for each in course.exercises] == list(range(1, 31))
    assert {each.view.legal.action for each in course.exercises} == {course.action}
    titles = [str(theme.title) for theme in course.themes]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("course", "exercise"), EXERCISES, ids=[f"{c.key}-{e.number}" for c, e in EXERCISES]
)
def test_the_stated_answer_is_clearly_the_best(course: Course, exercise: Exercise) -> None:
    ranked = options(exercise.view)
    assert exercise.is_right(ranked[0].cards), card_names(ranked[0].cards)
    others = [one.cards for one in ranked if not exercise.is_right(one.cards)]
    assert others
    sound = [cards for cards in others if judge(exercise.view, cards).verdict in SOUND]
    assert [card_names(cards) for cards in sound] == []


@pytest.mark.parametrize("theme", [theme for course in COURSES for theme in course.themes])
def test_each_theme_gets_harder(theme: Any) -> None:
    course = next(course for course in COURSES if theme in course.themes)
    found = [each for each in course.exercises if each.theme is theme]
    margins = [round(_margin(each), 3) for each in found]
    assert margins == sorted(margins, reverse=True)


def _margin(exercise: Exercise) -> float:
    others = (one for one in options(exercise.view) if not exercise.is_right(one.cards))
    return judge(exercise.view, next(others).cards).loss


def test_a_card_of_the_same_rank_is_as_good_in_the_play_but_not_in_a_throw() -> None:
    played = exercise_of(course_of("pegging"), 1)
    twins = [card for card in played.view.cards if RANK[card] == RANK[played.best[0]]]
    assert all(played.is_right((card,)) for card in twins)
    flush = next(each for each in THROWING.exercises if each.drawn.best == "QH KH")
    queen, _king = flush.best
    diamond = next(card for card in flush.view.cards if RANK[card] == 12 and card not in flush.best)
    assert flush.is_right(flush.best)
    assert not flush.is_right((queen, diamond))


@pytest.mark.parametrize("number", [0, 31])
def test_an_exercise_that_does_not_exist_is_named(number: int) -> None:
    with pytest.raises(LookupError, match=f"no exercise {number} of throwing; 1 to 30"):
        exercise_of(THROWING, number)
    with pytest.raises(LookupError, match="no course 'counting'; there are throwing, pegging"):
        course_of("counting")


# --- progress ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_an_exercise_is_solved_once_and_its_tries_are_counted(player: Player) -> None:
    first, second = THROWING.exercises[:2]
    for right in (False, True, False, True):
        note_answer(player=player, course=THROWING, exercise=first, right=right)
    note_answer(player=player, course=THROWING, exercise=second, right=True)
    row = CourseStep.objects.get(player=player, step=1)
    assert (row.tries, row.right) == (2, 1)
    progress = progress_of(player=player, course=THROWING)
    assert (set(progress.solved), set(progress.first)) == ({1, 2}, {2})
    assert progress.next_number == 3
    assert not progress_of(player=player, course=course_of("pegging")).solved


@pytest.mark.django_db
def test_the_last_exercise_answered_wrong_leads_neither_to_itself_nor_to_the_exam(
    player: Player,
) -> None:
    last = THROWING.exercises[-1]
    for each in THROWING.exercises[:-1]:
        note_answer(player=player, course=THROWING, exercise=each, right=True)
    address = f"/learn/throwing/{last.number}/"
    cards = names(wrong_answer(last))
    page = as_(player).post(address, {"cards": cards}, follow=True).content.decode()
    assert f'href="{address}">Try again' in page
    assert "Next exercise" not in page and "Go to the exam" not in page
    page = as_(player).post(address, {"cards": names(last.best)}, follow=True).content.decode()
    assert "Next exercise" not in page and "Go to the exam" in page


@pytest.mark.django_db
def test_counting_follows_the_account_to_another_browser(client: Client) -> None:
    asked = tutor.exercise(1, 1)
    client.post("/learn/count/1/1/", {"do": "guess", "total": str(asked.total)})
    learner = Player.objects.get()
    assert learner.is_guest
    assert "1 of 5 hands without help" in as_(learner).get("/learn/count/").content.decode()
    assert counting.progress(learner)[0].next_hand == 2


@pytest.mark.django_db
def test_a_guests_progress_merges_into_the_account_and_the_better_stays(player: Player) -> None:
    account = Player.objects.create_user("Hedda", password="x")
    merged = [
        ("pegging", 1, (3, 1), (2, 0)),
        ("pegging", 2, (1, 0), (4, 1)),
        ("pegging", 3, (1, 1), None),
        ("pegging", 4, (5, 1), (1, 1)),
        ("pegging", 5, (1, 1), (5, 1)),
        ("pegging", 6, (2, 0), (1, 0)),
        ("counting", 1, (6, 2), (5, 2)),
        ("counting", 2, (3, 1), (4, 1)),
    ]
    for course, step, guest, own in merged:
        for owner, values in ((player, guest), (account, own)):
            if values:
                CourseStep.objects.create(
                    player=owner, course=course, step=step, tries=values[0], right=values[1]
                )
    exam = exams.begin_exam(player=player, course=THROWING)
    merge_guest(guest=player, account=account)
    kept = CourseStep.objects.filter(player=account).order_by("step")
    steps = {(row.course, row.step): (row.tries, row.right) for row in kept}
    solved = [(3, 1), (4, 1), (1, 1), (1, 1), (1, 1)]
    assert [steps["pegging", step] for step in range(1, 7)] == [*solved, (2, 0)]
    assert [steps["counting", step] for step in (1, 2)] == [(6, 2), (4, 1)]
    exam.refresh_from_db()
    assert exam.player == account


# --- pages ---------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_visitor_becomes_a_guest_with_the_first_answer(client: Client) -> None:
    client.get("/learn/throwing/")
    client.get("/learn/throwing/1/")
    assert not Player.objects.exists()
    best = {"cards": names(THROWING.exercises[0].best)}
    page = client.post("/learn/throwing/1/", best, follow=True)
    assert page.context["right"]
    assert Player.objects.get().is_guest
    assert "1 of 30 solved" in client.get("/learn/throwing/").content.decode()


@pytest.mark.django_db
@BY_COURSE
def test_an_answer_says_why_and_a_wrong_one_what_is_best(client: Client, course: Course) -> None:
    asked = course.exercises[0]
    address = f"/learn/{course.key}/1/"
    wrong = {"cards": names(wrong_answer(asked))}
    page = client.post(address, wrong, follow=True).content.decode()
    assert "Not the best" in page
    assert str(asked.why) in page
    assert 'href="/learn/' + course.key + '/1/"' in page, "to try again"
    page = client.post(address, {"cards": names(asked.best)}, follow=True).content.decode()
    assert "Right" in page
    assert "Your choice:" not in page
    assert f'href="/learn/{course.key}/2/"' in page


@pytest.mark.django_db
def test_the_question_does_not_tell_the_answer(client: Client) -> None:
    for course, asked in EXERCISES[::7]:
        page = client.get(f"/learn/{course.key}/{asked.number}/").content.decode()
        assert str(asked.why) not in page
        hidden = {NAMES[card] for card in range(52)} - set(page_cards(page))
        unseen = set(range(52)) - set(asked.view.cards) - {c for _seat, c in asked.view.plays}
        assert {NAMES[card] for card in unseen if card != asked.view.starter} <= hidden


def page_cards(page: str) -> list[str]:
    return re.findall(r'(?:value|data-card)="([2-9TJQKA][CDHS])"', page)


@pytest.mark.django_db
def test_cards_that_cannot_be_chosen_are_refused(client: Client) -> None:
    for cards in ([], ["8S"], ["8S", "2C"], ["xx"]):
        for send in (client.post, client.get):
            assert send("/learn/throwing/1/", {"cards": cards or [""]}).status_code == 422
    assert not CourseStep.objects.exists()


@pytest.mark.django_db
def test_an_answer_is_shown_to_nobody_who_has_not_answered(player: Player) -> None:
    best = {"cards": " ".join(names(THROWING.exercises[0].best))}
    for visitor in (Client(), as_(player)):
        asked = visitor.get("/learn/throwing/1/", best)
        assert asked.headers["Location"] == "/learn/throwing/1/"
    assert not CourseStep.objects.exists()


@pytest.mark.django_db
def test_looking_at_an_answer_again_solves_nothing(player: Player) -> None:
    first, client = THROWING.exercises[0], as_(player)
    client.post("/learn/throwing/1/", {"cards": names(wrong_answer(first))})
    assert client.get("/learn/throwing/1/", {"cards": names(first.best)}).context["right"]
    assert not CourseStep.objects.get().right


@pytest.mark.django_db
def test_what_does_not_exist_is_not_found(client: Client) -> None:
    for path in ("/learn/bidding/", "/learn/throwing/31/", "/learn/throwing/0/"):
        assert client.get(path).status_code == 404


# --- exams ---------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_ways_to_learn_show_both_courses(client: Client) -> None:
    page = client.get("/learn/").content.decode()
    links = [f'href="/learn/{course.key}/"' for course in COURSES]
    assert all(link in page for link in itertools.chain(links, ['href="/learn/count/"']))
    assert page.count("0 of 30 solved") == 2
