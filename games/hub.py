"""Who listens to which match in this process, and telling them.

`tell` is the one place from which moves reach sockets. Other processes hear a nudge on the bus,
"this match has reached this version", never a card; they read the log themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from games import announce
from games.bus import Bus
from games.chat import Room
from games.live import Live

logger = logging.getLogger(__name__)


class Listener(Protocol):
    """A socket at a table. Neither method may block; a broken socket is its own matter."""

    seat: int | None
    player: int | None

    def tell(self, live: Live) -> None:
        """Send what is new since this was last called."""

    def tell_table(self, live: Live) -> None:
        """Send who sits where, who is there, and what is offered."""

    def tell_clock(self, live: Live) -> None:
        """Send until when the present decision has to be made."""

    def tell_chat(self, live: Live, room: Room) -> None:
        """Send what is new in the chat."""


class Hub:
    """The listeners of this process, by match.

    Attributes:
        bus: to the other processes; None where there can be none.
        alone: whether no other process lives, as far as is known.
    """

    def __init__(self) -> None:
        self.bus: Bus | None = None
        self.alone: Callable[[], bool] | None = None
        self._listeners: dict[int, set[Listener]] = {}

    def join(self, live: Live, listener: Listener) -> bool:
        """Add a listener; return whether it is the first of its match."""
        here = self._listeners.setdefault(live.pk, set())
        here.add(listener)
        if len(here) > 1:
            return False
        if self.bus is not None:
            self.bus.subscribe(announce.channel(live.pk))
        return True

    def leave(self, live: Live, listener: Listener) -> bool:
        """Take a listener out; return whether it was the last of its match."""
        here = self._listeners.get(live.pk)
        if here is None or listener not in here:
            return False
        here.discard(listener)
        if here:
            return False
        del self._listeners[live.pk]
        live.frames.clear()
        if self.bus is not None:
            self.bus.unsubscribe(announce.channel(live.pk))
        return True

    def listened(self, match: int) -> bool:
        """Whether anybody of this process listens to ``match``."""
        return match in self._listeners

    def listeners(self, match: int) -> Iterable[Listener]:
        """Return who listens to ``match``."""
        return tuple(self._listeners.get(match, ()))

    def matches(self) -> tuple[int, ...]:
        """Return the matches that somebody listens to."""
        return tuple(self._listeners)

    def crowd(self, match: int) -> int:
        """Return how many sockets of this process listen to ``match``."""
        return len(self._listeners.get(match, ()))

    @property
    def sockets(self) -> int:
        """How many sockets listen."""
        return sum(map(len, self._listeners.values()))

    def players(self) -> frozenset[int]:
        """Return the players who listen, by primary key."""
        return frozenset(
            listener.player
            for here in self._listeners.values()
            for listener in here
            if listener.player is not None
        )

    def tell(self, live: Live) -> None:
        """Bring the listeners of this process up to date with ``live``."""
        self._each(live, lambda listener: listener.tell(live))

    def tell_table(self, live: Live) -> None:
        """Tell the listeners of this process who is at the table."""
        self._each(live, lambda listener: listener.tell_table(live))

    def tell_clock(self, live: Live) -> None:
        """Tell the listeners of this process until when the decision has to be made."""
        self._each(live, lambda listener: listener.tell_clock(live))

    def tell_chat(self, live: Live, room: Room) -> None:
        """Tell the listeners of this process what is new in the chat; each gets what is his."""
        self._each(live, lambda listener: listener.tell_chat(live, room))

    def _each(self, live: Live, tell: Callable[[Listener], None]) -> None:
        for listener in self.listeners(live.pk):
            try:
                tell(listener)
            except Exception:
                logger.exception("a listener of match %s failed", live.header.public_id)

    def nudge(self, live: Live) -> None:
        """Tell other processes, if there are any, which version the log has reached."""
        if self.alone is None or not self.alone():
            self.say(live.pk, f"version {live.version}")

    def say(self, match: int, message: str) -> None:
        """Say something to other processes about a match."""
        if self.bus is not None:
            self.bus.publish(announce.channel(match), message)
