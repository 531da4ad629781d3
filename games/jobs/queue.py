"""The queue for workers: they claim a job, and record how its run ended.

A worker keeps its claims while it reports that it is alive (`Worker.seen_at`). After
JOB_LEASE_SECONDS of silence its jobs return to the queue, and what it records later is ignored.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, QuerySet
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from games.jobs import rows
from games.jobs.backend import BACKOFF, TRIES, Job, key_of
from games.jobs.schedules import next_date
from games.models import JobCount, Worker, statements
from games.ops import true_time

if TYPE_CHECKING:
    Row = DBTaskResult[Any, Any]

logger = logging.getLogger(__name__)

ENDINGS = ("done", "retried", "failed", "lost")
"""The ways in which a run can end, as counted by `JobCount`."""

KEPT_DONE = timedelta(days=1)
KEPT_FAILED = timedelta(days=30)
"""Times after which jobs that are done or have failed are deleted."""

LONGEST_PAUSE = timedelta(hours=6)
"""Longest pause between two tries."""

_BEAT = (
    "INSERT INTO games_worker (name, started_at, seen_at) VALUES (%s, %s, %s) "
    "ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at"
)

_SETTLED = (
    "status", "finished_at", "run_after", "worker_ids", "exception_class_path", "traceback",
)  # fmt: skip
"""The columns of a job that the end of a run changes."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's right to run a job once.

    Attributes:
        row: the job as it was claimed; its primary key is the id of the job.
        worker: the worker's name.
    """

    row: Row
    worker: str

    @property
    def name(self) -> str:
        """The name of the job and its id, for the log."""
        return f"{self.row.task_path.rpartition('.')[2]} {self.row.pk}"

    @property
    def job(self) -> Job[..., None]:
        """The job's function and rules.

        Raises:
            ImportError: if this release does not have it.
        """
        found = self.row.task
        if isinstance(found, Job):
            return found
        raise ImportError(f"{self.row.task_path} is not a job")


def beat(worker: str, *, started_at: datetime | None = None) -> None:
    """Record that a worker is alive."""
    now = true_time.now()
    given = [worker, started_at or now, now]
    statements.tell((_BEAT, [statements.adapted(value) for value in given]))


def all_jobs() -> QuerySet[Row]:
    """Return all jobs."""
    return DBTaskResult.objects.all()


def due(queues: Collection[str]) -> QuerySet[Row]:
    """Return the jobs of these queues that can be run now, in their order."""
    return DBTaskResult.objects.filter(
        status=TaskResultStatus.READY, queue_name__in=queues, run_after__lte=true_time.now()
    )


def with_due_jobs(queues: Collection[str]) -> set[str]:
    """Return those of these queues that have a job to run now.

    An idle worker asks this several times a second, and Django takes ten times as long to build the
    query as SQLite to answer it. So its SQL is written here; a test compares it with `due`.
    """
    if not queues:
        return set()
    places = ", ".join(["%s"] * len(queues))
    now = connection.ops.adapt_datetimefield_value(true_time.now())
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT queue_name FROM {rows.TABLE} "  # noqa: S608
            f"WHERE status = %s AND run_after <= %s AND queue_name IN ({places})",
            [TaskResultStatus.READY, now, *queues],
        )
        return {name for (name,) in cursor.fetchall()}


def failed_jobs() -> dict[str, int]:
    """Return the number of jobs that were given up and are kept, by the name of their function."""
    jobs = DBTaskResult.objects.filter(status=TaskResultStatus.FAILED).order_by()
    counted = jobs.values_list("task_path").annotate(Count("pk"))
    return {path.rpartition(".")[2]: number for path, number in counted}


def is_open(job: Job[..., None], *args: int, failed_within: timedelta) -> bool:
    """Return whether a job is waiting or running, or has failed within this time."""
    row = DBTaskResult.objects.filter(pk=key_of(job.module_path, args)).first()
    if row is None or row.status == TaskResultStatus.SUCCESSFUL:
        return False
    if row.status == TaskResultStatus.FAILED:
        return row.finished_at is None or row.finished_at > true_time.now() - failed_within
    return True


def claim(*, worker: str, queue: str) -> Claim | None:
    """Claim the first due job of a queue; None if there is none."""
    # On SQLite a transaction locks out all writers, so it begins only if there is something to do.
    if not with_due_jobs([queue]):
        return None
    with transaction.atomic(), statements.together():
        row = rows.lock_first_due(queue)
        if row is None:
            return None
        beat(worker)
        row.status, row.started_at = TaskResultStatus.RUNNING, true_time.now()
        row.worker_ids = [*row.worker_ids, worker]
        rows.save(row, "status", "started_at", "worker_ids")
    return Claim(row, worker)


def done(claim: Claim) -> bool:
    """Record the end of a run; False if the claim was lost."""
    return _settle(claim, "done", TaskResultStatus.SUCCESSFUL)


def failed(claim: Claim, error: BaseException) -> bool:
    """Record the error of a run, and schedule the next try; False if the claim was lost.

    Only its class and the lines of code in its traceback are stored, since its message may name
    cards.
    """
    kind = type(error)
    claim.row.exception_class_path = f"{kind.__module__}.{kind.__qualname__}"
    claim.row.traceback = "".join(traceback.format_tb(error.__traceback__))
    return _settle_failure(claim, "retried")


def release(claim: Claim) -> bool:
    """Return an unfinished job to the queue because the worker stops; this run is not a try."""
    with transaction.atomic():
        row = _own(claim)
        if row is None:
            return False
        row.status, row.worker_ids = TaskResultStatus.READY, row.worker_ids[:-1]
        row.run_after = true_time.now()
        rows.save(row, "status", "worker_ids", "run_after")
    return True


def recover_lost() -> int:
    """Requeue the jobs of dead workers, or give them up after their last try; return how many."""
    seen = true_time.now() - timedelta(seconds=settings.JOB_LEASE)
    running = DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING)
    if not running.exists():
        return 0
    alive = set(Worker.objects.filter(seen_at__gte=seen).values_list("name", flat=True))
    lost = [Claim(row, _holder(row)) for row in running if _holder(row) not in alive]
    return sum(_give_up_lost(claim) for claim in lost)


def retry(jobs: QuerySet[Row]) -> int:
    """Enqueue failed jobs again, with all their tries; return how many."""
    return jobs.filter(status=TaskResultStatus.FAILED).update(
        status=TaskResultStatus.READY, worker_ids=[], run_after=true_time.now(), finished_at=None
    )


def delete_old() -> int:
    """Delete jobs that ended long ago, and dead workers; return the number of jobs."""
    now = true_time.now()
    Worker.objects.filter(seen_at__lt=now - KEPT_DONE).delete()
    old = DBTaskResult.objects.filter(
        status=TaskResultStatus.SUCCESSFUL, finished_at__lt=now - KEPT_DONE
    ) | DBTaskResult.objects.filter(
        status=TaskResultStatus.FAILED, finished_at__lt=now - KEPT_FAILED
    )
    return old.delete()[0]


def _holder(row: Row) -> str:
    return row.worker_ids[-1] if row.worker_ids else ""


def _own(claim: Claim) -> Row | None:
    """Return a claimed job's row, locked; None if the claim was lost."""
    row = rows.locked(claim.row.pk)
    if (
        row is None
        or row.status != TaskResultStatus.RUNNING
        or row.started_at != claim.row.started_at
        or _holder(row) != claim.worker
    ):
        logger.warning("job %s was given to another worker", claim.name)
        return None
    return row


def _give_up_lost(claim: Claim) -> bool:
    claim.row.exception_class_path, claim.row.traceback = "WorkerLost", ""
    logger.warning("job %s: its worker %s is gone", claim.name, claim.worker)
    return _settle_failure(claim, "lost")


def _settle_failure(claim: Claim, ending: str) -> bool:
    """End a run that failed: wait for the next try, or give up after the last."""
    tries, backoff = _rules(claim)
    runs = len(claim.row.worker_ids)
    if runs >= tries:
        logger.error("job %s failed for good after %d runs", claim.name, runs)
        return _settle(claim, "failed", TaskResultStatus.FAILED)
    pause = min(backoff * 2 ** (runs - 1), LONGEST_PAUSE)
    return _settle(claim, ending, TaskResultStatus.READY, pause=pause)


def _rules(claim: Claim) -> tuple[int, timedelta]:
    try:
        return claim.job.tries, claim.job.backoff
    except ImportError:
        # A newer release may know it.
        return TRIES, BACKOFF


def _settle(
    claim: Claim, ending: str, status: TaskResultStatus, *, pause: timedelta = timedelta()
) -> bool:
    """End a run with `status`; the job waits again if it was enqueued during the run or repeats."""
    with transaction.atomic(), statements.together():
        row = _own(claim)
        if row is None:
            return False
        now = true_time.now()
        row.finished_at = now
        fine = status == TaskResultStatus.SUCCESSFUL
        row.exception_class_path = "" if fine else claim.row.exception_class_path
        row.traceback = "" if fine else claim.row.traceback
        again = row.enqueued_at != claim.row.enqueued_at
        if status == TaskResultStatus.READY:
            row.run_after = now + pause
        elif again:
            status, row.worker_ids = TaskResultStatus.READY, []
        elif (next_run := next_date(row, now)) is not None:
            status, row.worker_ids, row.run_after = TaskResultStatus.READY, [], next_run
        row.status = status
        rows.save(row, *_SETTLED)
        count = {"job": row.task_path, **{each: int(each == ending) for each in ENDINGS}}
        statements.add(JobCount._meta.db_table, [count], keys=["job"])  # noqa: SLF001
    return True
