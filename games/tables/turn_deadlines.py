"""Deadlines of matches with a clock, computed from what is stored: the same in every process.

The time for a decision starts with the log entry that requested it, or with the start of the match;
no time is up within the match's grace from its start.
After an outage that overlapped it the full time starts again, so that nobody loses a game to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.cluster import outages
from games.cluster.outages import Period
from games.log import store
from games.models import Match


@dataclass(frozen=True, slots=True)
class RunningClock:
    """The clock of a match in progress.

    Attributes:
        match, public_id: its keys.
        due: when the time for the current decision is up.
    """

    match: int
    public_id: str
    due: datetime


def deadlines(matches: Sequence[int]) -> dict[int, datetime]:
    """Return when the time for the current decision of each match is up; none without a clock."""
    return {clock.match: clock.due for clock in running_clocks(matches=matches)}


def running_clocks(*, matches: Sequence[int] | None = None) -> list[RunningClock]:
    """Return the clocks of all matches in progress, or of some; the number of queries is constant.

    A decision of a computer has a deadline too, but it is not enforced.
    """
    rows = list(_rows() if matches is None else _rows().filter(pk__in=matches))
    begun = [at for _pk, _id, _clock, _grace, _start, at in rows if at is not None]
    breaks = (
        outages.outages_since(min(begun), at_least=outages.BREAK, partial=True) if begun else []
    )
    return [
        RunningClock(
            pk,
            public_id,
            max(
                due(at, timedelta(seconds=clock), breaks),
                due(started or at, timedelta(seconds=grace), breaks),
            ),
        )
        for pk, public_id, clock, grace, started, at in rows
        if clock is not None and at is not None
    ]


def due(begun: datetime, limit: timedelta, breaks: Iterable[Period]) -> datetime:
    """Return when ``limit`` is up; it starts again after each outage that overlaps it."""
    at = begun + limit
    for began, ended in breaks:
        if ended > begun and began < at:
            at = max(at, ended + limit)
    return at


def _rows() -> QuerySet[Match, tuple[int, str, int | None, int, datetime | None, datetime | None]]:
    asked = store.requests().filter(match_id=OuterRef("pk")).values("at")[:1]
    running = Match.objects.filter(status=Match.Status.PLAYING, clock__isnull=False)
    return running.annotate(begun=Coalesce(Subquery(asked), F("started_at"))).values_list(
        "pk", "public_id", "clock", "grace", "started_at", "begun"
    )
