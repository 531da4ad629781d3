"""Matches that continue a position: one player against computers, with the log begun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games.cluster import announce
from games.engine.moves import Move
from games.engine.state import Ruleset
from games.log import prewritten
from games.models import Match, Player, Seat
from games.ops import true_time


def begin(
    *,
    player: Player,
    seat: int,
    machine: Player,
    ruleset: Ruleset,
    moves: Sequence[Move],
    **fields: Any,
) -> Match:
    """Create a running match, with hints, whose log begins with ``moves``.

    Args:
        player: the only person; the caller has locked them.
        seat: their seat.
        machine: the computer player that takes the other seats.
        ruleset: the rules, of one game.
        moves: the beginning of the log.
        fields: further fields of the match.
    """
    now = true_time.now()
    match = Match.objects.create(
        ruleset=ruleset.to_dict(),
        status=Match.Status.PLAYING,
        created_by=player,
        started_at=now,
        hints=True,
        **fields,
    )
    Seat.objects.bulk_create(
        Seat(
            match=match,
            seat=place,
            player=player if place == seat else machine,
            computer=place != seat,
        )
        for place in range(ruleset.players)
    )
    prewritten.write(match=match.pk, ruleset=ruleset, moves=moves, at=now)
    transaction.on_commit(lambda: announce.table(match.pk))
    return match
