"""What moderators do: take a cheat's rows away; the next refit repairs everybody."""

from __future__ import annotations

from games.api import Player
from ratings.models import Play


def remove_results(*, player: Player) -> int:
    """Let no play of a player count for ratings any more; return how many did.

    Records of wins and losses stay as they are. Ratings follow at the next full refit.
    """
    return Play.objects.filter(
        attempts__player=player, exclusion=Play.Exclusion.NONE, finished_at__isnull=False
    ).update(exclusion=Play.Exclusion.REMOVED)
