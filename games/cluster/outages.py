"""Outages of the service: they are detected, and extend the deadlines of correspondence matches.

All processes regularly update a shared row, the pulse. An old pulse shows that no process was
running. An outage extends deadlines by its length, and leaves at least some hours.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.db import transaction
from django.utils import timezone

from games.models import Outage, Pulse

logger = logging.getLogger(__name__)

EVERY = 20.0
"""Seconds between two pulses of a process."""

FIRST = 2.0
"""Seconds until the first pulse of a new process."""

SILENCE = timedelta(seconds=90)
"""The longest gap between pulses that is not an outage."""

AFTERWARDS = timedelta(hours=12)
"""The minimum time left after an outage that overlapped a deadline."""

Period = tuple[datetime, datetime]
"""Start and end of an outage."""


def record_pulse() -> None:
    """Record that a process is running; if this ends an outage, store the outage once."""
    now = timezone.now()
    with transaction.atomic():
        pulse = Pulse.objects.select_for_update().order_by("pk").first()
        if pulse is None:
            Pulse.objects.get_or_create(pk=1, defaults={"at": now})
            return
        if now - pulse.at > SILENCE:
            Outage.objects.bulk_create([Outage(began=pulse.at, ended=now)], ignore_conflicts=True)
        if now > pulse.at:
            pulse.at = now
            pulse.save(update_fields=["at"])


def outages_since(moment: datetime) -> list[Period]:
    """Return the outages that ended after ``moment``, in order.

    This includes an outage that is not stored yet, since a process that has just started may call
    this before its first pulse.
    """
    rows = Outage.objects.filter(ended__gt=moment).order_by("began")
    found = list(rows.values_list("began", "ended"))
    now = timezone.now()
    last = Pulse.objects.order_by("pk").values_list("at", flat=True).first()
    if last is not None and now - last > SILENCE:
        found.append((last, now))
    return found


def extend_deadline(begun: datetime, length: timedelta, outages: Iterable[Period]) -> datetime:
    """Return the end of a period of ``length`` from ``begun``, extended by ``outages`` (in order).

    Each overlapping outage extends it by the overlap, and leaves at least `AFTERWARDS`.
    """
    due = begun + length
    for began, ended in outages:
        if ended > begun and began < due:
            due = max(due + (ended - max(began, begun)), ended + AFTERWARDS)
    return due


async def keep_pulsing() -> None:
    """Record pulses regularly, until cancelled."""
    await asyncio.sleep(FIRST)
    while True:
        try:
            await database_sync_to_async(record_pulse)()
        except DatabaseError:
            logger.exception("the pulse could not be stored")
        await asyncio.sleep(EVERY)
