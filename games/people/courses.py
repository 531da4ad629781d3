"""Merging a guest's progress in courses into an account."""

from __future__ import annotations

from games.models import CourseExam, CourseStep, Player


def move(*, guest: Player, account: Player) -> None:
    """Move a guest's exams and steps to an account; of a step that both know, the better stays."""
    CourseExam.objects.filter(player=guest).update(player=account)
    known = {(row.course, row.step): row for row in CourseStep.objects.filter(player=account)}
    for row in CourseStep.objects.filter(player=guest):
        own = known.get((row.course, row.step))
        if own is None:
            CourseStep.objects.filter(pk=row.pk).update(player=account)
        elif (row.right, -row.tries) > (own.right, -own.tries):
            CourseStep.objects.filter(pk=own.pk).update(tries=row.tries, right=row.right)
