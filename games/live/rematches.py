"""Rematches: whether all people at a table wish for the same one, and the match that follows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError

from games.live.attendance import seats_of_people
from games.live.changes import (
    ChatRead,
    RematchHeldUp,
    RematchMade,
    RematchWanted,
    SeatsChanged,
)
from games.live.presence import Presence
from games.live.rematch_maker import Made, RematchMaker
from games.live.table import Table
from games.tables.rematches import store_wish
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)

LATER = (5.0, 10.0, 20.0, 40.0, 60.0)
"""Seconds before each further attempt at a rematch of which a player stays locked.

Deleting an account with many matches may take a minute.
"""


class Parts(Protocol):
    """The parts of a process that a rematch needs."""

    @property
    def rematches(self) -> RematchMaker:
        """The maker of rematches."""

    @property
    def presence(self) -> Presence:
        """The players who are connected."""


async def note_wish(
    table: Table, maker: RematchMaker, *, seat: int, swap: bool, online: Collection[int]
) -> None:
    """Note that a seat wishes for a rematch; create it once all remaining people agree.

    If two processes receive wishes at the same moment, each has all of them only once it hears of
    the other's. Both then ask for the match, which is created once.

    Where a player stays locked, the wish is kept: see `keep_trying`.

    Raises:
        Refused: ``not_offered`` if the match cannot be repeated.
    """
    table.rematch[seat] = swap
    if await _start_now_or_later(table, maker, online=online):
        return
    try:
        if table.meta.days is not None:  # others may come when nobody is at the table any more
            await database_sync_to_async(store_wish)(match=table.pk, seat=seat, swap=swap)
    finally:  # who left meanwhile has asked all the same
        table.publish(RematchWanted())


async def start_if_agreed(table: Table, maker: RematchMaker, *, online: Collection[int]) -> bool:
    """Create the rematch if all remaining people wish for the same one; return whether they do.

    Raises:
        Refused: ``not_offered`` if the match cannot be repeated; ``unavailable`` if another request
            holds a player's lock for long.
    """
    counting = table.wishes(online)
    wishes = {counting.get(seat) for seat in seats_of_people(table.meta)}
    if table.meta.rematch or len(wishes) != 1 or None in wishes:
        return False
    swap = True in wishes
    making = asyncio.create_task(maker.make(table.pk, swap=swap))
    try:
        await _until_done(making)
    finally:  # the task may have been cancelled, but the others are told of the match
        made = making.result() if making.done() and making.exception() is None else None
        if isinstance(made, Made):
            _tell(table, made, swap=swap)
    if isinstance(answer := making.result(), Refused):
        raise answer
    return True


async def _until_done(making: asyncio.Task[Any]) -> None:
    """Wait for a task to end, also if this one is cancelled; only then end this one."""
    cancelled: asyncio.CancelledError | None = None
    while not making.done():
        try:
            await asyncio.wait([making])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


async def _start_now_or_later(
    table: Table, maker: RematchMaker, *, online: Collection[int]
) -> bool:
    """Create the rematch like `start_if_agreed`, or publish `RematchHeldUp` and return False.

    Raises:
        Refused: ``not_offered`` if the match cannot be repeated.
    """
    try:
        return await start_if_agreed(table, maker, online=online)
    except Refused as refusal:
        if refusal.code != "unavailable":
            raise
        table.publish(RematchHeldUp())
        return False


async def keep_trying(table: Table, parts: Parts) -> None:
    """Create a rematch of which a player stays locked, as soon as they no longer are.

    Everyone at the table sees meanwhile that all have agreed. After the last attempt the wishes are
    dropped, so that each can ask again; by correspondence they stay, and the next player to come
    or to ask has it tried again.
    """
    maker = parts.rematches
    if table.pk in maker.held_up:
        return
    maker.held_up.add(table.pk)
    _mark_stalled(table, stalled=False)
    try:
        for pause in LATER:
            await asyncio.sleep(pause)
            try:
                await start_if_agreed(table, maker, online=parts.presence.online(table)[0])
            except Refused as refusal:
                if refusal.code != "unavailable":
                    break
            else:
                return  # it was made, or not everyone is there any more
    except DatabaseError:
        logger.exception("match %s: no rematch", table.meta.public_id)
    finally:
        maker.held_up.discard(table.pk)
    logger.info("match %s: no rematch is possible", table.meta.public_id)
    if table.meta.days is not None:
        _mark_stalled(table, stalled=True)
        return
    table.rematch.clear()
    table.publish(RematchWanted())


def _mark_stalled(table: Table, *, stalled: bool) -> None:
    if table.rematch_stalled != stalled:
        table.rematch_stalled = stalled
        table.publish(RematchWanted())


def _tell(table: Table, made: Made, *, swap: bool) -> None:
    """Tell everyone at a table, and the other processes, of its rematch."""
    table.note_rematch(made.public_id, made.pk)
    watchable = table.meta.watchable and not swap
    if table.set_meta(replace(table.meta, rematch=made.public_id, rematch_watchable=watchable)):
        table.publish(SeatsChanged())
    table.publish(RematchMade())


async def hear_wish(table: Table, parts: Parts, *, seat: int, swap: bool) -> None:
    """Note a wish that another process announced."""
    online, _ = parts.presence.online(table)
    try:
        await note_wish(table, parts.rematches, seat=seat, swap=swap, online=online)
    except Refused:
        logger.info("match %s: no rematch is possible", table.meta.public_id)
    except DatabaseError:
        logger.exception("match %s: no rematch", table.meta.public_id)


def withdraw(table: Table, change: ChatRead) -> None:
    """Drop the wishes of players who have blocked another: that player could not accept them."""
    blockers = {table.meta.seat_of(blocker) for blocker, _other in change.room.blocks}
    for seat in table.rematch.keys() & blockers:
        del table.rematch[seat]
        table.rematch_stalled = False
        table.publish(RematchWanted())


async def look_again(table: Table, maker: RematchMaker, *, online: Collection[int]) -> None:
    """Create the rematch if a player who came back was the last one to be waited for."""
    try:
        await _start_now_or_later(table, maker, online=online)
    except Refused:
        logger.info("match %s: no rematch is possible", table.meta.public_id)
    except DatabaseError:
        logger.exception("match %s: no rematch", table.meta.public_id)
