"""Filing of public matches: adding them to the explorer, and taking out those no longer public.

A match is filed by a job after its end. Every night the matches of the last days, those on standard
games that have closed since, and one part in `NIGHTS` of all older ones are checked again: private
matches and those of closed games are added then, and what is no longer shown is removed.
A match that may become a standard game when it ends waits for the night, since the job that makes
one may not have run yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games import hooks
from games.archive.explorer.choices import choices_of
from games.archive.open_data import rewrite_after
from games.archive.public import public_among
from games.jobs.backend import BATCH, enqueue_first, job
from games.models import Choice, Match, PublicMatch, Seat

LATELY = timedelta(days=3)
"""The time for which a match is checked every night, so that one missed night does no harm."""

NIGHTS = 14
"""Number of nights in which all matches are checked once."""

AT_ONCE = 200
"""Matches that are checked with the same queries."""


@job(queue=BATCH)
def file_match(match: int) -> None:
    """File one finished match, by primary key, or remove it."""
    check([match])


@job(queue=BATCH)
def check_player(player: int) -> None:
    """Check the matches of a player, by primary key, whose settings or name have changed."""
    seats = Seat.objects.filter(player=player, computer=False, ended_at__isnull=False)
    keys = seats.order_by("match").values_list("match", flat=True)
    _check_all(keys.iterator())
    for month in PublicMatch.objects.filter(pk__in=keys).datetimes("since", "month", tzinfo=UTC):
        rewrite_after(month)  # their name may have to go, or may be shown now


def check_merged(guest: int) -> None:
    """Have the public matches of a guest, by primary key, checked after a merge into an account."""
    keys = list(PublicMatch.objects.filter(match__seats__player=guest).values_list("pk", flat=True))
    if keys:
        enqueue_first(file_match, keys)


@job(queue=BATCH, limit=timedelta(hours=2))
def check_all() -> None:
    """Check the matches that are due on this day, so that all are in time: see `due_on`."""
    _check_all(due_on(timezone.now()))


def due_on(moment: datetime) -> list[int]:
    """Return the finished matches (primary keys) that are due for a check on the day of a moment.

    They are those that ended or whose standard game closed in the time of `LATELY`, and of the
    others one part in `NIGHTS`, chosen by their key: each of them is due once in so many nights.
    """
    finished = Match.objects.filter(status=Match.Status.FINISHED)
    part = moment.astimezone(UTC).toordinal() % NIGHTS
    rows = finished.annotate(part=F("pk") % NIGHTS).filter(
        Q(finished_at__gte=moment - LATELY) | Q(part=part)
    )
    opened = finished.filter(pk__in=hooks.opened_since(moment - LATELY))
    return sorted({*rows.values_list("pk", flat=True), *opened.values_list("pk", flat=True)})


def _check_all(matches: Iterable[int]) -> None:
    some: list[int] = []
    for match in matches:
        some.append(match)
        if len(some) == AT_ONCE:
            check(some)
            some = []
    check(some)


def check(matches: Sequence[int]) -> None:
    """File those of the matches (primary keys) that are public, and remove the others."""
    filed = set(PublicMatch.objects.filter(pk__in=matches).values_list("pk", flat=True))
    public = public_among(matches)
    for row in PublicMatch.objects.filter(pk__in=filed - public).order_by("pk"):
        with transaction.atomic():
            row.delete()
            rewrite_after(row.since)
    for match in sorted(public - filed):
        _file(match)


def _file(match: int) -> None:
    """Store a match and its choices, unless another worker did."""
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(pk=match).first()
        if row is None:
            return
        _public, made = PublicMatch.objects.get_or_create(match=row)
        if made:
            Choice.objects.bulk_create(choices_of(row), batch_size=500)
