"""The Writer: every move of this process goes to the log through one thread.

It writes all that is pending in one statement and one transaction, together with the summaries
that those moves changed; an answer is given after the commit, so that what is told is durable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games import store, summaries
from games.batches import Batcher
from games.store import Entry
from games.summaries import Effects


@dataclass(frozen=True, slots=True)
class Append:
    """An entry to write, and what else changes if it is written."""

    entry: Entry
    effects: Effects | None = None


class Writer(Batcher[Append, bool]):
    """Appends to the log; the answer says whether the entry is ours.

    False: another process was first with this sequence. Then nothing of it was written, and the
    caller has to catch up and judge again.
    """

    def __init__(self) -> None:
        super().__init__("writer")

    async def append(self, entry: Entry, effects: Effects | None = None) -> bool:
        """Write one entry durably; return whether it is ours.

        Raises:
            django.db.Error: when it could not be stored.
        """
        return await self.submit(Append(entry, effects))

    def work(self, batch: Sequence[Append]) -> Sequence[bool]:
        """Write a batch in one transaction.

        Where no summary changes the one statement is a transaction by itself.
        """
        if all(item.effects is None for item in batch):
            return _append(batch)
        with transaction.atomic():
            mine = _append(batch)
            changes = [
                item.effects
                for item, ours in zip(batch, mine, strict=True)
                if ours and item.effects
            ]
            if changes:
                summaries.write(changes)
        return mine


def _append(batch: Sequence[Append]) -> list[bool]:
    """Write the entries of a batch; return for each whether it is ours."""
    won = store.append([item.entry for item in batch])
    return [(item.entry.match, item.entry.sequence) in won for item in batch]
