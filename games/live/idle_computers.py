"""The jobs that move for computers in correspondence matches that stand still.

Usually the process of a player who is connected does it (`games.live.bot_runner`). But no one is
there when a player who must act deletes their account or is banned, and a computer gets the seat;
or that process may have stopped. The others would hear nothing until they looked at the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q

from games.cluster import announce
from games.correspondence import turns
from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.view import view_for
from games.jobs import queue
from games.jobs.backend import BATCH, job
from games.live import computers
from games.live.bot_runner import needs_server_move, to_move
from games.live.planned_moves import opened
from games.live.table import Table
from games.log import store
from games.models import Match, Seat
from games.ops import true_time
from games.wire.refusals import Refused

AFTER_FAILURE = timedelta(days=1)
"""Time after which a match that failed is tried again: until then its log may be repaired."""

IDLE_FOR = timedelta(minutes=2)
"""Time since the decision was requested in which a connected process may still be at work."""


@job(queue=BATCH)
def move_idle_computers() -> None:
    """Find the correspondence matches that have waited for a computer; every 5 minutes.

    One whose job was given up, perhaps since its log cannot be read, is left alone for a while. It
    stands among the failed jobs meanwhile.
    """
    seats = Seat.objects.filter(Q(computer=True) | Q(stand_in__isnull=False), match=OuterRef("pk"))
    rows = Match.objects.filter(Exists(seats), status=Match.Status.PLAYING, days__isnull=False)
    for match in _idle(list(rows)):
        if not queue.is_open(move_computers, match, failed_within=AFTER_FAILURE):
            move_computers.enqueue(match)


@job(queue=BATCH, backoff=timedelta(minutes=5))
def move_computers(match: int) -> None:
    """Make the moves of the computers of a match (by primary key) until a person must act.

    Each match has a job, so that one that fails does not keep the others waiting.
    """
    row = Match.objects.filter(pk=match).first()
    if row is not None:
        asyncio.run(_move(row.public_id))
        announce.table(match)


def _idle(running: Sequence[Match]) -> list[int]:
    """Return those of these running matches, by key, that have waited for no person for a while."""
    keys = [match.pk for match in running]
    awaited, asked = turns.turns(running), store.decision_requests(keys)
    lately = true_time.now() - IDLE_FOR
    return [
        key for key in keys if key not in awaited and (key not in asked or asked[key][1] < lately)
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
    await table.reload_seats()  # the player may have come back meanwhile
    if decision is None or (seat, level) not in to_move(table):
        raise Refused("not_offered")
    await table.play(decision, seat=seat, only_at=table.version)
