"""Callbacks for players for whom a night no longer waits: tournaments above may wait for them."""

from __future__ import annotations

from collections.abc import Callable, Collection

_callbacks: list[Callable[[Collection[int]], None]] = []


def on_released(callback: Callable[[Collection[int]], None]) -> None:
    """Call this with the primary keys of players for whom a table of a night no longer waits.

    It runs in the transaction that holds the night's lock, so it may only enqueue jobs.
    """
    _callbacks.append(callback)


def tell(players: Collection[int]) -> None:
    """Call the callbacks."""
    for callback in _callbacks:
        callback(players)
