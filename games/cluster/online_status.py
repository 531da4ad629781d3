"""Online status of players, who are online with a socket or after a recent visit to some pages.

Each process regularly stores its connected players in the shared cache. Entries expire, so a
crashed process needs no clean-up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from django.core.cache import cache

EVERY = 15.0
"""Seconds between two updates."""

KEPT = 40
"""Seconds after which a player without an update counts as offline."""


def mark_online(players: Iterable[int]) -> None:
    """Mark players, by primary key, as online."""
    cache.set_many({_key(player): 1 for player in players}, timeout=KEPT)


def online(players: Iterable[int]) -> frozenset[int]:
    """Return those of ``players`` who are online."""
    wanted = {_key(player): player for player in players}
    return frozenset(wanted[key] for key in cache.get_many(wanted))


async def mark_connected(players: frozenset[int]) -> None:
    """Mark the connected players of this process as online."""
    if players:
        await asyncio.to_thread(mark_online, players)


def _key(player: int) -> str:
    return f"online:{player}"
