"""When the service was out: found by the silence of all its processes, and taken off nobody's time.

Each process says now and then that it is at work, in one row that all share. Where that row is
older than any process would leave it, nobody was at work in between. A time of days goes on after
an outage for as long as the outage took out of it, and for some hours at least.
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
"""Seconds after which a new process gives its first one."""

SILENCE = timedelta(seconds=90)
"""How long nothing may be heard before it is an outage."""

AFTERWARDS = timedelta(hours=12)
"""What is left at least, after an outage, of a time that it took something out of."""

Stretch = tuple[datetime, datetime]
"""When an outage began, and when it ended."""


def beat() -> None:
    """Say that a process is at work; an outage that this ends is written down, once."""
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


def since(moment: datetime) -> list[Stretch]:
    """Return the outages that ended after ``moment``, in order, with one that no process ended yet.

    A process that has just started may be asked before it gave its first pulse.
    """
    rows = Outage.objects.filter(ended__gt=moment).order_by("began")
    found = list(rows.values_list("began", "ended"))
    now = timezone.now()
    last = Pulse.objects.order_by("pk").values_list("at", flat=True).first()
    if last is not None and now - last > SILENCE:
        found.append((last, now))
    return found


def lengthened(begun: datetime, length: timedelta, outages: Iterable[Stretch]) -> datetime:
    """Return when a time is up that began at ``begun``; ``outages`` in order.

    Each outage adds what it took of the time, and leaves `AFTERWARDS` at least.
    """
    due = begun + length
    for began, ended in outages:
        if ended > begun and began < due:
            due = max(due + (ended - max(began, begun)), ended + AFTERWARDS)
    return due


async def keep_beating() -> None:
    """Give a pulse now and then, for as long as the process lives."""
    await asyncio.sleep(FIRST)
    while True:
        try:
            await database_sync_to_async(beat)()
        except DatabaseError:
            logger.exception("the pulse of this process could not be written")
        await asyncio.sleep(EVERY)
