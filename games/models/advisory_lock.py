"""Locks of what has no row yet: transactions that would create the same thing take turns."""

from __future__ import annotations

from enum import IntEnum

from django.db import connection


class Turn(IntEnum):
    """Work that one transaction does at a time; the values are the keys of PostgreSQL's locks."""

    QUICK_MATCH = 0x71756963
    NEW_PASSKEY = 0x70617373
    DELETION = 0x64656C65


def take_turn(turn: Turn) -> None:
    """Wait until no other transaction has this turn, and keep it to the end of one's own.

    On SQLite a transaction is the only writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [turn])
