"""Jobs that tests enqueue.

`work` leaves a row in a table of its own, so that tests see in which process it ran and how often.
"""

from __future__ import annotations

import time
from datetime import timedelta

from django.db import connection

from games.jobs.backend import BATCH, PROMPT, REVIEW, job

SOON = timedelta(milliseconds=100)

TABLES = (
    "CREATE TABLE sample_started (number INTEGER)",
    "CREATE TABLE sample_done (number INTEGER PRIMARY KEY)",
)

BAD = 10
"""Each `batch_work` whose number is a multiple of this fails in every run."""

calls: list[int] = []
"""The numbers that `note` was called with in this process."""


@job()
def note(number: int) -> None:
    """Note the call."""
    calls.append(number)


@job(queue=BATCH, tries=3, backoff=timedelta(minutes=1))
def fail(number: int) -> None:
    """Note the call, and fail with a message that names a card."""
    calls.append(number)
    card = "5H"
    raise ValueError(f"{card} was not expected")


def _work(number: int, *, bad: bool = False) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO sample_started VALUES (%s)", [number])
        time.sleep(0.02 + number % 7 * 0.02)
        if bad:
            raise ValueError(number)
        cursor.execute("INSERT INTO sample_done VALUES (%s) ON CONFLICT DO NOTHING", [number])


@job(queue=PROMPT, tries=30, backoff=SOON)
def prompt_work(number: int) -> None:
    """Do a little, and leave one row."""
    _work(number)


@job(queue=REVIEW, tries=30, backoff=SOON)
def review_work(number: int) -> None:
    """Do the same in another queue."""
    _work(number)


@job(queue=BATCH, tries=3, backoff=SOON)
def batch_work(number: int) -> None:
    """Do the same in a third queue, with few tries, all of which fail for some numbers."""
    _work(number, bad=number % BAD == 0)


def enqueue(many: int) -> int:
    """Enqueue this many jobs in all queues; return how many of them always fail."""
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(table)
    for number in range(1, many + 1):
        (prompt_work, review_work, batch_work)[number % 3].enqueue(number)
    return sum(number % 3 == 2 and number % BAD == 0 for number in range(1, many + 1))
