"""The back end of Django's tasks: jobs are rows of the database, unique by function and arguments.

A job is stored in the transaction that enqueues it, together with the data that it is about. The
library `django_tasks_db` has the table; this adds what it lacks: a key, retries with a backoff
(`games.jobs.queue`), and schedules (`games.jobs.schedules`).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from django.db import transaction
from django_tasks.base import Task, TaskResultStatus
from django_tasks_db.backend import DatabaseBackend, TaskResult

from games.models import statements
from games.ops import true_time

if TYPE_CHECKING:
    from django_tasks_db.models import DBTaskResult

P = ParamSpec("P")
T = TypeVar("T")

PROMPT = "prompt"
"""Queue of short jobs that players are waiting for: the end of a match, club nights."""
MAIL = "mail"
"""Queue of messages to absent players: their servers may be slow."""
REVIEW = "review"
"""Queue of reviews: a player is waiting for each, but it takes seconds."""
BATCH = "batch"
"""Queue of long jobs that can wait: par and field of new games, refits, deletions."""

QUEUES = (PROMPT, MAIL, REVIEW, BATCH)
"""All queues; a worker has a thread for each."""

TRIES = 5
BACKOFF = timedelta(seconds=10)
LIMIT = timedelta(minutes=15)
"""The rules of a job that declares no others: see `Job`."""

KEYS = uuid.UUID("6f1c3a52-9f0e-4b1f-8a53-4f3d1f0a7d11")
"""Namespace of the ids of jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Task[P, T]):
    """A function that workers call, with its rules.

    Attributes:
        tries: the number of runs before the job is given up, those of killed workers included.
        backoff: the pause before the second try; it doubles for each further one.
        limit: the longest time that a run may take; the worker then exits, which ends its run.
    """

    tries: int = TRIES
    backoff: timedelta = BACKOFF
    limit: timedelta = LIMIT


def job(
    *,
    queue: str = PROMPT,
    tries: int = TRIES,
    backoff: timedelta = BACKOFF,
    limit: timedelta = LIMIT,
) -> Callable[[Callable[P, None]], Job[P, None]]:
    """Declare a job: ``prepare.enqueue(pk)``, or ``prepare.using(run_after=then).enqueue(pk)``.

    Its arguments are whole numbers, such as primary keys, so no job can carry a card. Jobs are
    unique by function and arguments: one that is waiting is not stored again, and one that is
    running is repeated afterwards. A run must be safe to repeat, since a worker may be killed
    after the work and before it is recorded.
    """

    def declare(function: Callable[P, None]) -> Job[P, None]:
        return Job(func=function, queue_name=queue, tries=tries, backoff=backoff, limit=limit)

    return declare


def key_of(path: str, args: tuple[int, ...]) -> uuid.UUID:
    """Return the id of the job of a function (by its path) and arguments."""
    return uuid.uuid5(KEYS, f"{path}({', '.join(map(str, args))})")


class JobBackend(DatabaseBackend):
    """The library's back end, with unique jobs and whole numbers as their only arguments."""

    task_class = Job

    def enqueue(
        self, task: Task[Any, T], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> TaskResult[Any, T]:
        """Store a job, unless it is waiting already; a finished one is stored again.

        Raises:
            TypeError: for arguments that are not whole numbers.
        """
        if kwargs or any(type(value) is not int for value in args):
            raise TypeError(f"{task.module_path}: the arguments of a job are whole numbers")
        self.validate_task(task)
        return cast("TaskResult[Any, T]", _store(task, args, self.alias).task_result)


def _store(task: Task[Any, Any], args: tuple[int, ...], alias: str) -> DBTaskResult[Any, Any]:
    from django_tasks_db.models import DBTaskResult

    from games.jobs import rows

    new = _new_row(task, args, alias)
    with transaction.atomic(savepoint=False):
        # Locked even if nothing changes: no run may begin that would not see the caller's data.
        while (row := rows.locked(new["id"])) is None:
            if statements.insert_new(rows.TABLE, [new], key="id"):
                return DBTaskResult(**new)
        _store_again(row, new["run_after"])
    return row


def enqueue_first(job: Job[[int], None], arguments: Sequence[int]) -> None:
    """Enqueue a job for each of these arguments, in one statement unless it had been before."""
    from games.jobs import rows

    new = {each: _new_row(job, (each,), job.backend) for each in sorted(set(arguments))}
    made = statements.insert_new(rows.TABLE, list(new.values()), key="id")
    stored = {uuid.UUID(str(key)) for key in made}
    for each, row in new.items():
        if row["id"] not in stored:
            job.enqueue(each)


def _new_row(task: Task[Any, Any], args: tuple[int, ...], alias: str) -> dict[str, Any]:
    """Return the columns of a job that waits for its first run."""
    now = true_time.now()
    return {
        "id": key_of(task.module_path, args),
        "status": TaskResultStatus.READY,
        "enqueued_at": now,
        "args_kwargs": {"args": list(args), "kwargs": {}},
        "priority": task.priority,
        "task_path": task.module_path,
        "worker_ids": [],
        "queue_name": task.queue_name,
        "backend_name": alias,
        "run_after": task.run_after or now,
        "exception_class_path": "",
        "traceback": "",
    }


def _store_again(row: DBTaskResult[Any, Any], due: datetime) -> None:
    """Enqueue a job that has a row already, which is locked."""
    from games.jobs import rows

    waiting = row.status == TaskResultStatus.READY
    running = row.status == TaskResultStatus.RUNNING
    again = running and row.started_at is not None and row.enqueued_at > row.started_at
    if waiting or again:
        # A job that waits for its next try keeps its backoff.
        if due >= row.run_after or (waiting and row.worker_ids):
            return
        row.run_after = due
        rows.save(row, "run_after")
        return
    # After the end of the current run `games.jobs.queue` finds the newer time.
    row.enqueued_at, row.run_after = true_time.now(), due
    if not running:
        row.status, row.worker_ids, row.finished_at = TaskResultStatus.READY, [], None
    rows.save(row, "enqueued_at", "run_after", "status", "worker_ids", "finished_at")
