"""The log in the database: conflicts, batches, bad rows, and the writer and reader threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any, cast

import psycopg.errors
import psycopg_pool
import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection
from django.utils import timezone

from games.engine import rules
from games.engine.moves import Cut, Deal
from games.engine.state import Ruleset
from games.live import dealing
from games.log import batches, store, summaries
from games.log.batches import Batcher, without_values
from games.log.reader import Reader
from games.log.store import Entry
from games.log.summaries import Effects, HandEnded
from games.log.writer import Append, Writer
from games.models import Hand, Match, Move
from tests.support.people import make_match
from tests.support.positions import random_match
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def entry(match: int, sequence: int, text: str = "- starter 5H", client_id: str = "") -> Entry:
    return Entry(match, sequence, None, text, client_id, timezone.now())


def test_the_last_decisions_of_any_number_of_matches_are_found() -> None:
    """SQLite refuses a condition with a thousand parts."""
    rows = Match.objects.bulk_create(Match(ruleset=Ruleset().to_dict()) for _ in range(1001))
    store.append([entry(row.pk, 0) for row in rows])
    found = store.decision_requests([row.pk for row in rows])
    assert {length for length, _ in found.values()} == {1}
    assert len(found) == len(rows)


def test_append_returns_only_the_entries_it_stored() -> None:
    """Existing entries are unchanged and not part of the answer."""
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


def test_many_matches_are_read_at_once() -> None:
    """Each from its own starting point, in order, even if a match is requested twice."""
    first, second = make_match()[0].pk, make_match()[0].pk
    store.append([entry(match, at) for match in (first, second) for at in range(3)])
    reader = Reader()

    async def ask() -> list[list[Entry]]:
        wanted = [(first, 1), (second, 3), (first, 0), (second, 2), (first + second, 0)]
        return await asyncio.gather(*(reader.since(*key) for key in wanted))

    found = asyncio.run(ask())
    reader.close()
    assert [[row.sequence for row in rows] for rows in found] == [[1, 2], [], [0, 1, 2], [2], []]


def test_exactly_one_of_many_writers_wins_each_sequence() -> None:
    """Several writers append to one match: each sequence number is stored exactly once."""
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


def test_pending_entries_are_written_in_batches() -> None:
    """While the thread is busy, the next batch accumulates."""
    matches = [make_match()[0].pk for _ in range(3)]
    queued = threading.Event()

    class Busy(Writer):
        def work(self, batch: Sequence[Append]) -> Sequence[bool]:
            assert queued.wait(DEADLINE)
            return super().work(batch)

    writer = Busy()

    async def write() -> None:
        entries = [entry(match, at) for match in matches for at in range(100)]
        stored = asyncio.gather(*map(writer.append, entries))
        await asyncio.sleep(0)  # now all of them are in the queue
        queued.set()
        assert all(await stored)

    asyncio.run(write())
    writer.close()
    assert writer.requests == 300
    assert writer.batches <= 2
    assert Move.objects.count() == 300


def test_a_bad_row_does_not_affect_the_others() -> None:
    """A batch refused by the database is retried row by row: only the bad row fails."""
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


def test_a_summary_that_fails_for_any_reason_fails_its_own_move_alone() -> None:
    """Not only a database error: 500 moves of other matches may be in the same batch."""
    match = make_match()[0].pk
    queued = threading.Event()

    class Busy(Writer):
        def work(self, batch: Sequence[Append]) -> Sequence[bool]:
            assert queued.wait(DEADLINE)
            return super().work(batch)

    writer = Busy()
    broken = Effects(hand=HandEnded(match, cast(Any, None), (0, 0)))

    async def write() -> list[bool | BaseException]:
        pending = [
            asyncio.ensure_future(writer.append(entry(match, at), broken if at == 70 else None))
            for at in range(200)
        ]
        await asyncio.sleep(0)  # now all of them are in the queue
        queued.set()
        return await asyncio.gather(*pending, return_exceptions=True)

    answers = asyncio.run(write())
    writer.close()
    assert isinstance(answers[70], AttributeError)
    assert answers[:70] + answers[71:] == [True] * 199
    assert Move.objects.count() == 199
    assert writer.batches < 50, "halves are tried, not each of the moves alone"


def test_an_entry_and_its_summary_are_stored_together() -> None:
    """If the summary cannot be written, the move is not stored either."""
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


def test_a_lost_connection_is_reopened() -> None:
    """The writer thread's connection is closed: the append still succeeds."""
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


def test_a_database_that_stays_down_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some retries the caller gets the error, and the thread keeps working."""
    monkeypatch.setattr(batches, "RETRY_SECONDS", 0.2)
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
    assert asyncio.run(ask()) == [1, 2], "on another event loop, with the same thread"
    echo.close()


@pytest.mark.parametrize(
    "cause", [psycopg_pool.PoolTimeout("no connection"), psycopg.errors.AdminShutdown("stopped")]
)
def test_an_outage_fails_all_waiting_requests_at_once(
    monkeypatch: pytest.MonkeyPatch, cause: Exception
) -> None:
    """Each wait for a connection takes seconds, so no half of them is tried again."""
    monkeypatch.setattr(batches, "RETRY_SECONDS", -1)
    tried = ask_forty(OperationalError(), cause, broken=range(40))
    assert tried == [40]


def test_a_request_whose_query_is_cancelled_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """This, too, is an OperationalError."""
    monkeypatch.setattr(batches, "RETRY_SECONDS", -1)
    assert (
        len(ask_forty(OperationalError(), psycopg.errors.QueryCanceled("timeout"), broken=[7])) > 1
    )


def ask_forty(error: Exception, cause: Exception, *, broken: Sequence[int]) -> list[int]:
    """Ask for 40 numbers at once, of which some fail; return the sizes of the batches tried."""
    queued = threading.Event()
    sizes: list[int] = []

    class Echo(Batcher[int, int]):
        def work(self, batch: Sequence[int]) -> Sequence[int]:
            sizes.append(len(batch))
            if set(batch) & set(broken):
                raise error from cause
            return batch

        def _gather(self, queue: Any) -> Any:
            assert queued.wait(DEADLINE)
            return super()._gather(queue)

    echo = Echo("echo")

    async def ask() -> list[int | BaseException]:
        pending = [echo.submit(number) for number in range(40)]
        queued.set()
        return await asyncio.gather(*pending, return_exceptions=True)

    answers = asyncio.run(ask())
    echo.close()
    failed = [at for at, answer in enumerate(answers) if isinstance(answer, OperationalError)]
    assert failed == list(broken)
    return sizes


def test_a_request_that_comes_while_a_batcher_closes_is_answered_and_does_not_hold_it_up() -> None:
    working, finish = threading.Event(), threading.Event()

    class Echo(Batcher[int, int]):
        def work(self, batch: Sequence[int]) -> Sequence[int]:
            working.set()
            assert finish.wait(DEADLINE)
            return batch

    echo = Echo("echo")
    closing = threading.Thread(target=echo.close, daemon=True)

    async def ask() -> list[int]:
        first = echo.submit(1)
        await asyncio.to_thread(working.wait, DEADLINE)
        closing.start()
        await asyncio.to_thread(wait_for, lambda: echo._thread is None)
        second = echo.submit(2)
        finish.set()
        return [await asyncio.wait_for(each, DEADLINE) for each in (first, second)]

    assert asyncio.run(ask()) == [1, 2]
    closing.join(DEADLINE)
    assert not closing.is_alive()
    echo.close()


def test_the_thread_ends_when_idle_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """An idle writer holds no database connection."""
    monkeypatch.setattr(batches, "IDLE_SECONDS", 0.05)
    match = make_match()[0].pk
    writer = Writer()

    async def write(sequence: int) -> bool:
        return await writer.append(entry(match, sequence))

    assert asyncio.run(write(0))
    thread = writer._thread
    assert thread is not None
    thread.join(DEADLINE)
    assert not thread.is_alive()
    assert asyncio.run(write(1))
    writer.close()


def test_a_caller_that_has_gone_does_not_block_the_next() -> None:
    """Its event loop ended before the answer came: the next caller is still served."""
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


def test_deals_are_random_and_legal() -> None:
    """Dealing draws what the rules ask for with two and three players, and differs every time."""
    deals = set()
    for players in (2, 3):
        for _ in range(30):
            state = rules.start(Ruleset(players=players))
            while (move := dealing.draw(state)) is not None:
                deals.add(str(move))
                state = rules.apply(state, move).state
                assert not isinstance(move, Cut) or None not in move.cards
            assert state.phase == "discard"
    assert len(deals) > 100


def test_a_database_error_is_reported_without_the_row_it_quotes() -> None:
    cause = psycopg.errors.NotNullViolation("Failing row contains (7, 3, 0 discard 5HJD).")
    refused = IntegrityError("Failing row contains (7, 3, 0 discard 5HJD).")
    refused.__cause__ = cause
    bare = without_values(refused)
    assert isinstance(bare, IntegrityError)
    assert str(bare) == "IntegrityError 23502"
    assert bare.__cause__ is None
