"""The batch writer of the log: one thread that appends all moves of this process.

It writes pending moves in one statement and one transaction, together with the deals that follow
them and the summaries that they change. It answers after the commit, so that only durable moves are
published.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from games.jobs.backend import Job, enqueue_first
from games.log import results, store, summaries
from games.log.batches import Batcher
from games.log.endings import follow_up
from games.log.store import Entry, Key
from games.log.summaries import Effects
from games.models import statements


@dataclass(frozen=True, slots=True)
class Append:
    """An entry to write, with the changes of the summaries and the job that it causes.

    ``followers`` are the entries of chance after it, which are written if it is. The changes are
    those of all of them: only one of them can end a hand. With ``seat_in_doubt`` it is written only
    if its seat has not been given to a computer.
    """

    entry: Entry
    effects: Effects | None = None
    job: Job[[int], None] | None = None
    seat_in_doubt: bool = False
    followers: tuple[Entry, ...] = ()


class Writer(Batcher[Append, bool]):
    """A batcher that appends to the log; the answer says whether the entry was written.

    False means that another process has written this sequence first; then the caller must catch up
    and apply the move again.
    """

    waits_to_the_end = True

    def __init__(self) -> None:
        super().__init__("writer")

    def append(
        self,
        entry: Entry,
        effects: Effects | None = None,
        job: Job[[int], None] | None = None,
        *,
        seat_in_doubt: bool = False,
        followers: Sequence[Entry] = (),
    ) -> asyncio.Future[bool]:
        """Write one entry and its followers durably, and enqueue a job for its match with them.

        The answer is False, with nothing written, if another process was first: with an entry, or,
        if that was in doubt, by giving the seat to a computer. It is a `django.db.Error` if the
        entry could not be stored.
        """
        return self.submit(Append(entry, effects, job, seat_in_doubt, tuple(followers)))

    def work(self, batch: Sequence[Append]) -> Sequence[bool]:
        """Write a batch in one transaction.

        Entries that cause nothing are written by a single statement, which is its own transaction;
        with PostgreSQL also those that cause other entries or end a hand.
        """
        if all(_is_plain(item) for item in batch):
            return _answers(batch, store.append([item.entry for item in batch]))
        if connection.vendor == "postgresql" and _is_simple(batch):
            return _write_at_once(batch)
        with transaction.atomic():
            mine = _answers(batch, store.append([item.entry for item in batch]))
            if any(item.seat_in_doubt for item in batch):
                mine = _without_lost_seats(batch, mine)
            ours = [item for item, stored in zip(batch, mine, strict=True) if stored]
            followers = [entry for item in ours for entry in item.followers]
            if followers:
                store.append(followers)
            changes = [item.effects for item in ours if item.effects]
            with statements.together():
                if changes:
                    summaries.write(changes)
                _enqueue(ours)
        return mine


def _is_plain(item: Append) -> bool:
    """Return whether an entry needs no statement but the one that writes it."""
    causes = item.effects is not None or item.job is not None or bool(item.followers)
    return not causes and not item.seat_in_doubt


def _is_simple(batch: Sequence[Append]) -> bool:
    """Return whether what a batch causes can be written by the statement that writes its entries.

    It tells by the match alone whether an entry was written.
    """
    one_each = len({item.entry.match for item in batch}) == len(batch)
    return one_each and not any(item.job is not None or item.seat_in_doubt for item in batch)


def _write_at_once(batch: Sequence[Append]) -> list[bool]:
    """Write a batch of which all `_is_simple`, with PostgreSQL.

    The results of matches that end depend on their seats, which are read with the entries, and take
    a second message.
    """
    hands = [item.effects.hand for item in batch if item.effects and item.effects.hand]
    ending = [item.effects.match for item in batch if item.effects and item.effects.match]
    writing = store.appending(
        [item.entry for item in batch],
        [entry for item in batch for entry in item.followers],
        summaries.parts(hands),
    )
    if not ending:
        (won,) = statements.ask([writing])
        return _answers(batch, won)
    with transaction.atomic(), statements.together():
        reading, convert = results.asking_seats([each.match for each in ending])
        won, seats = statements.ask([writing, reading])
        mine = _answers(batch, won)
        ours = [item for item, is_mine in zip(batch, mine, strict=True) if is_mine]
        stored = {item.entry.match for item in ours}
        ended = [each for each in ending if each.match in stored]
        if ended:
            results.write(ended, [row for row in convert(seats) if row[results.MATCH] in stored])
        _enqueue(ours)
    return mine


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


def _answers(batch: Sequence[Append], won: Collection[Key]) -> list[bool]:
    """Return for each entry of a batch whether it is among those that were written.

    Of two with the same key the first one was: if the task that sent it was cancelled, its table
    has not waited for it.
    """
    left = set(won)
    answers = []
    for item in batch:
        key = (item.entry.match, item.entry.sequence)
        answers.append(key in left)
        left.discard(key)
    return answers
