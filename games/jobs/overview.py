"""The state of the queue in numbers, for the metrics and the doctor."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Min
from django_tasks.base import TaskResultStatus

from games.jobs import queue
from games.jobs.backend import QUEUES
from games.models import JobCount, Worker
from games.ops import true_time

STATES = ("due", "later", "running", "failed")


@dataclass(frozen=True, slots=True)
class Overview:
    """The jobs of the whole site.

    Attributes:
        jobs: (queue, one of `STATES`) -> number of jobs; "later" ones wait for their date.
        oldest: queue -> seconds for which its first due job has been waiting.
        runs: (job, one of `games.jobs.queue.ENDINGS`) -> number of runs so far.
        workers: the number of workers that are alive.
    """

    jobs: dict[tuple[str, str], int]
    oldest: dict[str, float]
    runs: dict[tuple[str, str], int]
    workers: int


def overview() -> Overview:
    """Read the state of the queue."""
    now = true_time.now()
    jobs: Counter[tuple[str, str]] = Counter({(q, s): 0 for q in QUEUES for s in STATES})
    names = {
        TaskResultStatus.READY: "later",
        TaskResultStatus.RUNNING: "running",
        TaskResultStatus.FAILED: "failed",
    }
    counted = queue.all_jobs().filter(status__in=names).order_by()
    for name, status, number in counted.values_list("queue_name", "status").annotate(Count("pk")):
        jobs[name, names[status]] += number
    oldest = dict.fromkeys(QUEUES, 0.0)
    due = queue.due(QUEUES).order_by().values_list("queue_name")
    for name, number, first in due.annotate(Count("pk"), Min("run_after")):
        jobs[name, "due"] = number
        jobs[name, "later"] -= number
        oldest[name] = max((now - first).total_seconds(), 0.0)
    return Overview(
        jobs=dict(jobs),
        oldest=oldest,
        runs={
            (row.job.rpartition(".")[2], ending): getattr(row, ending)
            for row in JobCount.objects.all()
            for ending in queue.ENDINGS
        },
        workers=workers_alive(),
    )


def workers_alive() -> int:
    """Return the number of workers that have reported that they are alive."""
    since = true_time.now() - timedelta(seconds=settings.JOB_LEASE)
    return Worker.objects.filter(seen_at__gte=since).count()
