"""How grave it is to have left ranked games: a grade for each, taken back by games played out.

Pure: no database and no clock. Moments are given, and come back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

WINDOW = timedelta(days=30)
"""How long a game that was left is held against somebody."""

PAUSES = (timedelta(0), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=24))
"""How long one waits at grade 1, 2, 3, and at 4 and above: the first time nothing but a word."""

PER_GRADE = 5
"""Ranked games played to their end that take one grade back."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How somebody stands.

    Attributes:
        number: the present grade; 0: nothing is held against him.
        until: when the pause of the last game left is over; None where there was none.
        to_finish: games to finish until the grade is one less; 0 at grade 0.
    """

    number: int
    until: datetime | None
    to_finish: int


def pause(number: int) -> timedelta:
    """Return how long one waits at a grade, from the moment at which it was reached."""
    return PAUSES[min(number, len(PAUSES)) - 1] if number else timedelta(0)


def graded(*, left: Iterable[datetime], finished: Iterable[datetime]) -> Grade:
    """Return the grade that comes of games left and games finished, in the order of time.

    A game left adds a grade and begins its pause; `PER_GRADE` games finished since the last change
    take one back. What is older than `WINDOW` is for the caller to leave out.
    """
    events = sorted([*((at, True) for at in left), *((at, False) for at in finished)])
    number, done, until = 0, 0, None
    for at, is_left in events:
        if is_left:
            number, done = number + 1, 0
            until = at + pause(number) if pause(number) else until
        elif number:
            done += 1
            if done == PER_GRADE:
                number, done = number - 1, 0
    return Grade(number, until if number else None, PER_GRADE - done if number else 0)
