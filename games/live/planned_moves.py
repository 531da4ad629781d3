"""The job that follows each move of a correspondence match: planned and forced plays, then notices.

A worker runs it, so plans are carried out even if no one is connected. It is stored with the move,
and repeated if the worker is killed. The play takes the path of any move (`Table.play`), which
enqueues this job again. No argument, log line or announcement carries a card.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from django.db import transaction

from games.cluster import announce
from games.correspondence import notify, planned_plays
from games.correspondence.planned_plays import NextPlay
from games.engine.illegal import IllegalMove
from games.jobs.backend import PROMPT, job
from games.live.changes import ChangeStream
from games.live.match_cache import MatchCache
from games.live.table import Table
from games.log.lookups import Lookups
from games.log.reader import Reader
from games.log.writer import Writer
from games.models import Match, Player
from games.models.moves import PLANNED
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)


@job(queue=PROMPT)
def follow_move(match: int) -> None:
    """Make the planned or forced play of a match (by primary key), or notify whom it concerns."""
    row = Match.objects.filter(pk=match).first()
    if row is None:
        return
    found = planned_plays.next_play(row)
    # A process that is killed after a move has not dealt, and nobody may be there to deal.
    acted = planned_plays.awaits_deal(row) and asyncio.run(_deal(row.public_id))
    if acted or (found is not None and asyncio.run(_play(row.public_id, found))):
        announce.table(row.pk)
        row.refresh_from_db()
    notify.your_turn(row)
    notify.match_ended(row)


def plan(*, match: Match, player: Player, version: int, answers: Mapping[str, str]) -> None:
    """Store or withdraw a player's plan: see `planned_plays.plan`.

    Raises:
        Refused: ``not_offered`` or ``bad_plan``.
    """
    with transaction.atomic():
        planned_plays.plan(match=match, player=player, version=version, answers=answers)
        # The opponent may be moving now, and the job of that move may find no plan yet.
        follow_move.enqueue(match.pk)


async def _play(public_id: str, found: NextPlay) -> bool:
    """Make a play at its version; return whether it is stored now."""
    async with opened(public_id) as table:
        if table is None or table.meta.seats[found.move.seat].level:
            return False
        try:
            await table.play(
                found.move,
                seat=found.move.seat,
                client_id=f"{PLANNED}{found.version}",
                only_at=found.version,
            )
        except IllegalMove:
            return False  # the match went on meanwhile, and its next job looks again
        except Refused as refusal:
            if refusal.code == "unavailable":
                raise
            return False
    return True


async def _deal(public_id: str) -> bool:
    """Store the deal that a match is waiting for; return whether there is such a match."""
    async with opened(public_id) as table:
        if table is None:
            return False
        await table.deal()
    return True


@asynccontextmanager
async def opened(public_id: str) -> AsyncIterator[Table | None]:
    """Open a table in this worker; None if there is no such match."""
    writer, reader, lookups = Writer(), Reader(), Lookups()
    try:
        yield await MatchCache(writer, reader, lookups, ChangeStream()).get(public_id)
    finally:
        for batcher in (writer, reader, lookups):
            await asyncio.to_thread(batcher.close)
