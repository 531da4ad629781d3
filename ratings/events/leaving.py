"""Leaving a running tournament: whether the player misses a game by it."""

from __future__ import annotations

from django.db.models import Q

from games.api import true_now
from ratings.events import arena
from ratings.events.results import has_brackets
from ratings.models import Event, EventEntrant


def has_more_games(event: Event, row: EventEntrant) -> bool:
    """Whether an entrant of a running event may have a game that has not begun.

    A player who has none keeps their place and title, whether or not they leave.
    """
    if true_now() >= event.ends_at:
        return False
    if event.format == Event.Format.ARENA:
        return arena.seconds_left(event) > 0
    current = event.played.order_by("-number").first()
    if current is None:
        return True
    own = Q(first=row) | Q(second=row) | Q(third=row)
    table = current.tables.filter(own).first()
    begun = 0 if table is None else table.games.count()
    if current.bracket:
        if table is None or current.tables.count() == 1:
            return table is not None and table.ended_at is None and begun < event.best_of
        return table.ended_at is None or table.winner_id == row.pk
    if has_brackets(event) or current.number < event.rounds:
        return True
    return table is not None and not begun
