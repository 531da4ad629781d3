"""The match cache: bounded whatever stays open, with one table for each match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from games.engine.state import Phase, Ruleset
from games.live.changes import Change, ChangeStream, Left
from games.live.match_cache import MAX_MATCHES, MAX_OVER, MatchCache
from games.live.table import Table
from games.log.match_meta import MatchMeta

STAY_OPEN = 200
MANY = 10_000


class Listener:
    """A socket at a table that reads nothing."""

    seat: int | None = None
    player: int | None = None

    def notify(self, _: Table, change: Change) -> None:
        """Ignore the change."""


class EmptyLogs:
    """A reader that finds no entry."""

    async def since(self, match: int, version: int) -> list[Any]:
        return []


class EveryMatch:
    """Look-ups of matches that have the ids m1, m2 and so on, without a database."""

    async def get(self, _: object, public_id: str) -> MatchMeta:
        return MatchMeta(
            int(public_id[1:]), public_id, Ruleset(), "playing", 1, "invite", True, "", ()
        )


@pytest.fixture
def cache() -> MatchCache:
    stream = ChangeStream()
    reader, lookups = cast(Any, EmptyLogs()), cast(Any, EveryMatch())
    made = MatchCache(cast(Any, None), reader, lookups, stream)
    stream.subscribe(Left, made.left)
    return made


async def found(cache: MatchCache, number: int) -> Table:
    table = await cache.get(f"m{number}")
    assert table is not None
    return table


async def test_memory_is_bounded_while_the_oldest_tables_stay_open(cache: MatchCache) -> None:
    for number in range(STAY_OPEN):
        (await found(cache, number)).join(Listener())
    for number in range(STAY_OPEN, STAY_OPEN + MANY):
        await found(cache, number)
    assert len(cache.all()) <= MAX_MATCHES + STAY_OPEN
    for number in range(STAY_OPEN):
        assert cache.cached(number) is cache.open[number], "an open table is never forgotten"


async def test_tables_that_were_all_open_are_freed_once_they_are_left(cache: MatchCache) -> None:
    listener = Listener()
    for number in range(MANY):
        (await found(cache, number)).join(listener)
    assert len(cache.all()) == MANY
    for table in tuple(cache.open.values()):
        table.leave(listener)
    del table
    assert len(cache.all()) == MAX_MATCHES
    assert cache.cached(MANY - 1) is not None, "the last one is still there for a reconnect"


async def test_few_matches_that_are_over_are_kept_once_they_are_left(cache: MatchCache) -> None:
    listener = Listener()
    for number in range(MANY):
        table = await found(cache, number)
        table.join(listener)
        table.state = replace(table.state, phase=Phase.OVER)
        table.leave(listener)
    del table
    assert len(cache.all()) == MAX_OVER
    assert cache.cached(MANY - 1) is not None, "the last one is still there for a reconnect"


async def test_a_match_in_use_never_gets_a_second_table(cache: MatchCache) -> None:
    """A computer or a timer may hold a table that has no listeners."""
    held = await found(cache, 0)
    for number in range(1, MANY):
        await found(cache, number)
    assert await found(cache, 0) is held
    assert cache.cached(0) is held
