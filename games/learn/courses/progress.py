"""A learner's progress in courses, stored on their account; guests have one too."""

from __future__ import annotations

from dataclasses import dataclass

from games.learn.courses.course import Course, Exercise
from games.models import CourseStep, Player
from games.people.player_lock import locked_player


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress in a course: its solved exercises, and those of them solved at the first try."""

    solved: frozenset[int]
    first: frozenset[int]
    number: int

    @property
    def done(self) -> bool:
        """Whether all exercises are solved: the exam is open."""
        return len(self.solved) == self.number

    @property
    def next_number(self) -> int | None:
        """The first exercise that is not solved; None if all are."""
        numbers = range(1, self.number + 1)
        return next((number for number in numbers if number not in self.solved), None)


def progress_of(*, player: Player | None, course: Course) -> Progress:
    """Return a player's progress in a course; a visitor has none."""
    rows = [] if player is None else CourseStep.objects.filter(player=player, course=course.key)
    solved = {row.step: row.tries for row in rows if row.right}
    first = (step for step, tries in solved.items() if tries == 1)
    return Progress(frozenset(solved), frozenset(first), len(course.exercises))


def has_answered(*, player: Player | None, course: Course, exercise: Exercise) -> bool:
    """Whether a player has answered an exercise, right or wrong."""
    rows = CourseStep.objects.filter(player=player, course=course.key, step=exercise.number)
    return player is not None and rows.exists()


def note_answer(*, player: Player, course: Course, exercise: Exercise, right: bool) -> None:
    """Record an answer; once an exercise is solved, further ones change nothing."""
    with locked_player(player):
        row, _made = CourseStep.objects.get_or_create(
            player=player, course=course.key, step=exercise.number
        )
        if not row.right:
            row.tries += 1
            row.right = int(right)
            row.save(update_fields=["tries", "right"])
