"""The logging context: the match, the player and the job that log lines of a task belong to.

Tasks inherit the context of the socket's task that starts them. Matches and players are given by
public id. `cribbage_site.logs` adds the context to log lines.
"""

from __future__ import annotations

from contextvars import ContextVar

MATCH: ContextVar[str] = ContextVar("match", default="")
PLAYER: ContextVar[str] = ContextVar("player", default="")
JOB: ContextVar[str] = ContextVar("job", default="")
"""The name and the id of the job that runs in this thread."""


def bind(*, match: str = "", player: str = "") -> None:
    """Set the match and the player of the running task; "" for none."""
    MATCH.set(match)
    PLAYER.set(player)
