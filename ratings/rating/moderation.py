"""Moderation of ratings: removal of a cheater's results."""

from __future__ import annotations

from games.api import Player
from ratings.models import Play


def remove_results(*, player: Player) -> int:
    """Exclude all of a player's plays from ratings; return how many were excluded.

    Win-loss records do not change. Ratings follow at the next full refit.
    """
    return Play.objects.filter(
        attempts__player=player, exclusion=Play.Exclusion.NONE, finished_at__isnull=False
    ).update(exclusion=Play.Exclusion.REMOVED)
