"""What other apps want to know: they register here, and games calls them without knowing them."""

from __future__ import annotations

import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)

Finished = Callable[[int], None]
Merging = Callable[[int, int], None]

_finished: list[Finished] = []
_merging: list[Merging] = []


def on_finished(hook: Finished) -> None:
    """Have ``hook(match)`` called, in a thread, after the last move of a match is stored.

    It gets the primary key. It may be called twice, and where a process dies never.
    """
    if hook not in _finished:
        _finished.append(hook)


def on_merging(hook: Merging) -> None:
    """Have ``hook(guest, account)`` called in the transaction that gives the one to the other.

    Both are primary keys.
    """
    if hook not in _merging:
        _merging.append(hook)


def asked() -> bool:
    """Whether anybody asked to be told when a match is over."""
    return bool(_finished)


def finished(match: int) -> None:
    """Tell that a match is over; what a hook raises is logged."""
    for hook in tuple(_finished):
        try:
            hook(match)
        except Exception:
            logger.exception("match %s is over, and %r failed", match, hook)


def merging(guest: int, account: int) -> None:
    """Tell that a guest's rows go over to an account."""
    for hook in tuple(_merging):
        hook(guest, account)
