"""Rows of the table of jobs, locked and stored by SQL that is written here.

Each match enqueues several jobs, and Django takes ten times as long to build a statement as the
database to run it. A test compares the rows with those of querysets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from games.models import statements
from games.models.prepared import PreparedObjects
from games.ops import true_time

if TYPE_CHECKING:
    Row = DBTaskResult[Any, Any]

TABLE = "django_tasks_database_dbtaskresult"
"""The table of all jobs."""

_all = PreparedObjects["Row"](lambda _: DBTaskResult.objects.order_by())


def locked(key: UUID) -> Row | None:
    """Return the job with this id, or None; it is locked until the end of the transaction."""
    return _first("WHERE id = %s", [key], lock="FOR UPDATE")


def lock_first_due(queue: str) -> Row | None:
    """Return the first due job of a queue, locked likewise; skip those that others have locked."""
    return _first(
        "WHERE status = %s AND queue_name = %s AND run_after <= %s "
        "ORDER BY priority DESC, run_after, enqueued_at LIMIT 1",
        [TaskResultStatus.READY, queue, true_time.now()],
        lock="FOR UPDATE SKIP LOCKED",
    )


def save(row: Row, *columns: str) -> None:
    """Store these columns of a job."""
    changes = ", ".join([f"{name} = %s" for name in columns])
    values = [statements.adapted(getattr(row, name)) for name in (*columns, "id")]
    statements.tell((f"UPDATE {TABLE} SET {changes} WHERE id = %s", values))  # noqa: S608


def _first(ending: str, values: Sequence[Any], *, lock: str) -> Row | None:
    """Return the first job of a query; on SQLite a transaction is the only writer anyway."""
    if connection.vendor == "postgresql":
        ending = f"{ending} {lock}"
    return next(iter(_all.where(ending, values)), None)
