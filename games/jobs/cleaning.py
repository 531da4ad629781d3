"""Deletion of jobs that ended long ago."""

from __future__ import annotations

from games.jobs import queue
from games.jobs.backend import BATCH, job


@job(queue=BATCH)
def delete_old_jobs() -> None:
    """Delete jobs that are done or have failed, after their time."""
    queue.delete_old()
