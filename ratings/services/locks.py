"""One process at a time: a row held for a transaction."""

from __future__ import annotations

from ratings.models import Lock


def hold(name: str) -> Lock:
    """Hold a lock until the transaction ends, waiting for whoever holds it; return its row.

    On PostgreSQL the row is locked; on SQLite every transaction is the only one that writes.
    Must be called within a transaction.
    """
    Lock.objects.get_or_create(name=name)
    return Lock.objects.select_for_update().get(name=name)


POOL = "pool"
"""Whoever hands out standard games."""


def ratings(seats: int) -> str:
    """Return the name of the lock of whoever moves ratings."""
    return f"ratings-{seats}"
