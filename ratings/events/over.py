"""Callbacks for events that are over: the leagues above hear of their matches' results."""

from __future__ import annotations

from collections.abc import Callable

from ratings.models import Event

_callbacks: list[Callable[[Event], None]] = []


def on_over(callback: Callable[[Event], None]) -> None:
    """Call this when an event ends, is called off or gets a corrected result.

    It runs in the transaction that holds the event's lock, so it may only enqueue jobs.
    """
    _callbacks.append(callback)


def tell(event: Event) -> None:
    """Call the callbacks."""
    for callback in _callbacks:
        callback(event)
