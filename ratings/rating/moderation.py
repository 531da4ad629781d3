"""Moderation of ratings: removal of a cheater's results."""

from __future__ import annotations

from django.db.models import F, Max, Q

from games.api import ModerationEntry
from ratings.models import Play


def remove_results(*, player: int) -> int:
    """Exclude all of a player's plays from ratings; return how many were excluded.

    The player is given by primary key. Win-loss records do not change. Ratings follow at the next
    full refit.
    """
    return Play.objects.filter(
        attempts__player=player, exclusion=Play.Exclusion.NONE, finished_at__isnull=False
    ).update(exclusion=Play.Exclusion.REMOVED)


def restore_results(*, player: int) -> int:
    """Let a player's removed plays count again after an appeal; return how many.

    Those stay removed in which another player's results were removed too.
    """
    action = ModerationEntry.Action
    others = (
        ModerationEntry.objects.filter(action__in=[action.REMOVE, action.RESTORE])
        .exclude(player=player)
        .exclude(player=None)
        .values("player")
        .annotate(
            removed=Max("pk", filter=Q(action=action.REMOVE)),
            restored=Max("pk", filter=Q(action=action.RESTORE)),
        )
        .filter(Q(restored=None) | Q(removed__gt=F("restored")), removed__isnull=False)
    )
    rows = Play.objects.filter(attempts__player=player, exclusion=Play.Exclusion.REMOVED).exclude(
        attempts__player__in=others.values("player")
    )
    return Play.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(
        exclusion=Play.Exclusion.NONE
    )
