"""Outages of the service: they are detected, and extend the deadlines of correspondence matches.

All processes regularly update a shared row, the pulse. An old pulse shows that no process was
running. In the same row a deaf process tells the others that it is running. An outage extends
correspondence deadlines by its length, and leaves at least some hours. Turn clocks start again
after an outage, and after a partial one, in which a process was deaf.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from games.models import Outage, Pulse
from games.ops import true_time

EVERY = 5.0
"""Seconds between two pulses of a process."""

FIRST = 2.0
"""Seconds until the first pulse of a new process."""

BREAK = timedelta(seconds=15)
"""The longest gap between pulses that is not an outage."""

SILENCE = timedelta(seconds=90)
"""The longest outage that extends no correspondence deadline."""

AFTERWARDS = timedelta(hours=12)
"""The minimum time left after an outage that overlapped a deadline."""

Period = tuple[datetime, datetime]
"""Start and end of an outage."""


def record_pulse(*, deaf: bool = False) -> bool:
    """Record that a process is running; if this ends an outage, store the outage once.

    Args:
        deaf: whether this process cannot hear the others.

    Returns:
        Whether any process said within the last `BREAK` that it was deaf.
    """
    now = true_time.now()
    with transaction.atomic():
        pulse = Pulse.objects.select_for_update().order_by("pk").first()
        if pulse is None:
            Pulse.objects.get_or_create(
                pk=1, defaults={"at": now, "deaf_at": now if deaf else None}
            )
            return deaf
        if now - pulse.at > BREAK:
            Outage.objects.bulk_create([Outage(began=pulse.at, ended=now)], ignore_conflicts=True)
        pulse.at = max(now, pulse.at)
        if deaf:
            pulse.deaf_at = now
        pulse.save(update_fields=["at", "deaf_at"])
        return pulse.deaf_at is not None and now - pulse.deaf_at <= BREAK


def record_deafness(began: datetime) -> None:
    """Store that this process could not hear the others from ``began`` until now, if it was long.

    Its players may not have seen that it was their turn.
    """
    now = true_time.now()
    if now - began > BREAK:
        Outage.objects.bulk_create(
            [Outage(began=began, ended=now, partial=True)], ignore_conflicts=True
        )


def outages_since(
    moment: datetime, *, at_least: timedelta = SILENCE, partial: bool = False
) -> list[Period]:
    """Return the outages longer than ``at_least`` that ended after ``moment``, in order.

    Partial ones count only if wanted. An outage that is not stored yet is stored now, since a
    process that has just started may call this before its first pulse.
    """
    last = Pulse.objects.order_by("pk").values_list("at", flat=True).first()
    if last is not None and true_time.now() - last > BREAK:
        record_pulse()
    rows = Outage.objects.filter(ended__gt=moment).order_by("began")
    if not partial:
        rows = rows.filter(partial=False)
    found = rows.values_list("began", "ended")
    return [(began, ended) for began, ended in found if ended - began > at_least]


def extend_deadline(begun: datetime, length: timedelta, outages: Iterable[Period]) -> datetime:
    """Return the end of a period of ``length`` from ``begun``, extended by ``outages`` (in order).

    Each overlapping outage extends it by the overlap, and leaves at least `AFTERWARDS`.
    """
    due = begun + length
    for began, ended in outages:
        if ended > begun and began < due:
            due = max(due + (ended - max(began, begun)), ended + AFTERWARDS)
    return due
