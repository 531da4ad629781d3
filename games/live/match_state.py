"""The state of a match in memory: the fold of its log, as far as this process has read it.

It is a cache. A state is frozen and belongs to a sequence number. If another process extends the
log, this process catches up when it receives the announcement, or when its own next append
conflicts on the unique key.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import replace

from games.engine import rules
from games.engine.events import CutForDeal, Dealt, Event
from games.engine.moves import parse_move
from games.engine.rules import Step
from games.engine.state import State
from games.log.claims import Claim, claim_of
from games.log.match_meta import MatchMeta
from games.log.store import Entry
from games.wire.refusals import Refused

KEPT_STEPS = 32
"""The most moves that a reconnecting client gets as events; after more it gets a whole view."""

KEPT_IDS = 16
"""The number of recent moves remembered by client id; a resend is never older."""


class BrokenLog(Exception):
    """A gap in a log; the message names the match and the sequence."""


class MatchState:
    """The fold of one match's log, as far as this process has read it.

    Attributes:
        meta: the metadata of the match: who sits where, its settings and status.
        state: the fold of the log so far.
        earlier: the public events of each finished game before the one in `state`.
        frames: cached message texts for this state, by kind and recipient.
        acted: seat -> the version after its last move.
    """

    __slots__ = ("_ids", "_steps", "acted", "earlier", "frames", "meta", "state")

    def __init__(self, meta: MatchMeta) -> None:
        self.meta = meta
        self.state: State = rules.start(meta.ruleset)
        self.earlier: tuple[tuple[Event, ...], ...] = ()
        self.frames: dict[object, str] = {}
        self.acted: dict[int, int] = {}
        self._steps: deque[tuple[Event, ...]] = deque(maxlen=KEPT_STEPS)
        self._ids: OrderedDict[tuple[int, str], tuple[int, str]] = OrderedDict()

    @property
    def pk(self) -> int:
        """The match's primary key."""
        return self.meta.pk

    @property
    def version(self) -> int:
        """The number of moves that led to the state."""
        return self.state.sequence

    def apply_entry(self, entry: Entry, step: Step | None = None) -> None:
        """Apply the next entry of the log; applying an entry twice changes nothing.

        ``step`` is its result, if the caller has already applied the rules.

        Raises:
            BrokenLog: if an entry before this one is missing.
            IllegalMove, MoveError: if the rules do not allow the logged move.
        """
        if entry.sequence < self.version:
            return
        if entry.sequence > self.version:
            raise BrokenLog(f"match {entry.match}: entry {self.version} is missing")
        if step is None:
            step = rules.apply(self.state, parse_move(entry.text))
        if 0 < self.state.game < step.state.game:
            self.earlier = (*self.earlier, public_events(self.state))
        self.state = step.state
        self.frames.clear()
        self._steps.append(step.events)
        if entry.seat is not None:
            self.acted[entry.seat] = self.version
        if entry.client_id and entry.seat is not None:
            self._ids[entry.seat, entry.client_id] = (self.version, entry.text)
            if len(self._ids) > KEPT_IDS:
                self._ids.popitem(last=False)

    def resent_version(self, seat: int | None, client_id: str, text: str) -> int | None:
        """Return the version after the move that ``seat`` sent under this id; None for a new id.

        Raises:
            Refused: ``id_used`` if the id belongs to another move.
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

    @property
    def claimed(self) -> Claim | None:
        """The reason for a win claimed from a player who did not resign; None without a claim.

        Imported moves were not sent by a player here.
        """
        loser = self.state.resigned
        if loser is None or self.meta.imported:
            return None
        last = (loser, self.version)
        sent = (ident for (by, ident), (after, _) in self._ids.items() if (by, after) == last)
        return claim_of(next(sent, ""), days=self.meta.days)

    @property
    def swappable(self) -> bool:
        """Whether the deals may be repeated with the seats swapped: there must have been one."""
        return self.meta.swappable and bool(self.state.hands)

    def set_meta(self, meta: MatchMeta) -> bool:
        """Replace the metadata (seats, status); return whether it has changed.

        A known rematch stays: the new metadata may have been read just before it was made.
        """
        if self.meta.rematch and not meta.rematch:
            known = self.meta
            meta = replace(meta, rematch=known.rematch, rematch_watchable=known.rematch_watchable)
        if meta == self.meta:
            return False
        self.meta = meta
        self.frames.clear()
        return True

    def events_since(self, version: int) -> list[tuple[Event, ...]] | None:
        """Return the events of each move after ``version``; None if they are no longer kept."""
        behind = self.version - version
        if not 0 <= behind <= len(self._steps):
            return None
        return list(self._steps)[len(self._steps) - behind :]


def public_events(state: State) -> tuple[Event, ...]:
    """Return the public events of a finished game, starting with its cut for deal."""
    hands = [event for hand in state.hands for event in hand.events]
    first = next((event.dealer for event in hands if isinstance(event, Dealt)), None)
    last = len(state.cuts) - 1
    cuts = [CutForDeal(cards, first if at == last else None) for at, cards in enumerate(state.cuts)]
    return (*cuts, *hands)
