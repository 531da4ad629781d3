"""The finished matches that are public: for the explorer and the open data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Prefetch
from django.utils import timezone

from games import hooks
from games.archive import access, sharing
from games.models import Match, Seat

SETTLED = timedelta(hours=12)
"""Time after which a private match has become a standard game, or never will."""


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
