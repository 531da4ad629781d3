"""The batch reader of the log, which reads many matches in one statement."""

from __future__ import annotations

from collections.abc import Sequence

from games.log import store
from games.log.batches import Batcher
from games.log.store import Entry, Key

AT_ONCE = 100
"""Highest number of matches in one statement."""


class Reader(Batcher[Key, list[Entry]]):
    """A batcher that reads the entries of matches from given sequences on."""

    def __init__(self) -> None:
        super().__init__("reader")

    async def since(self, match: int, sequence: int) -> list[Entry]:
        """Return the entries of ``match`` from ``sequence`` on, in order.

        Raises:
            django.db.Error: if the database cannot be read.
        """
        return await self.submit((match, sequence))

    def work(self, batch: Sequence[Key]) -> Sequence[list[Entry]]:
        """Read a batch; repeated requests for a match share one read from the lowest sequence."""
        earliest: dict[int, int] = {}
        for match, sequence in batch:
            earliest[match] = min(sequence, earliest.get(match, sequence))
        found: dict[int, list[Entry]] = {}
        keys = list(earliest.items())
        for start in range(0, len(keys), AT_ONCE):
            found |= store.load(keys[start : start + AT_ONCE])
        return [
            [entry for entry in found[match] if entry.sequence >= sequence]
            for match, sequence in batch
        ]
