"""Batched look-ups: reads of many sockets that share a thread and its queries.

After a restart thousands of sockets ask for the same kinds of things at once: a session, a match,
a chat. One query for fifty of them costs little more than one for a single one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar, cast

from games.log.batches import Batcher

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")

Question = tuple[Callable[[Sequence[Any]], Mapping[Any, Any]], Hashable]
"""A function that reads many keys at once, and one key."""


class Lookups(Batcher[Question, Any]):
    """A batcher that calls each function once for all keys that are waiting for it.

    It has a thread of its own beside the log's reader, so that no move waits for a look-up.
    """

    def __init__(self) -> None:
        super().__init__("lookups")

    async def get(
        self, load: Callable[[Sequence[Key]], Mapping[Key, Found]], key: Key
    ) -> Found | None:
        """Return what ``load`` finds for a key, or None; ``load`` runs in the thread.

        Raises:
            django.db.Error: if the database cannot be read.
        """
        return cast("Found | None", await self.submit((load, key)))

    def work(self, batch: Sequence[Question]) -> Sequence[Any]:
        """Answer a batch; repeated requests for a key share one read."""
        keys: dict[Callable[[Sequence[Any]], Mapping[Any, Any]], dict[Hashable, None]] = {}
        for load, key in batch:
            keys.setdefault(load, {})[key] = None
        found = {load: load(list(wanted)) for load, wanted in keys.items()}
        return [found[load].get(key) for load, key in batch]
