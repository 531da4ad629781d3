"""Penalties for leaving ranked games: a grade, raised by games left, lowered by games finished.

Pure: no database and no clock; the caller passes all times.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

WINDOW = timedelta(days=30)
"""Time after which a game that a player left no longer counts."""

PAUSES = (timedelta(0), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=24))
"""Waiting time at grades 1, 2, 3, and 4 or above; the first grade is only a warning."""

PER_GRADE = 5
"""Finished ranked games that lower the grade by one."""


@dataclass(frozen=True, slots=True)
class Grade:
    """A player's penalty.

    Attributes:
        number: the current grade; 0 for none.
        until: end of the wait for the last game left; None if there is none.
        to_finish: games to finish before the grade falls by one; 0 at grade 0.
    """

    number: int
    until: datetime | None
    to_finish: int


def pause(number: int) -> timedelta:
    """Return how long a player waits at a grade, from the moment it was reached."""
    return PAUSES[min(number, len(PAUSES)) - 1] if number else timedelta(0)


def penalty_grade(*, left: Iterable[datetime], finished: Iterable[datetime]) -> Grade:
    """Return the grade that follows from the times of games left and of games finished.

    A game left raises the grade by one and starts its wait. `PER_GRADE` games finished since the
    last change lower it by one. The caller leaves out games older than `WINDOW`.
    """
    events = sorted([*((at, True) for at in left), *((at, False) for at in finished)])
    number, done, until = 0, 0, None
    for at, is_left in events:
        if is_left:
            number, done = number + 1, 0
            until = at + pause(number) if pause(number) else None
        elif number:
            done += 1
            if done == PER_GRADE:
                number, done = number - 1, 0
    return Grade(number, until if number else None, PER_GRADE - done if number else 0)
