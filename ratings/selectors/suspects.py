"""What stands out for a moderator: who is luckier with his own starters than his cards allow."""

from __future__ import annotations

from games.api import Player
from ratings.luck import z_score
from ratings.models import Attempt, Play

LATEST = 60
"""Attempts of a player that are looked at."""


def starter_z(*, player: Player) -> float:
    """Return the z-score of a player's own starter luck, centred on the others of each seat.

    Above 4 nobody gets there honestly; knowing the starters does within ten games. Two queries.
    """
    own = list(
        Attempt.objects.filter(
            player=player, first=True, computer=False, play__finished_at__isnull=False
        ).order_by("-pk")[:LATEST]
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
