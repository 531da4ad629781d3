"""Callbacks that tell since when a table of a tournament waits for players.

Tournaments are above clubs, but a table of a night lets one of theirs go first that waits longer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

Awaited = Callable[[Collection[int], datetime], Mapping[int, datetime]]

_callbacks: list[Awaited] = []


def on_asked(callback: Awaited) -> None:
    """Call this with the primary keys of players, and the time.

    It returns since when a table of a tournament waits for them, by primary key, where one does.
    """
    _callbacks.append(callback)


def awaited_since(players: Collection[int], now: datetime) -> dict[int, datetime]:
    """Return since when a table of a tournament waits for players, by primary key."""
    found: dict[int, datetime] = {}
    for callback in _callbacks:
        for player, since in callback(players, now).items():
            found[player] = min(since, found.get(player, since))
    return found
