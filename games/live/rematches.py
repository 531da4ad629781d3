"""Rematches: whether all people at a table wish for the same one, and the match that follows."""

from __future__ import annotations

import logging
from dataclasses import replace

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.live.attendance import seats_of_people
from games.live.changes import RematchWanted, SeatsChanged
from games.live.table import Table
from games.models import Match
from games.tables import duplicates, tables
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)


async def note_wish(table: Table, *, seat: int, swap: bool) -> None:
    """Note that a seat wants a rematch; create the match once all remaining people want the same.

    If two processes receive wishes at the same moment, each has all of them only once it hears of
    the other's. Both then ask for the match, which is created once.

    Raises:
        Refused: ``not_offered`` if the match cannot be repeated.
    """
    table.rematch[seat] = swap
    agreed = all(table.rematch.get(other) is swap for other in seats_of_people(table.meta))
    if agreed and not table.meta.rematch:
        # Other processes read the match again when the rematch is announced.
        following = await database_sync_to_async(_make)(table.pk, swap)
        if table.set_meta(replace(table.meta, rematch=following)):
            table.publish(SeatsChanged())
    else:
        table.publish(RematchWanted())


async def hear_wish(table: Table, *, seat: int, swap: bool) -> None:
    """Note a wish that a process announced, unless it is this one and has noted it already."""
    if table.rematch.get(seat) is swap:
        return
    try:
        await note_wish(table, seat=seat, swap=swap)
    except (DatabaseError, Refused):
        logger.exception("match %s: no rematch", table.meta.public_id)


def _make(match: int, swap: bool) -> str:
    make = duplicates.make_duplicate if swap else tables.make_rematch
    return make(match=Match(pk=match)).public_id  # they read it themselves, locked
