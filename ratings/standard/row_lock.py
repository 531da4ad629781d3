"""Locks across processes: a database row locked for a transaction."""

from __future__ import annotations

from ratings.models import Lock


def lock_row(name: str) -> Lock:
    """Lock a row until the transaction ends, waiting for other holders; return it.

    On PostgreSQL the row is locked; on SQLite a transaction is the only writer anyway. Call it in a
    transaction.
    """
    Lock.objects.get_or_create(name=name)
    return Lock.objects.select_for_update().get(name=name)


POOL = "pool"
"""Name of the lock for assigning standard games."""


def ratings(seats: int) -> str:
    """Return the name of the lock for changing the ratings at one number of seats."""
    return f"ratings-{seats}"
