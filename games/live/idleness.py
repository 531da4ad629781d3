"""Idleness: who is connected and has to act, but has not for a long time.

Absence has its own, shorter time (`games.live.presence`). Both end in a choice for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from games.engine import rules
from games.live.changes import Joined
from games.live.presence import Presence
from games.live.table import Table
from games.log.match_meta import MatchMeta, SeatMeta
from games.models import Player

LIMIT = 300.0
"""Seconds without an action after which the others may act for a player who has to decide."""

ASKED_AFTER = 0.6
"""Share of that time after which everyone sees it, and the player is asked to play."""


class Idleness:
    """The players who do not act, as far as this process knows.

    Args:
        presence: who is connected, and whether anyone may be judged.
        clock: returns monotonic seconds.
        limit: seconds without an action after which the others may act for a player.
    """

    def __init__(
        self, presence: Presence, clock: Callable[[], float], limit: float = LIMIT
    ) -> None:
        self.limit = limit
        self._presence = presence
        self._clock = clock

    def seconds(self, table: Table) -> dict[int, float]:
        """Return the connected seats of people that have to decide -> for how many seconds.

        The time counts from when this process first noticed, and as long as the player's process
        is heard: if it has been killed, they can't act. It starts over with each action of the
        seat, when its player reconnects, and after deafness. There is none in a match with a time
        limit, or without another person who could choose: computers and programs wait.
        """
        meta = table.meta
        timed = meta.ranked or meta.clock is not None or meta.days is not None
        if timed or not meta.playing or not self._presence.may_judge:
            table.idle.clear()
            return {}
        # What the seats say is looked up only for those asked: this is done after each move.
        due = [seat for seat in rules.waiting(table.state) if _plays_with_others(meta, seat)]
        here = self._presence.local_seats(table)[0] if due else frozenset()
        online = here if here.issuperset(due) else self._presence.online(table)[0]
        now = self._clock()
        before, table.idle = table.idle, {}
        found: dict[int, float] = {}
        for seat in due:
            if seat in online:
                acted = table.acted.get(seat, 0)
                known, since = before.get(seat, (acted, now))
                since = since if known == acted else now
                table.idle[seat] = (acted, since)
                seen = now if seat in here else self._presence.last_seen(table, seat)
                found[seat] = max(0.0, seen - since)
        return found

    def joined(self, table: Table, change: Joined) -> None:
        """Start a seat's time over when its player connects here, but not in a second tab."""
        seat = change.listener.seat
        if [each.seat for each in table.listeners].count(seat) == 1:
            self.returned(table, [seat])

    @staticmethod
    def returned(table: Table, seats: Iterable[int | None]) -> None:
        """Start the time of seats over whose players have connected to any process.

        They may have been connected to one that was killed, which others notice later.
        """
        for seat in seats:
            if seat is not None:
                table.idle.pop(seat, None)

    def asked(self, idle: Mapping[int, float]) -> dict[int, float]:
        """Return which of the `seconds` of a table are so long that everyone sees it."""
        after = self.limit * ASKED_AFTER
        return {seat: since for seat, since in idle.items() if since >= after}

    def next_change(self, idle: Mapping[int, float]) -> float | None:
        """Return in how many seconds a player is asked, or the others may act for one.

        ``idle``: the `seconds` of a table.
        """
        steps = (self.limit * ASKED_AFTER, self.limit)
        waits = [step - since for since in idle.values() for step in steps]
        return min((wait for wait in waits if wait > 0), default=None)

    def offered(self, table: Table, idle: int, seat: int) -> bool:
        """Return whether ``seat``, which has nothing to decide, may act for an idle one."""
        if seat in rules.waiting(table.state):
            return False
        return self.seconds(table).get(idle, 0.0) >= self.limit


def _plays_with_others(meta: MatchMeta, seat: int) -> bool:
    """Return whether a person plays for this seat, and another one who could choose for another."""
    return _is_played(meta.seats[seat]) and any(
        other.seat != seat and _is_played(other) and other.kind != _COMPUTER for other in meta.seats
    )


def _is_played(seat: SeatMeta) -> bool:
    """Return whether a person, or their program, plays for a seat themselves."""
    return seat.player is not None and not seat.computer and not seat.level


_COMPUTER = Player.Kind.COMPUTER.value  # an enumeration's member takes longer to look up
