"""Thinking times of a player: how long their plays took in finished matches."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from games.models import Match, Move, Seat


def thinking_times(*, matches: Collection[int], player: int) -> list[float]:
    """Return the seconds before each play of a player in these matches (all by primary key).

    A play right after another of their own is left out, as are those of a substitute.
    """
    own = Seat.objects.filter(
        match__in=matches,
        match__status=Match.Status.FINISHED,
        player=player,
        substituted=False,
        left_at__isnull=True,
    )
    seats = dict(own.values_list("match_id", "seat"))
    rows = Move.objects.filter(match__in=seats).order_by("match", "sequence")
    moves = rows.values_list("match_id", "seat", "text", "at")
    return [
        (at - before[3]).total_seconds()
        for before, (match, seat, text, at) in pairwise(moves)
        if before[0] == match
        and seat == seats[match]
        and before[1] != seat
        and text.startswith(f"{seat} play")
    ]
