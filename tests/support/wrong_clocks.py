"""A process whose clock is wrong, and was compared with the database's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import patch

from django.utils import timezone

from games.ops import true_time


@contextmanager
def wrong_clock(ahead: timedelta) -> Iterator[None]:
    """Let the clock of this process be ahead of the database's meanwhile."""
    real = timezone.now
    with (
        patch.object(timezone, "now", lambda: real() + ahead),
        patch.object(true_time, "_ahead", ahead),
    ):
        yield
