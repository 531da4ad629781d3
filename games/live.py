"""Matches in memory: the fold of each log as far as this process knows it.

What is here is a hint. A state is frozen and belongs to a sequence; where the log has gone on
without this process, the next append is refused by its key or a nudge tells, and it catches up.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

from channels.db import database_sync_to_async

from games import headers
from games.engine import rules
from games.engine.events import CutForDeal, Dealt, Event
from games.engine.moves import parse_move
from games.engine.rules import Step
from games.engine.state import State
from games.headers import Header
from games.reader import Reader
from games.refusals import Refused
from games.store import Entry

KEPT_STEPS = 32
"""How many moves back a reconnect gets the events; from further back it gets the whole view."""

KEPT_IDS = 16
"""How many of the last moves of a match are known by their client ids: a resend is never old."""

MAX_MATCHES = 2000
"""Matches kept in memory that nobody listens to."""


class BrokenLog(Exception):
    """A log with a gap; names the match and the sequence."""


class Live:
    """One match as this process knows it.

    Attributes:
        header: who sits where.
        state: the fold of the log so far.
        earlier: the public events of each game of the match that came before the one in `state`.
        lock: held by whoever judges and appends, so that this process does not race itself.
        frames: texts made for listeners at this state, by what went into them; see `Listener`.
    """

    __slots__ = ("_ids", "_steps", "earlier", "frames", "header", "lock", "state")

    def __init__(self, header: Header) -> None:
        self.header = header
        self.state: State = rules.start(header.ruleset)
        self.earlier: tuple[tuple[Event, ...], ...] = ()
        self.lock = asyncio.Lock()
        self.frames: dict[object, str] = {}
        self._steps: deque[tuple[Event, ...]] = deque(maxlen=KEPT_STEPS)
        self._ids: OrderedDict[tuple[int, str], tuple[int, str]] = OrderedDict()

    @property
    def pk(self) -> int:
        """The match's primary key."""
        return self.header.pk

    @property
    def version(self) -> int:
        """How many moves led to the state."""
        return self.state.sequence

    def take(self, entry: Entry, step: Step | None = None) -> None:
        """Go on by one entry of the log; one that is known already changes nothing.

        ``step`` is what it leads to, where the caller has judged it before.

        Raises:
            BrokenLog: when an entry is missing before this one.
            IllegalMove, MoveError: when the log holds what the rules do not allow.
        """
        if entry.sequence < self.version:
            return
        if entry.sequence > self.version:
            raise BrokenLog(f"match {entry.match}: entry {self.version} is missing")
        if step is None:
            step = rules.apply(self.state, parse_move(entry.text))
        if 0 < self.state.game < step.state.game:
            self.earlier = (*self.earlier, told_of_game(self.state))
        self.state = step.state
        self.frames.clear()
        self._steps.append(step.events)
        if entry.client_id and entry.seat is not None:
            self._ids[entry.seat, entry.client_id] = (self.version, entry.text)
            if len(self._ids) > KEPT_IDS:
                self._ids.popitem(last=False)

    def taken(self, seat: int | None, client_id: str, text: str) -> int | None:
        """Return the version after the move that ``seat`` sent under this id; None if it is new.

        Raises:
            Refused: ``id_used`` when it was another move.
        """
        if seat is None or not client_id:
            return None
        known = self._ids.get((seat, client_id))
        if known is None:
            return None
        version, before = known
        if before != text:
            raise Refused("id_used", f"{client_id!r} was {before!r}")
        return version

    def since(self, version: int) -> list[tuple[Event, ...]] | None:
        """Return the events of each move after ``version``; None if that is too far back."""
        behind = self.version - version
        if not 0 <= behind <= len(self._steps):
            return None
        return list(self._steps)[len(self._steps) - behind :]


def told_of_game(state: State) -> tuple[Event, ...]:
    """Return the public events of a game that is over, from its cut for deal on."""
    hands = [event for hand in state.hands for event in hand.events]
    first = next((event.dealer for event in hands if isinstance(event, Dealt)), None)
    last = len(state.cuts) - 1
    cuts = [CutForDeal(cards, first if at == last else None) for at, cards in enumerate(state.cuts)]
    return (*cuts, *hands)


class Matches:
    """The matches in memory, by public id; the least recently used ones are let go."""

    def __init__(self, reader: Reader, in_use: Callable[[int], bool]) -> None:
        self._reader = reader
        self._in_use = in_use
        self._by_id: OrderedDict[str, Live] = OrderedDict()
        self._by_pk: dict[int, Live] = {}

    async def get(self, public_id: str) -> Live | None:
        """Return a match, caught up with the log and its seats; None if there is none."""
        header = await database_sync_to_async(headers.load)(public_id=public_id)
        if header is None:
            return None
        live = self._by_id.get(public_id)
        if live is None:
            live = self._keep(Live(header))
        self._by_id.move_to_end(public_id)
        set_header(live, header)
        await self.catch_up(live)
        return live

    def known(self, pk: int) -> Live | None:
        """Return a match that is in memory."""
        return self._by_pk.get(pk)

    def all(self) -> tuple[Live, ...]:
        """Return all matches that are in memory."""
        return tuple(self._by_pk.values())

    async def catch_up(self, live: Live) -> bool:
        """Read what the log has and ``live`` has not; return whether there was anything."""
        before = live.version
        for entry in await self._reader.since(live.pk, before):
            live.take(entry)
        return live.version > before

    async def refresh(self, live: Live) -> None:
        """Read the seats and the status of a match anew."""
        header = await database_sync_to_async(headers.load)(pk=live.pk)
        if header is not None:
            set_header(live, header)

    def _keep(self, live: Live) -> Live:
        self._by_id[live.header.public_id] = live
        self._by_pk[live.pk] = live
        if len(self._by_id) > MAX_MATCHES:
            for public_id, old in list(self._by_id.items())[: MAX_MATCHES // 10]:
                if old is not live and not self._in_use(old.pk) and not old.lock.locked():
                    del self._by_id[public_id], self._by_pk[old.pk]
        return live


def set_header(live: Live, header: Header) -> None:
    """Put new seats and status in place."""
    if header != live.header:
        live.header = header
        live.frames.clear()
