"""The open connections of this process, and their end when a player may no longer use them.

A socket proves who its player is only once, when it opens. So a ban, a deletion or a log-out is
announced to all processes, and each closes the sockets concerned.
"""

from __future__ import annotations

from typing import Any, Protocol

from games.cluster import announce


class Connection(Protocol):
    """An open websocket.

    Attributes:
        scope: the connection's ASGI scope.
        player: the primary key of its player; None for a visitor.
    """

    scope: dict[str, Any]

    @property
    def player(self) -> int | None:
        """The primary key of the player."""

    def log_out(self) -> None:
        """End the connection, since its player is no longer logged in."""


OPEN: set[Any] = set()
"""The open connections of this process."""


def end(verb: str, who: str) -> None:
    """End the connections of a player (by primary key) or of a session (by its mark)."""
    for connection in tuple(OPEN):
        if verb == announce.PLAYER_ENDED:
            concerned = str(connection.player) == who
        else:
            concerned = connection.scope.get("session_mark") == who
        if concerned:
            connection.log_out()
