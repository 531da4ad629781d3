"""Agreement of a player's replies with the analysis, examined by a job for a moderator's case."""

from __future__ import annotations

from django.db.models import QuerySet

from games.api import BATCH, Player, job, reply_agreement
from ratings.models import Attempt
from ratings.rating.seat_signals import Agreement

MAX_EXAMINED = 40
"""Number of a player's newest games of two that are examined, each in about 50 ms."""


def examine(*, player: Player) -> None:
    """Enqueue the examination of a player's newest games, if some are missing."""
    if _missing(player.pk):
        examine_later.enqueue(player.pk)


@job(queue=BATCH)
def examine_later(player: int) -> None:
    """Examine the newest games of a player, by primary key."""
    for attempt in _missing(player):
        found = reply_agreement(match=attempt.play.match_id or 0, player=player)
        Attempt.objects.filter(pk=attempt.pk).update(replies=found)


def agreement_of(*, player: Player) -> tuple[Agreement, int]:
    """Return the sum of a player's newest games, and how many of them are not examined yet."""
    rows = list(_newest(player.pk).values_list("replies", flat=True)[:MAX_EXAMINED])
    known = [row for row in rows if row is not None]
    sums = (sum(values) for values in zip((0.0,) * 4, *known, strict=True))
    return Agreement(*sums), len(rows) - len(known)


def _missing(player: int) -> list[Attempt]:
    rows = _newest(player).select_related("play")[:MAX_EXAMINED]
    return [row for row in rows if row.replies is None]


def _newest(player: int) -> QuerySet[Attempt]:
    """Return a player's first attempts at games of two, newest first."""
    return Attempt.objects.filter(
        player=player,
        first=True,
        computer=False,
        standard_game__seats=2,
        play__finished_at__isnull=False,
        play__match__isnull=False,
    ).order_by("-pk")
