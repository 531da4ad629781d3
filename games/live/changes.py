"""Typed changes at a table, and the stream that passes each one to its subscribers.

Everything that happens at a table is published as one of these changes, and everything that
reacts to it subscribes here. `games.live.runtime` lists all subscriptions in one place.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from games.live.table import Table
    from games.people.chat import Room

logger = logging.getLogger(__name__)


class Change:
    """Something that happened at a table."""

    __slots__ = ()


class Listener(Protocol):
    """A socket at a table."""

    @property
    def seat(self) -> int | None:
        """The seat that its player has now; None for a watcher."""

    @property
    def player(self) -> int | None:
        """The primary key of its player; None for a visitor."""

    def notify(self, table: Table, change: Change) -> None:
        """Send what the change means for this socket. Must not block."""


@dataclass(frozen=True, slots=True)
class Moved(Change):
    """The log has new moves.

    ``own``: this process stored them, or read them when a move of its own came too late.
    """

    own: bool


@dataclass(frozen=True, slots=True)
class SeatsChanged(Change):
    """The seats or the status of the match changed."""


@dataclass(frozen=True, slots=True)
class Joined(Change):
    """A listener joined. ``first``: it is the only one in this process."""

    listener: Listener
    first: bool


@dataclass(frozen=True, slots=True)
class Left(Change):
    """A listener left. ``last``: this process has no others."""

    listener: Listener
    last: bool


@dataclass(frozen=True, slots=True)
class PeersChanged(Change):
    """Another process reported who is connected to it, or stopped responding."""


@dataclass(frozen=True, slots=True)
class RematchWanted(Change):
    """A seat asked for a rematch."""


@dataclass(frozen=True, slots=True)
class RematchHeldUp(Change):
    """Everyone agrees on a rematch, but another request holds a player's lock for long."""


@dataclass(frozen=True, slots=True)
class RematchMade(Change):
    """This process has made the rematch, or asked for it when another one already had."""


@dataclass(frozen=True, slots=True)
class AttendanceChanged(Change):
    """Listeners need a new `table` message; ``message_for`` returns the one for a listener."""

    message_for: Callable[[Listener], str]


@dataclass(frozen=True, slots=True)
class DeadlineSet(Change):
    """The time limit of the current decision became known or was extended."""


@dataclass(frozen=True, slots=True)
class ChatChanged(Change):
    """The chat in the database differs from what listeners were sent."""


@dataclass(frozen=True, slots=True)
class ChatRead(Change):
    """The chat was read from the database."""

    room: Room


C = TypeVar("C", bound=Change)


class ChangeStream:
    """Passes the changes at all tables of a process to the subscribers of their type."""

    def __init__(self) -> None:
        self._handlers: dict[type[Change], list[Callable[[Table, Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[C], *handlers: Callable[[Table, C], None]) -> None:
        """Call ``handlers`` for every change of type ``kind``, in this order."""
        self._handlers[kind].extend(handlers)

    def publish(self, table: Table, change: Change) -> None:
        """Call the subscribers of a change; if one fails, that is logged and the rest still run."""
        for handler in self._handlers.get(type(change), ()):
            try:
                handler(table, change)
            except Exception:
                logger.exception(
                    "match %s: a subscriber of %s failed",
                    table.meta.public_id,
                    type(change).__name__,
                )
