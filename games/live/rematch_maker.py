"""The rematch maker: a thread that creates rematches, with a database connection of its own.

Two players who go on to the next match wait for it, and so does the process: a connection from the
pool is tested first, which takes a message of its own, and a thread for all kinds of database work
costs more than this one. No move waits for it, nor a look-up: a rematch waits for the locks of its
players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.log.batches import Batcher
from games.tables import duplicates, rematches
from games.wire.refusals import Refused


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


class RematchMaker(Batcher[Wish, Made | Refused]):
    """A batcher that creates rematches, each in a transaction of its own."""

    def __init__(self) -> None:
        super().__init__("rematches")

    async def make(self, match: int, *, swap: bool) -> Made:
        """Return the rematch of a match; the first call creates it.

        Raises:
            Refused: see `games.tables.rematches.make_rematch`.
            django.db.Error: if it could not be stored.
        """
        answer = await self.submit(Wish(match, swap))
        if isinstance(answer, Refused):
            raise answer
        return answer

    def work(self, batch: Sequence[Wish]) -> Sequence[Made | Refused]:
        """Create the rematches of a batch; one that was created before an error is found again."""
        return [_make(wish) for wish in batch]


def _make(wish: Wish) -> Made | Refused:
    make = duplicates.make_duplicate if wish.swap else rematches.make_rematch
    try:
        following = make(match=_Key(wish.match))  # they read it themselves, locked
    except Refused as refusal:
        return refusal
    return Made(following.public_id, following.pk)
