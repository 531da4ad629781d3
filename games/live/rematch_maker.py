"""The rematch maker: a thread that creates rematches, with a database connection of its own.

Two players who go on to the next match wait for it, and so does the process: a connection from the
pool is tested first, which takes a message of its own, and a thread for all kinds of database work
costs more than this one. No move waits for it, nor a look-up: a rematch waits for the locks of its
players.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from django.db import OperationalError

from games.log.batches import Batcher
from games.people.player_lock import lock_was_held
from games.tables import duplicates, rematches
from games.wire.refusals import Refused

PAUSES = (0.0, 0.3, 0.6, 1.2, 2.4)
"""Seconds before each attempt to make a rematch of which a player is locked.

Meanwhile the asker's socket answers nothing else; a browser waits 9 seconds before it reconnects.
Later attempts are `games.live.rematches.keep_trying`.
"""


class Wish(NamedTuple):
    """A match (by primary key) to repeat, and whether with the seats swapped."""

    match: int
    swap: bool


class Made(NamedTuple):
    """A rematch, by public id and primary key."""

    public_id: str
    pk: int


class _Key(NamedTuple):
    """A match of which only the primary key is known."""

    pk: int


class RematchMaker(Batcher[Wish, Made | Refused | None]):
    """A batcher that creates rematches, each in a transaction of its own.

    The answer is None if another transaction held a player's lock: no wish waits long for another.

    Attributes:
        held_up: the matches (primary keys) whose rematch is being tried again.
    """

    def __init__(self) -> None:
        super().__init__("rematches")
        self.held_up: set[int] = set()

    async def make(self, match: int, *, swap: bool) -> Made | Refused:
        """Return the rematch of a match, or why there is none; the first call creates it.

        See `games.tables.rematches.make_rematch`; ``unavailable`` if a player was locked each time.

        Raises:
            django.db.Error: if it could not be stored.
        """
        for pause in PAUSES:
            await asyncio.sleep(pause)
            answer = await self.submit(Wish(match, swap))
            if answer is not None:
                return answer
        return Refused("unavailable", "a player's other request takes long")

    def work(self, batch: Sequence[Wish]) -> Sequence[Made | Refused | None]:
        """Create the rematches of a batch; one that was created before an error is found again."""
        return [_make(wish) for wish in batch]


def _make(wish: Wish) -> Made | Refused | None:
    make = duplicates.make_duplicate if wish.swap else rematches.make_rematch
    try:
        following = make(match=_Key(wish.match))  # they read it themselves, locked
    except Refused as refusal:
        return refusal
    except OperationalError as error:
        if not lock_was_held(error):
            raise
        return None
    return Made(following.public_id, following.pk)
