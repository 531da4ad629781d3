"""Schedules: jobs that repeat by the clock, such as the nightly deletion of old rows.

A scheduled job is a waiting row with a date, like any other. Its end makes it wait for the next
date, so that exactly one run follows another, however many workers there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from games.jobs.backend import Job, key_of

Next = Callable[[datetime], datetime]
"""The first date of a schedule after another date."""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A job by its path, with its arguments and its dates."""

    path: str
    args: tuple[int, ...]
    after: Next


_scheduled: dict[object, Scheduled] = {}


def scheduled(path: str, *args: int, after: Next) -> None:
    """Have workers run a job regularly.

    The path is that of its function: workers import it, and site processes need not.
    """
    _scheduled[key_of(path, args)] = Scheduled(path, args, after)


def every(period: timedelta) -> Next:
    """Return a schedule that repeats after a period."""
    return lambda moment: moment + period


def daily(at: time) -> Next:
    """Return a schedule that repeats at a time of day, UTC."""

    def after(moment: datetime) -> datetime:
        day = moment.astimezone(UTC)
        found = datetime.combine(day.date(), at, tzinfo=UTC)
        return found if found > day else found + timedelta(days=1)

    return after


def next_date(row: DBTaskResult[Any, Any], moment: datetime) -> datetime | None:
    """Return when a scheduled job is due after a moment; None for any other job."""
    found = _scheduled.get(row.pk)
    return found.after(moment) if found is not None else None


def all_scheduled() -> tuple[Scheduled, ...]:
    """Return all scheduled jobs."""
    return tuple(_scheduled.values())


def store_dates(now: datetime) -> None:
    """Store the scheduled jobs that do not wait yet, and bring forward those that wait too long.

    A worker calls it when it starts: the first run is at the schedule's next date.
    """
    for each in all_scheduled():
        job: Job[..., None] = import_string(each.path)
        due = each.after(now)
        job.using(run_after=due).enqueue(*each.args)
