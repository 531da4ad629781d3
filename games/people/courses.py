"""Merging a guest's progress in courses into an account."""

from __future__ import annotations

from games.models import CourseExam, CourseStep, Player
from games.models.courses import COUNTING


def move(*, guest: Player, account: Player) -> None:
    """Move a guest's exams and steps to an account; of a step that both know, the better stays."""
    CourseExam.objects.filter(player=guest).update(player=account)
    known = {(row.course, row.step): row for row in CourseStep.objects.filter(player=account)}
    for row in CourseStep.objects.filter(player=guest):
        own = known.get((row.course, row.step))
        if own is None:
            CourseStep.objects.filter(pk=row.pk).update(player=account)
        elif _rank(row) > _rank(own):
            CourseStep.objects.filter(pk=own.pk).update(tries=row.tries, right=row.right)


def _rank(row: CourseStep) -> tuple[int, int]:
    """Return a sort key, larger for the better result: hands counted, or few tries to solve it."""
    solved = row.right and row.course != COUNTING
    return row.right, -row.tries if solved else row.tries
