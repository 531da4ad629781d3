"""The table: a match being played, with everything that belongs to it.

A table owns the state, the seats, the listeners, the current time limit, the chat and the requests
for a rematch. It takes moves and publishes what changed; nothing else notifies sockets, computers,
clocks or other processes about a match.

The engine judges a move under the table's lock. Between processes the unique key (match, sequence)
decides: if another process was first, the move is judged again on the state after its entry.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from django.db import Error as DatabaseError

from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.moves import Deal, Move, parse_move, to_text
from games.jobs.backend import Job
from games.live import dealing
from games.live.changes import (
    Change,
    ChangeStream,
    Joined,
    Left,
    Listener,
    Moved,
    SeatsChanged,
)
from games.live.dealing import Judged
from games.live.match_state import MatchState
from games.log import match_meta, summaries
from games.log.lookups import Lookups
from games.log.reader import Reader
from games.log.store import Entry
from games.log.writer import Writer
from games.models import Match
from games.ops import metrics, true_time
from games.wire.refusals import Refused

if TYPE_CHECKING:
    from games.correspondence.turns import Turn
    from games.live.turn_clock import Deadline
    from games.log.match_meta import MatchMeta
    from games.people.chat import Room

logger = logging.getLogger(__name__)

MADE = 1000
"""The number of rematches made in a process that it remembers until their players come."""

ATTEMPTS = 25
"""The number of tries to store a move if other processes keep being first; more is a bug."""

_WAIT, _JUDGE, _STORE, _TELL, _WHOLE = (
    metrics.STAGES[stage] for stage in ("wait", "judge", "store", "tell", "whole")
)


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services that all tables of a process share.

    Attributes:
        writer, reader: access to the log of moves.
        lookups: reads of everything else.
        stream: where changes are published.
        open: the tables with at least one listener, by primary key.
        made: the primary keys of rematches made in this process, by public id; the last ones.
    """

    writer: Writer
    reader: Reader
    lookups: Lookups
    stream: ChangeStream
    open: dict[int, Table]
    made: dict[str, int] = field(default_factory=dict)


class Table(MatchState):
    """A match in the memory of this process.

    Attributes:
        lock: held while a move is judged and stored, so that a process does not race itself.
        listeners: the sockets of this process at the table.
        away: seat -> when this process first noticed its player's absence, in monotonic seconds.
        idle: seat that has to act -> the version after its last move, and since when this process
            has known that it has to act, in monotonic seconds.
        rematch: seat that wants a rematch -> whether with the seats swapped.
        rematch_stalled: whether the last attempt at the rematch that all want has failed.
        returning: seats whose players are taking them back from a computer, about to join.
        deadline: the time limit of the current decision in a ranked match.
        turn: the time limit of the current decision in a correspondence match.
        room: the chat as last read, while it is fresh.
    """

    __slots__ = (
        "__weakref__",
        "_services",
        "away",
        "deadline",
        "idle",
        "listeners",
        "lock",
        "rematch",
        "rematch_stalled",
        "returning",
        "room",
        "turn",
    )

    def __init__(self, meta: MatchMeta, services: TableServices) -> None:
        super().__init__(meta)
        self._services = services
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.away: dict[int, float] = {}
        self.idle: dict[int, tuple[int, float]] = {}
        self.rematch: dict[int, bool] = {}
        self.rematch_stalled = False
        self.returning: set[int] = set()
        self.deadline: Deadline | None = None
        self.turn: Turn | None = None
        self.room: Room | None = None

    # Changes.

    def publish(self, change: Change) -> None:
        """Pass a change to the listeners of this process, then to the subscribers of the stream."""
        for listener in tuple(self.listeners):
            try:
                listener.notify(self, change)
            except Exception:
                logger.exception("a listener of match %s failed", self.meta.public_id)
        self._services.stream.publish(self, change)

    def join(self, listener: Listener) -> None:
        """Add a listener."""
        first = not self.listeners
        self.listeners.add(listener)
        self._services.open[self.pk] = self
        self.publish(Joined(listener, first))

    def leave(self, listener: Listener) -> None:
        """Remove a listener; idempotent."""
        if listener not in self.listeners:
            return
        self.listeners.discard(listener)
        last = not self.listeners
        if last:
            self._services.open.pop(self.pk, None)
            self.frames.clear()
        self.publish(Left(listener, last))
        if last:
            self.away.clear()
            self.idle.clear()
            self.rematch.clear()

    def note_rematch(self, public_id: str, pk: int) -> None:
        """Note the keys of the rematch that was made here: its players come soon."""
        made = self._services.made
        made[public_id] = pk
        if len(made) > MADE:
            del made[next(iter(made))]

    def wishes(self, online: Collection[int]) -> dict[int, bool]:
        """Return the wishes for a rematch that count, given the seats with a socket.

        The wish of a player who has left the table counts again once they are back: nobody is to
        lose a match of which they do not know. By correspondence they have days to see it, and the
        wish is stored.
        """
        if self.meta.days is None:
            return {seat: swap for seat, swap in self.rematch.items() if seat in online}
        stored = {each.seat: each.wish for each in self.meta.seats if each.wish is not None}
        return {**stored, **self.rematch}

    # Reading.

    async def catch_up(self) -> bool:
        """Read new entries of the log; return whether there were any.

        The seats are read as well before cards that a player may no longer see, since this process
        may not have heard that a seat has changed hands.
        """
        before = self.version
        entries = await self._services.reader.since(self.pk, before)
        if self._tells_of_seats(entries):
            await self.reload_seats()
        for entry in entries:
            self.apply_entry(entry)
        return self.version > before

    def _tells_of_seats(self, entries: Sequence[Entry]) -> bool:
        """Return whether the seats may have changed before these entries of the log.

        They have changed if the match has begun. In a ranked match they may have if cards were
        dealt, or if a computer moved for a person: a substitute's moves have no client's id.
        """
        if not entries:
            return False
        if self.meta.status == Match.Status.WAITING:
            return True
        return self.meta.ranked and any(
            isinstance(parse_move(entry.text), Deal)
            if entry.seat is None
            else not entry.client_id and not self.meta.seats[entry.seat].level
            for entry in entries
        )

    async def follow_log(self) -> None:
        """Read what other processes wrote, and publish it.

        Raises:
            django.db.Error: if the log could not be read.
        """
        if await self.catch_up():
            self.publish(Moved(own=False))

    async def update(self) -> None:
        """Read what other processes wrote, since someone is joining, and tell the listeners.

        The announcement of it comes later, when this process has already read the log: nobody would
        be told then.

        Raises:
            django.db.Error: if the log could not be read.
        """
        if await self.catch_up() and self.listeners:
            self.publish(Moved(own=False))

    async def reload_seats(self, *, always: bool = False) -> None:
        """Read seats and status again, and publish them if they changed, or ``always``.

        Raises:
            django.db.Error: if they could not be read.
        """
        meta = await self._services.lookups.get(match_meta.load_by_pk, self.pk)
        changed = meta is not None and self.set_meta(meta)
        if changed or always:
            self.publish(SeatsChanged())

    # Moves.

    async def play(
        self,
        move: Move,
        *,
        seat: int,
        client_id: str = "",
        only_at: int | None = None,
        seat_in_doubt: bool = False,
    ) -> int:
        """Store a player's move and the deals that follow it; return the version after the move.

        A move that this seat has already sent under the same client id gets the same answer again.
        With ``only_at``, the move is refused at any other version; with ``seat_in_doubt``, if the
        seat has been given to a computer, even at the same moment.

        Raises:
            IllegalMove: if the rules do not allow it on the newest state.
            Refused: ``not_started``, ``not_seated``, ``id_used``, ``not_offered``; ``unavailable``
                if it could not be stored.
        """
        begun = perf_counter()
        try:
            async with self.lock:
                _WAIT.observe(perf_counter() - begun)
                version = await self._play(move, seat, client_id, only_at, seat_in_doubt)
        except (IllegalMove, Refused) as refusal:
            metrics.MOVES[refusal.code] += 1
            raise
        metrics.MOVES["stored"] += 1
        _WHOLE.observe(perf_counter() - begun)
        return version

    async def deal(self) -> None:
        """Store the deals, cuts and starters that the match is waiting for.

        Raises:
            django.db.Error: if they could not be stored.
        """
        async with self.lock:
            before = self.version
            try:
                await self._deal()
            finally:
                self._publish_moves(before)

    async def _play(
        self, move: Move, seat: int | None, client_id: str, only_at: int | None, in_doubt: bool
    ) -> int:
        # After a restart, the log of a match that is over may be unread yet.
        if not self.meta.playing and self.version == 0 and not await self.catch_up():
            raise Refused("not_started")
        before = self.version
        try:
            version = await self._append(move, seat, client_id, only_at, in_doubt)
            try:
                await self._deal()  # after a move in doubt; others were stored with theirs
            except Exception:  # the move is stored; the bot runner retries the deal
                logger.exception("match %s: the deal could not be stored", self.meta.public_id)
        except DatabaseError as error:
            raise Refused("unavailable", str(error)) from error
        finally:
            self._publish_moves(before)
        return version

    async def _deal(self) -> None:
        for _ in range(ATTEMPTS):
            drawn = dealing.drawn(self.state, self.meta.packs) if self.meta.playing else []
            if not drawn or await self._store(drawn):
                return
            await self.catch_up()  # another process has dealt
        raise Refused("unavailable", f"lost to other processes {ATTEMPTS} times")

    async def _append(
        self, move: Move, seat: int | None, client_id: str, only_at: int | None, in_doubt: bool
    ) -> int:
        text = to_text(move)
        for _ in range(ATTEMPTS):
            known = self.resent_version(seat, client_id, text)
            if known is not None:
                return known
            if seat is not None and client_id and self.meta.seats[seat].stand_in:
                # It may have been lost since the move was sent. After the computer's moves the
                # rules may allow it again.
                raise Refused("not_seated", "a computer is playing for this seat")
            before = self.state
            if only_at not in (None, before.sequence):
                raise Refused("not_offered")
            begun = perf_counter()
            try:
                step = rules.apply(before, move)
            except IllegalMove:
                _JUDGE.observe(perf_counter() - begun)
                if await self.catch_up():
                    continue
                raise
            _JUDGE.observe(perf_counter() - begun)
            moves = [Judged(text, before, step)]
            if not in_doubt:  # such a move may be withdrawn alone
                moves += dealing.drawn(step.state, self.meta.packs)
            if await self._store(moves, seat, client_id, in_doubt):
                return step.state.sequence
            await self.catch_up()
            if in_doubt:
                await self.reload_seats()
        raise Refused("unavailable", f"lost to other processes {ATTEMPTS} times")

    async def _store(
        self, moves: Sequence[Judged], seat: int | None = None, ident: str = "", doubt: bool = False
    ) -> bool:
        """Store and apply a move of ``seat`` and the deals after it; False if others were first."""
        now = true_time.now()
        caused = (summaries.effects(self.pk, at, step.state, now) for _, at, step in moves)
        first, *drawn = moves
        entries = [Entry(self.pk, first.before.sequence, seat, first.text, ident, now)]
        entries += [Entry(self.pk, at.sequence, None, text, "", now) for text, at, _ in drawn]
        begun = perf_counter()
        answer = self._services.writer.append(
            entries[0],
            # A hand that ends is followed by a deal, which ends nothing.
            next((each for each in caused if each is not None), None),
            self._job(),
            seat_in_doubt=doubt,
            followers=entries[1:],
        )
        try:
            await answer
        finally:  # the task may have been cancelled, but what it has stored is told
            _STORE.observe(perf_counter() - begun)
            # There's no answer if the event loop has ended.
            if answer.done() and answer.exception() is None and answer.result():
                for entry, judged in zip(entries, moves, strict=True):
                    self.apply_entry(entry, judged.step)
        return answer.result()

    def _job(self) -> Job[[int], None] | None:
        """Return the job that each move of this match causes, if any."""
        if self.meta.days is None:
            return None
        from games.live.planned_moves import follow_move  # it plays at tables itself

        return follow_move

    def _publish_moves(self, before: int) -> None:
        if self.version > before:
            begun = perf_counter()
            try:
                self.publish(Moved(own=True))
            finally:
                _TELL.observe(perf_counter() - begun)
