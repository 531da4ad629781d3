"""Filing of public matches: adding them to the explorer, and taking out those no longer public.

A match is filed by a job after its end. Every night all finished matches are checked again: games
that have closed and private matches are added then, and what players no longer show is removed.
A match that may become a standard game when it ends waits for the night, since the job that makes
one may not have run yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from games import hooks
from games.archive import access, sharing
from games.archive.explorer.choices import choices_of
from games.jobs.backend import BATCH, job
from games.models import Choice, Match, PublicMatch, Seat

AT_ONCE = 200
"""Matches that are checked with the same queries."""
SETTLED = timedelta(hours=12)
"""Time after which a private match has become a standard game, or never will."""


@job(queue=BATCH)
def file_match(match: int) -> None:
    """File one finished match, by primary key, or remove it."""
    check([match])


@job(queue=BATCH)
def check_player(player: int) -> None:
    """Check the matches of a player, by primary key, whose settings have changed."""
    seats = Seat.objects.filter(player=player, computer=False, ended_at__isnull=False)
    _check_all(seats.order_by("match").values_list("match", flat=True).iterator())


@job(queue=BATCH, limit=timedelta(hours=2))
def check_all() -> None:
    """Check all finished matches."""
    rows = Match.objects.filter(status=Match.Status.FINISHED).order_by("pk")
    _check_all(rows.values_list("pk", flat=True).iterator())


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
    for match in sorted(filed - public):
        PublicMatch.objects.filter(pk=match).delete()
    for match in sorted(public - filed):
        _file(match)


def public_among(matches: Sequence[int]) -> set[int]:
    """Return those of the matches (primary keys) whose cards everyone may see.

    The rule is that of lists for a visitor, and the players' consent: nothing is taken from a
    private match whose cards may not be shared at all.
    """
    seats = Seat.objects.select_related("player").order_by("seat")
    rows = Match.objects.filter(
        pk__in=matches, status=Match.Status.FINISHED, lesson=False
    ).prefetch_related(Prefetch("seats", seats))
    listed = access.visible_in_lists(list(rows), None, cards=True)
    settled = timezone.now() - SETTLED
    return {match.pk for match in listed if _may_be_shared(match) and _is_settled(match, settled)}


def _may_be_shared(match: Match) -> bool:
    people = sharing.people_of(match)
    return sharing.sharing_of(match, people) != sharing.Sharing.NEVER


def _is_settled(match: Match, settled: datetime) -> bool:
    """Whether no standard game can be made of a match any more."""
    if match.watchable or match.finished_at is None:
        return match.watchable
    return bool(match.finished_at < settled or hooks.standard_plays([match.pk]))


def _file(match: int) -> None:
    """Store a match and its choices, unless another worker did."""
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(pk=match).first()
        if row is None:
            return
        _public, made = PublicMatch.objects.get_or_create(match=row)
        if made:
            Choice.objects.bulk_create(choices_of(row), batch_size=500)
