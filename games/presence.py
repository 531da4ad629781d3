"""Who is at which table, in this process and in the others, and who has been away for how long.

Soft state: each process says on a match's channel which seats have a socket with it, when that
changes or a newcomer asks, and that it is alive every two seconds. What a process said is forgotten
when it has been silent for seven; nothing of this is stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from games.engine import rules
from games.hub import Hub
from games.live import Live

ALIVE_EVERY = 2.0
FORGOTTEN_AFTER = 7.0
"""Seconds."""

GRACE = 30.0
"""Seconds that an absent player who must act is waited for before anything is offered."""


@dataclass(slots=True)
class _Peer:
    """Another process: when it was last heard, its sockets, and its people at each match."""

    heard: float
    sockets: int = 0
    seats: dict[int, tuple[frozenset[int], int]] = field(default_factory=dict)


class Presence:
    """Presence as far as this process knows it.

    Args:
        hub: the listeners of this process.
        clock: seconds that only go forward.
        grace: seconds before something is offered to those who wait.
    """

    def __init__(self, hub: Hub, clock: Callable[[], float], grace: float = GRACE) -> None:
        self.process = secrets.token_hex(4)
        self.grace = grace
        self._hub = hub
        self._clock = clock
        self._peers: dict[str, _Peer] = {}
        self._away: dict[int, dict[int, float]] = {}

    def here(self, match: int) -> tuple[frozenset[int], int]:
        """Return the seats with a socket in this process, and how many watch."""
        seats = [listener.seat for listener in self._hub.listeners(match)]
        watchers = sum(seat is None for seat in seats)
        return frozenset(seat for seat in seats if seat is not None), watchers

    def online(self, match: int) -> tuple[frozenset[int], int]:
        """Return the seats with a socket anywhere, and how many watch."""
        seats, watchers = self.here(match)
        for peer in self._living():
            theirs, watching = peer.seats.get(match, (frozenset(), 0))
            seats |= theirs
            watchers += watching
        return seats, watchers

    def online_count(self) -> int:
        """Return how many sockets sit at tables, everywhere."""
        return self._hub.sockets + sum(peer.sockets for peer in self._living())

    def tell(self, match: int) -> None:
        """Say to the other processes who is here."""
        seats, watchers = self.here(match)
        listed = ",".join(map(str, sorted(seats))) or "-"
        self._hub.say(match, f"here {self.process} {listed} {watchers}")

    def ask(self, match: int) -> None:
        """Ask the other processes who is with them."""
        self._hub.say(match, f"who {self.process}")

    def heard_here(self, match: int, process: str, seats: str, watchers: str) -> bool:
        """Take in what a process that was met says of a match; return whether it is news."""
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

    def heard_alive(self, process: str, sockets: str) -> bool:
        """Take in that another process lives; return whether it was not known."""
        new = self.meets(process)
        if process != self.process:
            self._peers[process].sockets = int(sockets)
        return new

    def meets(self, process: str) -> bool:
        """Take in that a process has said something; return whether it was not known."""
        if process == self.process:
            return False
        new = process not in self._peers
        peer = self._peers.setdefault(process, _Peer(self._clock()))
        peer.heard = self._clock()
        return new

    def alone(self) -> bool:
        """Whether no other process is known to live."""
        return not self._peers

    def forget_silent(self) -> set[int]:
        """Forget processes that have fallen silent; return the matches that this concerns."""
        limit = self._clock() - FORGOTTEN_AFTER
        silent = [name for name, peer in self._peers.items() if peer.heard < limit]
        return {match for name in silent for match in self._peers.pop(name).seats}

    def away(self, live: Live) -> dict[int, float]:
        """Return for each seat whose person is absent and must act: seconds since both were so.

        It is counted from this process's own knowledge, so that a restart begins it anew.
        """
        seats = live.header.seats
        due = {seat for seat in rules.waiting(live.state) if not seats[seat].level}
        # Most often those who must act are connected here, and others need not be asked.
        header = live.header
        # In ranked matches the clock sees to it; by correspondence nobody is waited for here.
        watched = header.playing and not header.ranked and header.days is None
        missing = due - self.here(live.pk)[0] if watched else set()
        if missing:
            missing -= self.online(live.pk)[0]
        if not missing:
            self._away.pop(live.pk, None)
            return {}
        now = self._clock()
        known = self._away.get(live.pk, {})
        absent = self._away[live.pk] = {seat: known.get(seat, now) for seat in missing}
        return {seat: now - since for seat, since in absent.items()}

    def forget(self, match: int) -> None:
        """Forget who was away from a match that nobody of this process listens to."""
        self._away.pop(match, None)

    def _living(self) -> list[_Peer]:
        limit = self._clock() - FORGOTTEN_AFTER
        return [peer for peer in self._peers.values() if peer.heard >= limit]
