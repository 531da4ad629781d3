"""Rules by which a finished play does not count for ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from django.db.models import QuerySet

from ratings.model.guards import within_guest_cap, within_pair_cap
from ratings.models import Attempt, Play
from ratings.standard import identities

LONGEST_MONTH = timedelta(days=31)

NOT_COMPARED = (
    Play.Exclusion.PRACTICE,
    Play.Exclusion.REMOVED,
    Play.Exclusion.BARRED,
    Play.Exclusion.TWICE,
)
"""Exclusions of plays that say nothing about others: players knew the cards or may have cheated."""

MAY_COUNT = (Play.Exclusion.NONE, Play.Exclusion.REMOVED)
"""Exclusions of plays that count, or will once a moderator restores them."""


def exclusion_of(*, play: Play, hands: int, attempts: Sequence[Attempt], ended_at: datetime) -> str:
    """Return why a play of so many hands does not count, or "".

    The attempts have their players fetched.
    """
    if hands > len(play.standard_game.decks.packs):
        return Play.Exclusion.PACKS
    people = [attempt for attempt in attempts if not attempt.computer]
    if not all(attempt.first for attempt in people):
        return Play.Exclusion.PRACTICE
    if identities.are_linked([attempt.player for attempt in people]):
        return Play.Exclusion.SAME
    guests = [attempt for attempt in people if attempt.player.is_guest]
    if guests and play.kind == Play.Kind.LIVE:
        return Play.Exclusion.CHOSEN
    if len(people) == len(attempts) and not _within_pair_cap(people, ended_at):
        return Play.Exclusion.PAIR_CAP
    if guests and not all(
        _within_guest_cap(attempt, ended_at) for attempt in people if attempt not in guests
    ):
        return Play.Exclusion.GUESTS
    return Play.Exclusion.NONE


def apply_pair_cap(plays: Iterable[int]) -> None:
    """Apply the cap of a pair to finished plays (primary keys) that an account got from a guest.

    It may have played its opponents before, as itself or as other guests.
    """
    rows = Play.objects.filter(pk__in=plays, exclusion=Play.Exclusion.NONE)
    for play in rows.filter(finished_at__isnull=False).order_by("-finished_at"):
        attempts = list(play.attempts.select_related("standard_game"))
        people = not any(attempt.computer for attempt in attempts)
        if people and play.finished_at and not _within_pair_cap(attempts, play.finished_at):
            Play.objects.filter(pk=play.pk).update(exclusion=Play.Exclusion.PAIR_CAP)


def _within_pair_cap(people: Sequence[Attempt], ended_at: datetime) -> bool:
    rows = _counted(people[0], len(people), ended_at)
    for attempt in people:
        rows = rows.filter(attempts__player=attempt.player_id)
    return within_pair_cap(_month(ended_at), _months(rows))


def _within_guest_cap(account: Attempt, ended_at: datetime) -> bool:
    seats = account.standard_game.seats
    rows = _counted(account, seats, ended_at).filter(attempts__player=account.player_id)
    return within_guest_cap(
        _month(ended_at), _months(rows.filter(attempts__player__kind="guest").distinct())
    )


def _counted(attempt: Attempt, seats: int, ended_at: datetime) -> QuerySet[Play]:
    """Return the other counted plays in at least the last 31 days."""
    return Play.objects.filter(
        finished_at__gte=ended_at - LONGEST_MONTH,
        exclusion=Play.Exclusion.NONE,
        standard_game__seats=seats,
    ).exclude(pk=attempt.play_id)


def _months(rows: QuerySet[Play]) -> Iterable[int]:
    ends = rows.values_list("finished_at", flat=True)
    return [_month(ended) for ended in ends if ended is not None]


def _month(ended_at: datetime) -> int:
    """Return the consecutive number of a time's month, in UTC as for daily games."""
    moment = ended_at.astimezone(UTC)
    return 12 * moment.year + moment.month
