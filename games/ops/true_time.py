"""The time that is stored and compared: this process's clock, put right by the database's.

All processes compare the times of log entries with their clocks. One that was minutes slow would
date its moves back, and the next player's seat would be given away at once by the others.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from datetime import UTC, datetime, timedelta

from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

logger = logging.getLogger(__name__)

MOST_APART = 2.0
"""Seconds by which a clock may differ from the database's without being put right."""

AT_START = 1.0
"""Seconds that a process waits at its start for the first comparison."""

_ahead = timedelta()


def now() -> datetime:
    """Return the time, as the database's clock shows it but for `MOST_APART`."""
    return timezone.now() - _ahead


def compare_at_start() -> None:
    """Compare the clocks before anything is dated here; without the database, later pulses do."""
    comparing = threading.Thread(target=_try_to_compare, name="clock", daemon=True)
    comparing.start()
    comparing.join(AT_START)


def _try_to_compare() -> None:
    try:
        compare()
    except DatabaseError:
        logger.warning("this machine's clock could not be compared with the database's yet")
    finally:
        connection.close()


def compare() -> None:
    """Compare this process's clock with the database's.

    Raises:
        django.db.Error: if the database fails.
    """
    global _ahead  # noqa: PLW0603 - one for each process
    ahead = seconds_ahead()
    found = timedelta(seconds=ahead if abs(ahead) > MOST_APART else 0.0)
    if abs(found - _ahead).total_seconds() > MOST_APART:
        logger.warning("this machine's clock is %+.1f s from the database's", ahead)
    _ahead = found


def seconds_ahead() -> float:
    """Return by how much this process's clock is surely ahead of the database's; 0 with SQLite.

    An answer that took long says little: the database read its clock at any time meanwhile.

    Raises:
        django.db.Error: if the database fails.
    """
    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        before = time.monotonic()
        cursor.execute("SELECT EXTRACT(EPOCH FROM clock_timestamp())")
        theirs = float(cursor.fetchone()[0])
        took = time.monotonic() - before
    ahead = datetime.now(UTC).timestamp() - took / 2 - theirs
    return math.copysign(max(0.0, abs(ahead) - took / 2), ahead)
