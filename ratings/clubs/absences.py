"""Selectors: who is absent from a club night, and which seats players have left."""

from __future__ import annotations

from django.db.models import QuerySet

from games.api import Seat
from ratings.models import ClubNight


def absent_entrants(night: ClubNight) -> set[int]:
    """Return the primary keys of entrants who are not seated.

    They are marked as absent or banned, or have left a table of the night or run out of time there
    without coming back.
    """
    lost: dict[int, int] = {}
    for player, number in forfeited_seats(night).values_list(
        "player_id", "match__standard_play__night_table__game__number"
    ):
        lost[player or 0] = max(number, lost.get(player or 0, 0))
    return {
        row.pk
        for row in night.entrants.select_related("player")
        if row.absent or not row.player.is_active or lost.get(row.player_id, 0) >= row.from_game
    }


def forfeited_seats(night: ClubNight) -> QuerySet[Seat]:
    """Return the seats at a night's tables that people have left for good."""
    return Seat.objects.filter(
        match__standard_play__night_table__game__night=night,
        computer=False,
        left_at__isnull=False,
    )
