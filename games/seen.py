"""Who is online: people with a socket, or who have just looked at a page that friends use.

Each process writes down now and then, in the shared cache, who listens in it. What was written runs
out by itself, so that a process that has died is forgotten.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from django.core.cache import cache

logger = logging.getLogger(__name__)

EVERY = 15.0
"""Seconds between two lists of who is here."""

KEPT = 40
"""Seconds after which somebody who is not listed again is taken to have gone."""


def note(players: Iterable[int]) -> None:
    """Write down that these players, by primary key, are here now."""
    cache.set_many({_key(player): 1 for player in players}, timeout=KEPT)


def online(players: Iterable[int]) -> frozenset[int]:
    """Return those of ``players`` who are here."""
    wanted = {_key(player): player for player in players}
    return frozenset(wanted[key] for key in cache.get_many(wanted))


async def keep_noting(here: Callable[[], frozenset[int]]) -> None:
    """Write down who listens in this process, for as long as it lives."""
    while True:
        players = here()
        if players:
            try:
                await asyncio.to_thread(note, players)
            except Exception:  # whatever a cache may raise: the next list is soon
                logger.exception("who is online could not be written down")
        await asyncio.sleep(EVERY)


def _key(player: int) -> str:
    return f"online:{player}"
