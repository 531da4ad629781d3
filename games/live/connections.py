"""The open connections of this process, and their end when a player may no longer use them.

A socket proves who its player is only once, when it opens. So a ban, a deletion or a log-out is
announced to all processes, and each closes the sockets concerned. A session may also end without
an announcement: a guest who signs up gets a new one, and announcements are lost while Redis is
away. So sessions and programs' tokens are checked again when their player logs out anywhere, and
after such a gap. Nothing then says why a session ended: its guest may have logged in to an account,
so the browser is told to come back with the session that it has now.
"""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from games.cluster import announce
from games.log.lookups import Lookups


class Connection(Protocol):
    """An open websocket.

    Attributes:
        scope: the connection's ASGI scope; "login" has the `Lookups` query that finds its player
            by session or, once a program has sent one, by token.
        player: the primary key of its player; None for a visitor.
    """

    scope: dict[str, Any]

    @property
    def player(self) -> int | None:
        """The primary key of the player."""

    def log_out(self) -> None:
        """End the connection, since its player is no longer logged in."""

    def come_back(self) -> None:
        """End the connection; the browser is to reconnect with its new session."""


OPEN: set[Any] = set()
"""The open connections of this process."""


def end(verb: str, who: str, mark: str = "") -> None:
    """End the connections of a player (by primary key) or of a session (by its mark).

    The connections of a guest who logged in reconnect as the account. After a password change,
    those of the session with this ``mark`` reconnect, since that session continues.
    """
    for connection in tuple(OPEN):
        if verb == announce.SESSION_ENDED:
            concerned = connection.scope.get("session_mark") == who
        else:
            concerned = str(connection.player) == who
        renewed = verb == announce.SESSION_RENEWED
        own = renewed and connection.scope.get("session_mark") == mark
        if concerned and (own or verb == announce.PLAYER_MERGED):
            connection.come_back()
        elif concerned:
            connection.log_out()


async def check(lookups: Lookups, *, player: str | None = None) -> None:
    """End the connections whose sessions are no longer valid, of one player or of all.

    Those of one player, who logged out, end for good. All are checked after a gap, and reconnect.

    Raises:
        django.db.Error: if the sessions cannot be read.
    """
    asked = [
        connection
        for connection in OPEN
        if connection.player is not None
        and "login" in connection.scope
        and player in {None, str(connection.player)}
    ]
    found = await asyncio.gather(*(lookups.get(*each.scope["login"]) for each in asked))
    for connection, logged_in in zip(asked, found, strict=True):
        if connection not in OPEN or getattr(logged_in, "pk", None) == connection.player:
            continue
        if player is None:
            connection.come_back()
        else:
            connection.log_out()


async def is_logged_in(lookups: Lookups, connection: Connection) -> bool:
    """Return whether a connection's session still is its player's.

    Raises:
        django.db.Error: if it cannot be read.
    """
    login = connection.scope.get("login")
    found = None if login is None else await lookups.get(*login)
    return login is None or getattr(found, "pk", None) == connection.player
