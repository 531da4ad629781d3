"""Standard games of which moderators may know cards, since they read about a match."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from games.api import SeenMatch
from ratings.models import Play


def seen_plays(players: Collection[int]) -> QuerySet[Play]:
    """Return the plays whose matches one of these players (primary keys) has read about."""
    seen = SeenMatch.objects.filter(player__in=players).values("match")
    return Play.objects.filter(match__in=seen)
