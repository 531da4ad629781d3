"""Public records of the site: highest hands, longest streaks, today's matches, live tables.

They include only watchable matches and players without a private page or a closed account, and no
cards of open standard games.
"""

from __future__ import annotations

from datetime import datetime, time

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from games.archive import access
from games.archive.profile import LOOKED_AT, BestHand, hands_of, with_visible_cards
from games.models import Match, Player, Seat, Streak

HANDS = 10
STREAKS = 10
TABLES = 20
LEAST_STREAK = 2
"""The shortest number of wins that counts as a streak."""


def highest_hands() -> list[BestHand]:
    """Return the highest hands of the site, highest first."""
    rows = Seat.objects.filter(
        best_hand__isnull=False, watchable=True, player__private=False, player__is_active=True
    )
    return hands_of(
        with_visible_cards(rows.order_by("-best_hand", "-pk")[:LOOKED_AT], None)[:HANDS],
        number=HANDS,
    )


def longest_streaks() -> list[Streak]:
    """Return the longest winning streaks, longest first."""
    rows = Streak.objects.filter(
        longest__gte=LEAST_STREAK, player__private=False, player__is_active=True
    )
    rows = rows.exclude(player__kind=Player.Kind.COMPUTER).select_related("player")
    return list(rows.order_by("-longest", "longest_at")[:STREAKS])


def todays_matches() -> list[Match]:
    """Return the matches that ended today, newest first."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    rows = Match.objects.filter(
        status=Match.Status.FINISHED, watchable=True, finished_at__gte=midnight
    )
    return _public(rows.order_by("-finished_at"))


def live_tables() -> list[Match]:
    """Return the watchable matches in progress, newest first."""
    rows = Match.objects.filter(status=Match.Status.PLAYING, watchable=True)
    return _public(rows.order_by("-started_at"))


def _public(rows: QuerySet[Match]) -> list[Match]:
    seats = Seat.objects.select_related("player").order_by("seat")
    found = list(rows.prefetch_related(Prefetch("seats", seats))[:LOOKED_AT])
    return [match for match in access.visible_in_lists(found, None) if _open(match)][:TABLES]


def _open(match: Match) -> bool:
    """Return whether no player at the table has a private page."""
    return not any(row.player is not None and row.player.private for row in match.seats.all())
