"""Pages of the courses in throwing and pegging: the course, its exercises, and the exam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.analysis.review import judge
from games.engine.cards import Card
from games.learn import review_jobs
from games.learn.courses import exams
from games.learn.courses.catalogue import course_of, exercise_of
from games.learn.courses.course import Course, Exercise
from games.learn.courses.progress import Progress, has_answered, note_answer, progress_of
from games.learn.reviews import checked_choice, status_of
from games.models import CourseExam, Player, Review
from games.pages.learn import pick, review_words
from games.pages.site.rate_limits import match_creator
from games.pages.site.visitor import player_of
from games.people.accounts import ensure_guest
from games.wire.refusals import Refused


@dataclass(frozen=True, slots=True)
class Step:
    """An exercise in the list of its course."""

    number: int
    solved: bool
    first: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A theme of a course with its exercises."""

    title: Promise
    text: Promise
    steps: tuple[Step, ...]


@require_safe
@never_cache
def course(request: HttpRequest, key: str) -> HttpResponse:
    """Show the themes and exercises of a course, the reader's progress, and the exam."""
    found, player = _course(key), player_of(request)
    progress = progress_of(player=player, course=found)
    context = {
        "course": found,
        "progress": progress,
        "parts": _parts(found, progress),
        "limit": review_words.points(_shown(found.limit, found)),
        "opponent": exams.LEVEL.title(),
        **_exam(found, player),
    }
    return render(request, "games/learn/course.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def exercise(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Ask an exercise; a POST is the learner's answer, which its address then shows."""
    found = _course(key)
    try:
        asked = exercise_of(found, number)
    except LookupError as unknown:
        raise Http404 from unknown
    if request.method != "POST" and "cards" not in request.GET:
        return _ask(request, found, asked)
    given = request.POST if request.method == "POST" else request.GET
    try:
        cards = checked_choice(view=asked.view, cards=pick.cards_in(given))
    except Refused as cause:
        return _ask(request, found, asked, error=cause.message)
    if request.method != "POST":
        if not has_answered(player=player_of(request), course=found, exercise=asked):
            return redirect(request.path)  # as with a link from another learner
        return _answer(request, found, asked, cards)
    note_answer(
        player=ensure_guest(request), course=found, exercise=asked, right=asked.is_right(cards)
    )
    return redirect(pick.answer_address(request.path, cards))


@require_POST
def exam(request: HttpRequest, key: str) -> HttpResponse:
    """Begin or resume the exam of a course at a table."""
    found, player = _course(key), player_of(request)
    if player is None or not progress_of(player=player, course=found).done:
        return redirect("games:course", found.key)
    running = exams.running_exam(player=player, course=found)
    if running is None and "continue" in request.POST:
        return redirect(reverse("games:course", args=[found.key]) + "#exam")  # it has ended since
    if running is None:
        running = exams.begin_exam(player=match_creator(request), course=found)
    return redirect("games:table", running.match.public_id)


def _course(key: str) -> Course:
    try:
        return course_of(key)
    except LookupError as unknown:
        raise Http404 from unknown


def _parts(found: Course, progress: Progress) -> list[Part]:
    steps: dict[str, list[Step]] = {}
    for each in found.exercises:
        line = Step(each.number, each.number in progress.solved, each.number in progress.first)
        steps.setdefault(str(each.theme.title), []).append(line)
    return [Part(theme.title, theme.text, tuple(steps[str(theme.title)])) for theme in found.themes]


def _exam(found: Course, player: Player | None) -> dict[str, Any]:
    """Return what a page says about a player's exams of a course."""
    if player is None:
        return {"running": None, "last": None, "passed": False}
    last = exams.last_exam(player=player, course=found)
    if last is not None and last.marked_at is None:
        review_jobs.request_review(last.match_id)
    return {
        "running": exams.running_exam(player=player, course=found),
        "last": None if last is None else _marked(last),
        "passed": exams.has_passed(player=player, course=found),
    }


def _shown(loss: float, course: Course) -> float:
    """Return a loss in games of 100, or in points."""
    return 100 * loss if course.unit == "chance" else loss


def _marked(row: CourseExam) -> dict[str, Any]:
    course = course_of(row.course)
    lost = round(_shown(row.loss, course), 1)
    review = None if row.marked_at else status_of(match=row.match_id)
    return {
        "exam": row,
        "failed": review is not None
        and review.status == Review.Status.FAILED
        and not review_jobs.is_pending(row.match_id),
        "loss": review_words.points(lost),
        "lost": lost > 0,
        "whole_game": course.unit == "chance" and lost > 100,
        "within": course.is_within(row.loss),
        "review": reverse("games:review", args=[row.match.public_id]),
    }


def _next(progress: Progress, number: int) -> int | None:
    """Return the next exercise after this one that is not solved; None if there is no other."""
    others = set(range(1, progress.number + 1)) - {number}
    rest = sorted(others - progress.solved)
    return next((at for at in rest if at > number), rest[0] if rest else None)


def _about(found: Course, asked: Exercise) -> dict[str, Any]:
    return {
        "course": found,
        "asked_exercise": asked,
        "theme": asked.theme,
        "where": _("%(course)s, exercise %(n)d of %(number)d")
        % {"course": found.title, "n": asked.number, "number": len(found.exercises)},
        **pick.question(asked.view),
    }


def _answer(
    request: HttpRequest, found: Course, asked: Exercise, cards: tuple[Card, ...]
) -> HttpResponse:
    right, item = asked.is_right(cards), judge(asked.view, cards)
    progress = progress_of(player=player_of(request), course=found)
    context = {
        **_about(found, asked),
        "progress": progress,
        "right": right,
        "chosen": review_words.names_of(cards),
        "best": review_words.names_of(asked.best),
        "reason": "" if right else review_words.reason(item),
        "next_number": _next(progress, asked.number),
        "options": pick.every_option(asked.view, item),
    }
    return render(request, "games/learn/course_answer.html", context)


def _ask(request: HttpRequest, found: Course, asked: Exercise, *, error: str = "") -> HttpResponse:
    context = {
        **_about(found, asked),
        "error": error,
        "action": reverse("games:exercise", args=[found.key, asked.number]),
    }
    return render(request, "games/learn/exercise.html", context, status=422 if error else 200)
