"""Agreement of a player's replies with the analysis, examined by a job for a moderator's case."""

from __future__ import annotations

from games.api import BATCH, Player, job, reply_agreement
from ratings.models import Attempt
from ratings.rating.cheat_signals import attempts_of_two
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
    rows = list(attempts_of_two(player=player).values_list("replies", flat=True)[:MAX_EXAMINED])
    known = [row for row in rows if row is not None]
    sums = (sum(values) for values in zip((0.0,) * 4, *known, strict=True))
    return Agreement(*sums), len(rows) - len(known)


def _missing(player: int) -> list[Attempt]:
    rows = attempts_of_two(player=player).select_related("play")[:MAX_EXAMINED]
    return [row for row in rows if row.replies is None]
