"""The link to the other processes: what this process announces about its tables.

It announces versions of matches, who is connected, and wishes for a rematch; never a card. Others
read the log themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from games.cluster import announce
from games.live.changes import Change, Joined, Moved
from games.live.table import Table

if TYPE_CHECKING:
    from games.cluster.bus import Bus


class Peers:
    """Sends messages to the other processes.

    Attributes:
        bus: the connection to Redis; None in a deployment with a single process.
        is_alone: returns whether no other process is known to be alive.
    """

    def __init__(self) -> None:
        self.bus: Bus | None = None
        self.is_alone: Callable[[], bool] | None = None

    def hearing_since(self) -> float | None:
        """Return since when other processes have been heard, in monotonic seconds; None while deaf.

        Without Redis there are no others, and nothing is ever missed.
        """
        return float("-inf") if self.bus is None else self.bus.hearing_since

    def send(self, match: int, message: str, *, soon: bool = False) -> None:
        """Send a message about a match; with ``soon``, it may wait a moment for others."""
        if self.bus is not None:
            self.bus.publish(announce.channel(match), message, soon=soon)

    def tell(self, match: int, message: str) -> None:
        """Send what every new process is told anyway, unless no other is known to be running."""
        if self.is_alone is None or not self.is_alone():
            self.send(match, message)

    def send_version(self, table: Table) -> None:
        """Send the version that the log of a match has reached."""
        self.tell(table.pk, f"version {table.version}")

    def moved(self, table: Table, change: Moved) -> None:
        """Send the version after moves that this process stored."""
        if change.own:
            self.send_version(table)

    def wished(self, table: Table, seat: int, *, swap: bool) -> None:
        """Tell the other processes that a seat wants a rematch."""
        self.tell(table.pk, f"rematch {seat} {'swapped' if swap else 'same'}")

    def repeat_wishes(self, table: Table) -> None:
        """Tell the other processes again which seats want a rematch."""
        if table.meta.rematch:
            return
        for seat, swap in table.rematch.items():
            self.wished(table, seat, swap=swap)

    def rematch_made(self, table: Table, _: Change | None = None) -> None:
        """Tell the other processes to read the match again: it has a rematch."""
        self.tell(table.pk, announce.table_message())

    def joined(self, table: Table, change: Joined) -> None:
        """Subscribe to the match's channel when its first listener joins."""
        if change.first:
            self.subscribe(table.pk)

    def subscribe(self, match: int) -> None:
        """Subscribe to the channel of a match, unless this process already does."""
        if self.bus is not None:
            self.bus.subscribe(announce.channel(match))

    def unsubscribe(self, match: int) -> None:
        """Unsubscribe from the channel of a match."""
        if self.bus is not None:
            self.bus.unsubscribe(announce.channel(match))
