"""Cheat signals for moderators: implausible luck with the starters of a player's own hands."""

from __future__ import annotations

from games.api import Player
from ratings.models import Attempt, Play
from ratings.standard.luck import z_score

MAX_ATTEMPTS = 60
"""Number of a player's newest attempts to examine."""


def starter_z(*, player: Player) -> float:
    """Return the z-score of a player's starter luck relative to the others in each seat.

    A value above 4 is implausible without cheating; a player who knows the starters reaches it
    within ten games. Takes two queries.
    """
    own = list(
        Attempt.objects.filter(
            player=player, first=True, computer=False, play__finished_at__isnull=False
        ).order_by("-pk")[:MAX_ATTEMPTS]
    )
    games = {attempt.standard_game_id: attempt for attempt in own}
    lucks: dict[tuple[int, int], list[float]] = {}
    rows = Attempt.objects.filter(standard_game__in=games, play__finished_at__isnull=False).exclude(
        player=player
    )
    for row in rows.exclude(play__exclusion=Play.Exclusion.PRACTICE):
        if games[row.standard_game_id].seat == row.seat:
            for number, hand in enumerate(row.hands):
                if hand["luck"] is not None:
                    lucks.setdefault((row.standard_game_id, number), []).append(hand["luck"])
    mine: list[float] = []
    others: list[list[float]] = []
    for attempt in own:
        for number, hand in enumerate(attempt.hands):
            if hand["luck"] is not None:
                mine.append(float(hand["luck"]))
                others.append(lucks.get((attempt.standard_game_id, number), []))
    return z_score(mine, others)
