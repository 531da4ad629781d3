"""Finished matches as rows without a log, for lists that never read one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.engine.state import Ruleset
from games.log import results
from games.models import Match, Player, Seat
from games.people.accounts import create_guest


def ended(
    *players: Player,
    winner: int | None = 0,
    at: datetime | None = None,
    ago: timedelta = timedelta(),
    scores: tuple[int, ...] | None = None,
    seat: dict[str, Any] | None = None,
    **match: Any,
) -> Match:
    """Store a finished match between these players, with its summaries.

    Args:
        players: the players by seat; a single one plays against a new guest.
        winner: the seat that won; None: a draw.
        at: when it ended; by default ``ago`` before now.
        ago: see ``at``.
        scores: by seat; by default 121 for the winner and 100 for the others.
        seat: further fields of the first seat.
        match: further fields of the match.
    """
    who = list(players) if len(players) > 1 else [players[0], create_guest()]
    when = at or timezone.now() - ago
    row = Match.objects.create(
        ruleset=Ruleset(players=len(who)).to_dict(),
        status=Match.Status.FINISHED,
        ended_by=Match.EndedBy.PLAYED,
        started_at=when,
        finished_at=when,
        winner=winner,
        **match,
    )
    points = scores or tuple(121 if n == winner else 100 for n in range(len(who)))
    for n, player in enumerate(who):
        rest = [points[other] for other in range(len(who)) if other != n]
        Seat.objects.create(
            match=row,
            seat=n,
            player=player,
            computer=player.is_computer,
            score=points[n],
            won=None if winner is None else n == winner,
            margin=points[n] - sum(rest) / len(rest),
            skunks=int(n == winner and min(rest) < 91),
            skunked=int(points[n] < 91),
            **(seat or {} if n == 0 else {}),
        )
    results.file_seats(match=row.pk, at=when)
    return row
