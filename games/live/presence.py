"""Presence: who is connected to which table, in any process, and how long others have been away.

Presence is never stored. On a match's channel each process publishes which seats are connected to
it, when that changes or when another process asks. Every two seconds it publishes a heartbeat. A
process that has been silent for seven seconds counts as gone, with its sockets.

Silence means nothing while this process is deaf. The others then keep the sockets that they had,
and no one counts as absent; when it hears again, both times start over. No one counts as absent
while another process is deaf either, as the pulse shows: they may be connected there.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from games.engine import rules
from games.live.changes import Change, Left
from games.live.peers import Peers
from games.live.table import Table

ALIVE_EVERY = 2.0
FORGOTTEN_AFTER = 7.0
"""Seconds between two heartbeats of a process, and of silence after which it counts as gone."""

GRACE = 30.0
"""Seconds of absence after which the others may act for a player who has to decide."""


@dataclass(slots=True)
class _Peer:
    """Another process: when it was last heard from, its sockets, and its seats at each match."""

    last_seen: float
    sockets: int = 0
    seats: dict[int, tuple[frozenset[int], int]] = field(default_factory=dict)


class Presence:
    """The players who are connected, as far as this process knows.

    Attributes:
        others_deaf: whether another process has said that it is deaf.

    Args:
        peers: the link to the other processes, which knows whether they can be heard.
        sockets: returns the number of this process's sockets at tables.
        clock: returns monotonic seconds.
        grace: seconds of absence after which the others may act for a player.
    """

    def __init__(
        self,
        peers: Peers,
        sockets: Callable[[], int],
        clock: Callable[[], float],
        grace: float = GRACE,
    ) -> None:
        self.process = secrets.token_hex(4)
        self.grace = grace
        self.others_deaf = False
        self._link = peers
        self._sockets = sockets
        self._clock = clock
        self._peers: dict[str, _Peer] = {}

    @property
    def deaf(self) -> bool:
        """Whether messages from other processes may be missing, so that no one may be judged."""
        return self._link.hearing_since() is None

    @property
    def may_judge(self) -> bool:
        """Whether every process would be heard from if it were running."""
        return not self.deaf and not self.others_deaf

    def local_seats(self, table: Table) -> tuple[frozenset[int], int]:
        """Return the seats connected to this process, and its number of watchers."""
        seats, watchers = set(), 0
        for listener in table.listeners:
            seat = listener.seat
            if seat is None:
                watchers += 1
            else:
                seats.add(seat)
        return frozenset(seats), watchers

    def online(self, table: Table) -> tuple[frozenset[int], int]:
        """Return the seats connected to any process, and the number of watchers."""
        seats, watchers = self.local_seats(table)
        for peer in self._living():
            theirs, watching = peer.seats.get(table.pk, (frozenset(), 0))
            seats |= theirs
            watchers += watching
        return seats, watchers

    def last_seen(self, table: Table, seat: int) -> float:
        """Return when a connected seat's process last showed that it runs, in monotonic seconds.

        Later than now minus `ALIVE_EVERY`, unless the process was killed, and its sockets with it.
        """
        if seat in self.local_seats(table)[0]:
            return self._clock()
        nowhere: tuple[frozenset[int], int] = (frozenset(), 0)
        theirs = [p.last_seen for p in self._living() if seat in p.seats.get(table.pk, nowhere)[0]]
        return max(theirs, default=self._clock())

    def online_count(self) -> int:
        """Return the number of sockets at tables, in all processes."""
        return self._sockets() + sum(peer.sockets for peer in self._living())

    def left(self, table: Table, change: Left) -> None:
        """Forget who is connected elsewhere when the last listener here leaves.

        This process no longer hears what the others say of the match; the next listener asks.
        """
        if change.last:
            for peer in self._peers.values():
                peer.seats.pop(table.pk, None)

    def changed(self, table: Table, _: Change) -> None:
        """Tell the other processes after a listener has joined or left."""
        self.announce(table)

    def announce(self, table: Table) -> None:
        """Tell the other processes who is connected here.

        A process that is alone tells another one when it meets it, but only about tables with
        listeners. So it always says that no one is left: a suspended process hears it later.
        """
        seats, watchers = self.local_seats(table)
        listed = ",".join(map(str, sorted(seats | table.returning))) or "-"
        message = f"here {self.process} {listed} {watchers}"
        if table.listeners or table.returning:
            self._link.tell(table.pk, message)
        else:
            self._link.send(table.pk, message, soon=True)

    @contextmanager
    def returning(self, table: Table, seat: int) -> Iterator[None]:
        """Count a seat as connected while its player takes it back, about to join.

        The others, in any process, hear of the seat before its player has joined, and would show
        them as absent. The player joins in the same step of the event loop in which this ends, or
        not at all.
        """
        table.returning.add(seat)
        self.announce(table)
        try:
            yield
        finally:
            table.returning.discard(seat)
            asyncio.get_running_loop().call_soon(self.announce, table)

    def request_announcements(self, table: Table) -> None:
        """Ask the other processes who is connected to them; nothing is sent while none is known.

        A process that comes later is asked as soon as it is heard.
        """
        self._link.tell(table.pk, f"who {self.process}")

    def record_seats(self, match: int, process: str, seats: str, watchers: str) -> bool:
        """Record who is connected to another process; return whether that has changed."""
        if process == self.process:
            return False
        peer = self._peers[process]
        listed = frozenset() if seats == "-" else frozenset(map(int, seats.split(",")))
        said = (listed, int(watchers))
        if peer.seats.get(match, (frozenset(), 0)) == said:
            return False
        peer.seats[match] = said
        if said == (frozenset(), 0):
            del peer.seats[match]
        return True

    def seats_at(self, match: int, process: str) -> frozenset[int]:
        """Return the seats at a match that are connected to another process."""
        peer = self._peers.get(process)
        return frozenset() if peer is None else peer.seats.get(match, (frozenset(), 0))[0]

    def record_heartbeat(self, process: str, sockets: str) -> bool:
        """Record a heartbeat of another process; return whether the process was unknown."""
        new = self.record_process(process)
        if process != self.process:
            self._peers[process].sockets = int(sockets)
        return new

    def record_process(self, process: str) -> bool:
        """Record that a process was heard from; return whether it was unknown."""
        if process == self.process:
            return False
        new = process not in self._peers
        peer = self._peers.setdefault(process, _Peer(self._clock()))
        peer.last_seen = self._clock()
        return new

    def is_alone(self) -> bool:
        """Return whether there is no other process, as far as this one can know."""
        return not self._peers and not self.deaf

    def drop_silent(self) -> set[int]:
        """Drop processes that have gone silent; return the matches they had people at."""
        silent = [name for name, peer in self._peers.items() if not self._lives(peer)]
        return {match for name in silent for match in self._peers.pop(name).seats}

    def absences(self, table: Table) -> dict[int, float]:
        """Return the absent seats that have to decide -> for how many seconds both have been true.

        The time counts from when this process first noticed, so a restart resets it, and so does
        deafness, its own or another's.
        """
        meta = table.meta
        # Ranked and correspondence matches have time limits instead.
        timed = meta.ranked or meta.days is not None
        missing: set[int] = set()
        if meta.playing and not timed and self.may_judge:
            seats, here = meta.seats, self.local_seats(table)[0]
            due = rules.waiting(table.state)
            missing = {seat for seat in due if seat not in here and not seats[seat].level}
        if missing:
            missing -= self.online(table)[0] | table.returning
        if not missing:
            table.away.clear()
            return {}
        now = self._clock()
        table.away = {seat: table.away.get(seat, now) for seat in missing}
        return {seat: now - since for seat, since in table.away.items()}

    def _living(self) -> list[_Peer]:
        return [peer for peer in self._peers.values() if self._lives(peer)]

    def _lives(self, peer: _Peer) -> bool:
        """Return whether a process was heard in time, or could not be heard for part of it."""
        hearing = self._link.hearing_since()
        return hearing is None or max(peer.last_seen, hearing) >= self._clock() - FORGOTTEN_AFTER
