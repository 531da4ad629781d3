"""The job that moves for computers in correspondence matches that stand still.

Usually the process of a player who is connected does it (`games.live.bot_runner`). But no one is
there when a player who must act deletes their account or is banned, and a computer gets the seat;
or that process may have stopped. The others would hear nothing until they looked at the table.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from games.cluster import announce
from games.correspondence import turns
from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.view import view_for
from games.jobs.backend import BATCH, job
from games.live import computers
from games.live.bot_runner import needs_server_move, to_move
from games.live.planned_moves import opened
from games.live.table import Table
from games.log import store
from games.models import Match
from games.wire.refusals import Refused

IDLE_FOR = timedelta(minutes=2)
"""Time after the last move in which a connected process may still be at work."""


@job(queue=BATCH)
def move_idle_computers() -> None:
    """Make the moves of computers that correspondence matches have waited for; every 5 minutes."""
    for match in _idle():
        asyncio.run(_move(match.public_id))
        announce.table(match.pk)


def _idle() -> list[Match]:
    """Return the correspondence matches with a computer that have waited for no person lately."""
    seats = Q(seats__computer=True) | Q(seats__stand_in__isnull=False)
    rows = Match.objects.filter(seats, status=Match.Status.PLAYING, days__isnull=False)
    running = list(rows.distinct())
    awaited, asked = turns.turns(running), store.decision_requests([row.pk for row in running])
    lately = timezone.now() - IDLE_FOR
    return [
        row
        for row in running
        if row.pk not in awaited and (row.pk not in asked or asked[row.pk][1] < lately)
    ]


async def _move(public_id: str) -> None:
    """Deal and move until a person must act, or another process does it.

    Each move is stored with the job that notifies whoever is next.
    """
    async with opened(public_id) as table:
        try:
            while table is not None and needs_server_move(table):
                await _act(table)
        except (IllegalMove, Refused):
            return  # the match went on meanwhile; the next run looks at it again


async def _act(table: Table) -> None:
    """Deal, or make the move of the first computer that has to decide."""
    if rules.chance(table.state) is not None:
        await table.deal()
        return
    seat, level = to_move(table)[0]
    decision = await asyncio.to_thread(computers.decide, level, view_for(table.state, seat))
    if decision is None:
        raise Refused("not_offered")
    await table.play(decision, seat=seat, only_at=table.version)
