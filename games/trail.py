"""Whose work is being done: what each line of the log names, beside what it says.

A socket's task, and what it starts, belongs to a match and a player; both are named by the ids that
addresses have. Lines of a log are made by `cribbage_site.logs`.
"""

from __future__ import annotations

from contextvars import ContextVar

MATCH: ContextVar[str] = ContextVar("match", default="")
PLAYER: ContextVar[str] = ContextVar("player", default="")


def follow(*, match: str = "", player: str = "") -> None:
    """Say for whom the running task works from now on; empty for nobody in particular."""
    MATCH.set(match)
    PLAYER.set(player)
