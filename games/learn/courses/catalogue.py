"""The courses by key."""

from __future__ import annotations

from games.learn.courses.course import Course, Exercise
from games.learn.courses.pegging import PEGGING
from games.learn.courses.throwing import THROWING

COURSES: tuple[Course, ...] = (THROWING, PEGGING)


def course_of(key: str) -> Course:
    """Return a course.

    Raises:
        LookupError: if there is none of this key; all are named.
    """
    for course in COURSES:
        if course.key == key:
            return course
    raise LookupError(f"no course {key!r}; there are {', '.join(each.key for each in COURSES)}")


def exercise_of(course: Course, number: int) -> Exercise:
    """Return an exercise of a course by its number, from 1.

    Raises:
        LookupError: if there is no such exercise.
    """
    if not 1 <= number <= len(course.exercises):
        raise LookupError(f"no exercise {number} of {course.key}; 1 to {len(course.exercises)}")
    return course.exercises[number - 1]
