"""The batch writer of the log: one thread that appends all moves of this process.

It writes pending moves in one statement and one transaction, together with the summaries that they
change. It answers after the commit, so that only durable moves are published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games.jobs.backend import Job, enqueue_first
from games.log import store, summaries
from games.log.batches import Batcher
from games.log.endings import follow_up
from games.log.store import Entry
from games.log.summaries import Effects
from games.models import statements


@dataclass(frozen=True, slots=True)
class Append:
    """An entry to write, with the changes of the summaries and the job that it causes.

    With ``seat_in_doubt`` it is written only if its seat has not been given to a computer.
    """

    entry: Entry
    effects: Effects | None = None
    job: Job[[int], None] | None = None
    seat_in_doubt: bool = False


class Writer(Batcher[Append, bool]):
    """A batcher that appends to the log; the answer says whether the entry was written.

    False means that another process has written this sequence first; then the caller must catch up
    and apply the move again.
    """

    def __init__(self) -> None:
        super().__init__("writer")

    async def append(
        self,
        entry: Entry,
        effects: Effects | None = None,
        job: Job[[int], None] | None = None,
        *,
        seat_in_doubt: bool = False,
    ) -> bool:
        """Write one entry durably, and enqueue a job for its match with it.

        Return False if another process was first: with an entry, or, if that was in doubt, by
        giving the seat to a computer.

        Raises:
            django.db.Error: if it could not be stored.
        """
        return await self.submit(Append(entry, effects, job, seat_in_doubt))

    def work(self, batch: Sequence[Append]) -> Sequence[bool]:
        """Write a batch in one transaction.

        Without changes of summaries and jobs the single statement is its own transaction.
        """
        if all(_is_plain(item) for item in batch):
            return _append(batch)
        with transaction.atomic():
            mine = _append(batch)
            if any(item.seat_in_doubt for item in batch):
                mine = _without_lost_seats(batch, mine)
            ours = [item for item, stored in zip(batch, mine, strict=True) if stored]
            changes = [item.effects for item in ours if item.effects]
            with statements.together():
                if changes:
                    summaries.write(changes)
                _enqueue(ours)
        return mine


def _is_plain(item: Append) -> bool:
    """Return whether an entry needs no statement but the one that writes it."""
    return item.effects is None and item.job is None and not item.seat_in_doubt


def _without_lost_seats(batch: Sequence[Append], mine: Sequence[bool]) -> list[bool]:
    """Delete written entries whose seat was in doubt, and is lost; return what remains written.

    A process that gives a seat away, for good or to a substitute, locks the key of the next entry
    until it commits. So the loss either has been committed, and is seen here, or has to wait until
    this batch is committed.
    """
    doubtful = [
        item.entry for item, ours in zip(batch, mine, strict=True) if ours and item.seat_in_doubt
    ]
    lost = store.withdraw_lost(doubtful)
    return [
        ours and (item.entry.match, item.entry.sequence) not in lost
        for item, ours in zip(batch, mine, strict=True)
    ]


def _enqueue(stored: Sequence[Append]) -> None:
    """Store the jobs that these entries cause."""
    jobs = {(item.job, item.entry.match) for item in stored if item.job is not None}
    # In one order, so that two processes never wait for each other.
    for job, match in sorted(jobs, key=lambda pair: (pair[0].name, pair[1])):
        job.enqueue(match)
    ended = [item.effects.match for item in stored if item.effects is not None]
    over = [each.match for each in ended if each is not None]
    if over:
        enqueue_first(follow_up, over)


def _append(batch: Sequence[Append]) -> list[bool]:
    """Write the entries of a batch; return for each whether it was written."""
    won = store.append([item.entry for item in batch])
    return [(item.entry.match, item.entry.sequence) in won for item in batch]
