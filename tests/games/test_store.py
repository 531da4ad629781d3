"""The log in the database: who is first, batches, bad rows, and the threads that write and read."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import psycopg.errors
import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection
from django.utils import timezone

from games import batches, chance, store, summaries
from games.batches import Batcher, without_values
from games.engine import rules
from games.engine.moves import Cut, Deal
from games.engine.state import Ruleset
from games.models import Hand, Move
from games.reader import Reader
from games.store import Entry
from games.writer import Append, Writer
from tests.engine.tables import random_match
from tests.games.people import make_match

pytestmark = pytest.mark.django_db(transaction=True)


def entry(match: int, sequence: int, text: str = "- starter 5H", client_id: str = "") -> Entry:
    return Entry(match, sequence, None, text, client_id, timezone.now())


def test_an_append_tells_which_entries_are_ours() -> None:
    """What is there already stays as it is, and is not among the answers."""
    match, _ = make_match()
    assert store.append([entry(match.pk, 0, "first")]) == {(match.pk, 0)}
    again = [entry(match.pk, 0, "second"), entry(match.pk, 1)]
    assert store.append(again) == {(match.pk, 1)}
    assert [row.text for row in store.whole(match.pk)] == ["first", "- starter 5H"]


def test_the_time_of_an_entry_is_kept() -> None:
    match, _ = make_match()
    written = entry(match.pk, 0)
    store.append([written])
    assert store.whole(match.pk) == [written]


def test_reading_many_matches_at_once() -> None:
    """Each from its own point on, in order; also when one is asked for twice."""
    first, second = make_match()[0].pk, make_match()[0].pk
    store.append([entry(match, at) for match in (first, second) for at in range(3)])
    reader = Reader()

    async def ask() -> list[list[Entry]]:
        wanted = [(first, 1), (second, 3), (first, 0), (second, 2), (first + second, 0)]
        return await asyncio.gather(*(reader.since(*key) for key in wanted))

    found = asyncio.run(ask())
    reader.close()
    assert [[row.sequence for row in rows] for rows in found] == [[1, 2], [], [0, 1, 2], [2], []]


def test_of_many_writers_one_wins_each_sequence() -> None:
    """Several processes append to one match: each place in the log is taken exactly once."""
    match = make_match()[0].pk
    writers = [Writer() for _ in range(4)]

    async def race() -> list[list[bool]]:
        return await asyncio.gather(
            *(
                asyncio.gather(*(writer.append(entry(match, at, f"by {who}")) for at in range(20)))
                for who, writer in enumerate(writers)
            )
        )

    wins = asyncio.run(race())
    for writer in writers:
        writer.close()
    assert [sum(column) for column in zip(*wins, strict=True)] == [1] * 20
    texts = [row.text for row in store.whole(match)]
    assert texts == [f"by {[each[at] for each in wins].index(True)}" for at in range(20)]


def test_what_waits_goes_in_one_batch() -> None:
    """While the thread is busy the next batch gathers by itself."""
    matches = [make_match()[0].pk for _ in range(3)]
    writer = Writer()

    async def write() -> None:
        assert all(
            await asyncio.gather(
                *(writer.append(entry(match, at)) for match in matches for at in range(100))
            )
        )

    asyncio.run(write())
    writer.close()
    assert writer.requests == 300
    assert writer.batches < 150
    assert Move.objects.count() == 300


def test_a_bad_row_hurts_nobody_else() -> None:
    """A batch that the database refuses is tried row by row: only the bad one fails."""
    match = make_match()[0].pk
    writer = Writer()

    async def write() -> list[bool | BaseException]:
        nobody = 10**6
        entries = [entry(match, 0), entry(nobody, 0), entry(match, 1)]
        return await asyncio.gather(*map(writer.append, entries), return_exceptions=True)

    good, bad, fine = asyncio.run(write())
    writer.close()
    assert (good, fine) == (True, True)
    assert isinstance(bad, IntegrityError)
    assert Move.objects.count() == 2


def test_an_entry_and_what_it_changes_are_one() -> None:
    """Where the summary cannot be written, the move is not there either."""
    match = make_match()[0].pk
    Hand.objects.create(match_id=match, game=0, number=0, dealer=0)
    before = rules.start(Ruleset())
    for move in hand_of_moves():
        after = rules.apply(before, move).state
        change = summaries.effects(match, before, after, timezone.now())
        before = after
    assert change is not None
    writer = Writer()

    async def write() -> None:
        await writer.append(entry(match, 0), change)

    with pytest.raises(DatabaseError):
        asyncio.run(write())
    writer.close()
    assert not Move.objects.exists()


def hand_of_moves() -> list[Any]:
    """Return the moves of a random match up to the end of its first hand."""
    moves: list[Any] = []
    for moment in random_match(Ruleset(), 1):
        if isinstance(moment.move, Deal) and any(isinstance(move, Deal) for move in moves):
            return moves
        moves.append(moment.move)
    raise AssertionError("no second deal")


def test_a_lost_connection_is_made_anew() -> None:
    """The thread's connection is closed under it: nobody notices."""
    match = make_match()[0].pk
    broken = threading.Event()

    class Unlucky(Writer):
        def work(self, batch):  # type: ignore[no-untyped-def]
            if not broken.is_set():
                broken.set()
                connection.close()
                raise OperationalError("server closed the connection unexpectedly")
            return super().work(batch)

    writer = Unlucky()

    async def write() -> bool:
        return await writer.append(entry(match, 0))

    assert asyncio.run(write())
    writer.close()


def test_a_database_that_stays_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while of trying the caller gets the error, and the thread lives on."""
    monkeypatch.setattr(batches, "PATIENCE", 0.2)
    away = True

    class Echo(Batcher[int, int]):
        def work(self, batch):  # type: ignore[no-untyped-def]
            if away:
                raise OperationalError("no route to host")
            return batch

    echo = Echo("echo")

    async def ask() -> list[object]:
        return await asyncio.gather(*map(echo.submit, (1, 2)), return_exceptions=True)

    assert all(isinstance(answer, OperationalError) for answer in asyncio.run(ask()))
    away = False
    assert asyncio.run(ask()) == [1, 2], "on another event loop, by the same thread"
    echo.close()


def test_the_thread_ends_when_idle_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection to the database is held for nothing."""
    monkeypatch.setattr(batches, "IDLE_SECONDS", 0.05)
    match = make_match()[0].pk
    writer = Writer()

    async def write(sequence: int) -> bool:
        return await writer.append(entry(match, sequence))

    assert asyncio.run(write(0))
    thread = writer._thread
    assert thread is not None
    thread.join(5)
    assert not thread.is_alive()
    assert asyncio.run(write(1))
    writer.close()


def test_a_caller_that_has_gone_is_nobodys_trouble() -> None:
    """Its loop ended before the answer came: the next caller is served."""
    match = make_match()[0].pk
    writer = Writer()

    async def leave() -> None:
        writer.submit(Append(entry(match, 0)))

    async def stay() -> bool:
        return await writer.append(entry(match, 1))

    asyncio.run(leave())
    assert asyncio.run(stay())
    writer.close()
    assert Move.objects.count() == 2


def test_the_parts_of_a_deal_are_random_and_lawful() -> None:
    """Chance draws what the rules ask for, for two and three players; no two deals are alike."""
    deals = set()
    for players in (2, 3):
        for _ in range(30):
            state = rules.start(Ruleset(players=players))
            while (move := chance.draw(state)) is not None:
                deals.add(str(move))
                state = rules.apply(state, move).state
                assert not isinstance(move, Cut) or None not in move.cards
            assert state.phase == "discard"
    assert len(deals) > 100


def test_a_refusal_is_told_without_the_row_that_it_quotes() -> None:
    cause = psycopg.errors.NotNullViolation("Failing row contains (7, 3, 0 discard 5HJD).")
    refused = IntegrityError("Failing row contains (7, 3, 0 discard 5HJD).")
    refused.__cause__ = cause
    bare = without_values(refused)
    assert isinstance(bare, IntegrityError)
    assert str(bare) == "IntegrityError 23502"
    assert bare.__cause__ is None
