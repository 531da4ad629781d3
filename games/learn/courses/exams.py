"""Exams of courses: a game against a computer at a real table, marked by its review.

The review stores what each decision of the learner lost. An exam is passed if those of the course
lost at most the course's limit in a game that they played to its end, without hints. Close
decisions count as no loss.

Cards in the play are marked by points, in a game to 121. To 61, with a dozen decisions that often
cost nothing in a game that is nearly won or lost, one in twelve passed who played any card. An exam
that was begun with the earlier length is not continued, and cannot be passed.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.analysis.review import Item
from games.engine.state import Ruleset
from games.learn.courses.catalogue import COURSES, course_of
from games.learn.courses.course import Course
from games.models import CourseExam, Match, Player, Seat
from games.people.player_lock import locked_player
from games.tables.tables import create_match

LEVEL = "walter"
"""The computer level of the learner's opponent."""


def rules_of(course: Course) -> Ruleset:
    """Return the rules of the exam of a course."""
    return Ruleset(target=course.target)


def running_exam(*, player: Player, course: Course) -> CourseExam | None:
    """Return a player's newest unfinished exam of a course."""
    return _newest(player, course, Match.Status.PLAYING)


def _newest(player: Player, course: Course, status: str) -> CourseExam | None:
    """Return the newest exam of the course's present length whose match has this status."""
    rows = CourseExam.objects.filter(
        player=player,
        course=course.key,
        match__status=status,
        match__ruleset__target=course.target,
    )
    return rows.select_related("match").order_by("-pk").first()


def begin_exam(*, player: Player, course: Course) -> CourseExam:
    """Return the player's running exam of a course, or create one.

    Raises:
        Refused: as `create_match` does.
    """
    with locked_player(player):  # two taps on the button begin one exam
        running = running_exam(player=player, course=course)
        if running is not None:
            return running
        match = create_match(creator=player, ruleset=rules_of(course), computers={1: LEVEL})
        return CourseExam.objects.create(player=player, course=course.key, match=match)


def last_exam(*, player: Player, course: Course) -> CourseExam | None:
    """Return a player's newest exam of a course whose game is over."""
    return _newest(player, course, Match.Status.FINISHED)


def has_passed(*, player: Player, course: Course) -> bool:
    """Whether a player has passed the exam of a course."""
    return CourseExam.objects.filter(player=player, course=course.key, passed=True).exists()


def mark_exam(*, match: int, items: Sequence[Item]) -> None:
    """Mark the exam that a match was, once; do nothing for other matches.

    Args:
        match: the primary key of the reviewed match.
        items: the decisions that people made themselves.
    """
    # With one statement: a login may move both the exam and the seat to an account meanwhile.
    seats = Seat.objects.filter(player=OuterRef("player"), computer=False, left_at=None)
    stayed = Exists(seats.filter(match=OuterRef("match")))
    rows = CourseExam.objects.filter(match_id=match, marked_at=None).select_related("match")
    exam = rows.annotate(stayed=stayed).first()
    if exam is None:
        return
    course = course_of(exam.course)
    own = [item for item in items if item.action == course.action and not item.forced]
    exam.decisions = len(own)
    exam.loss = round(sum(course.loss_of(item) for item in own), 5)
    played = exam.stayed and exam.match.ended_by == Match.EndedBy.PLAYED
    is_current = Ruleset.from_dict(exam.match.ruleset).target == course.target
    exam.passed = played and is_current and course.is_within(exam.loss)
    exam.marked_at = timezone.now()
    exam.save(update_fields=["decisions", "loss", "passed", "marked_at"])


def course_at(*, match: Match, player: Player) -> Course | None:
    """Return the course whose exam a player takes, or took, at a match; None for other matches."""
    rules = Ruleset.from_dict(match.ruleset)
    if match.hints or match.created_by_id != player.pk or rules not in map(rules_of, COURSES):
        return None  # as most are: no query
    row = CourseExam.objects.filter(match=match, player=player).values_list("course").first()
    return None if row is None else course_of(row[0])


def is_exam(*, match: int) -> bool:
    """Whether a match is an exam, which its end has reviewed."""
    return CourseExam.objects.filter(match_id=match).exists()
