"""Two processes that seat a player in the same moment, on PostgreSQL: they sit at one table."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import psycopg
import pytest

from tests.support import seat_workers, shared_postgres
from tests.support.at_once import LOCK_WAITS
from tests.support.data_servers import Postgres
from tests.support.logs import asking, query, run_script
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.slow

TABLES = """SELECT count(*) FROM games_seat seat JOIN games_match match ON match.id = seat.match_id
WHERE seat.player_id = ? AND match.status = 'playing' AND seat.left_at IS NULL"""
PLAYS_AT = """SELECT count(*) FROM ratings_entrant entrant
JOIN ratings_clubnight night ON night.id = entrant.night_id
WHERE entrant.player_id = ? AND night.state = 'running' AND NOT entrant.absent"""

Start = Callable[[str], "Future[str]"]

_numbers = itertools.count()


@pytest.fixture(scope="module")
def stored(postgres: Postgres) -> Iterator[tuple[str, seat_workers.Keys]]:
    """Return the name of a database with people and what they take part in, and their keys.

    It is made once for all tests of the file, which copy it: who waits in the queue there stays.
    """
    name = f"seating_{os.getpid()}"
    url = postgres.create_database(name, template=shared_postgres.EMPTY)
    made = seat_workers.make(url)
    run_script(url, "UPDATE ratings_ticket SET seen_at = now() + interval '1 hour'")
    yield name, made
    postgres.drop_database(name)


@pytest.fixture
def made(stored: tuple[str, seat_workers.Keys]) -> seat_workers.Keys:
    """Return the keys of what is stored in the test's database."""
    return stored[1]


@pytest.fixture
def postgres_url(postgres: Postgres, stored: tuple[str, seat_workers.Keys]) -> Iterator[str]:
    """Give the address of this test's copy of that database."""
    name = f"{stored[0]}_{next(_numbers)}"
    yield postgres.create_database(name, template=stored[0])
    postgres.drop_database(name)


@contextmanager
def held(database_url: str, made: seat_workers.Keys, lock: str) -> Iterator[Start]:
    """Hold a lock; yield what starts an action and returns once it waits or has ended."""
    with (
        ThreadPoolExecutor(2) as processes,
        asking(database_url) as ask,
        psycopg.connect(database_url) as connection,
    ):
        connection.execute(lock)
        started: list[Future[str]] = []

        def start(action: str) -> Future[str]:
            started.append(processes.submit(partial(seat_workers.act, database_url, action, made)))
            wait_for(lambda: ask(LOCK_WAITS)[0][0] >= sum(not each.done() for each in started))
            return started[-1]

        yield start


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("queue", "night"),
        ("night", "queue"),
        ("queue", "tournament"),
        ("tournament", "queue"),
        ("night", "tournament"),
        ("tournament", "night"),
    ],
)
def test_a_player_is_seated_once(
    postgres_url: str, made: seat_workers.Keys, first: str, second: str
) -> None:
    # The process that seats players has asked who sits where, and waits to store the attempts.
    with held(postgres_url, made, "LOCK TABLE ratings_attempt IN EXCLUSIVE MODE") as start:
        seating, other = start(first), start(second)
        assert not seating.done()
    assert seating.result(DEADLINE) == "done"
    other.result(DEADLINE)
    assert query(postgres_url, TABLES, made["ann"]) == [(1,)]


def test_who_joins_a_night_as_another_one_begins_plays_at_one(
    postgres_url: str, made: seat_workers.Keys
) -> None:
    # The night that begins stops at its first game, after the question who is at another one.
    with held(postgres_url, made, "LOCK TABLE ratings_nightgame IN EXCLUSIVE MODE") as start:
        beginning, joining = start("night"), start("join the running night")
        assert not beginning.done()
        assert not joining.done()
    assert beginning.result(DEADLINE) == "done"
    assert joining.result(DEADLINE) == "night_elsewhere"
    assert query(postgres_url, PLAYS_AT, made["ann"]) == [(1,)]


def test_who_joins_a_night_as_it_begins_does_not_wait_for_it_for_ever(
    postgres_url: str, made: seat_workers.Keys
) -> None:
    """Both lock the night before the pool: in two orders each would wait for the other."""
    pool = "SELECT * FROM ratings_lock WHERE name = 'pool' FOR UPDATE"
    with held(postgres_url, made, pool) as start:
        joining, beginning = start("join the planned night"), start("night")
        assert not joining.done()
        assert not beginning.done()
    assert joining.result(DEADLINE) == "done"
    assert beginning.result(DEADLINE) == "done"


def test_a_guest_can_log_in_to_an_account_as_their_tournament_seats_both(
    postgres_url: str, made: seat_workers.Keys
) -> None:
    """Who waits in the queue locks the pool: the tournament's row must not be locked after it."""
    pool = "SELECT * FROM ratings_lock WHERE name = 'pool' FOR UPDATE"
    with held(postgres_url, made, pool) as start:
        merging, seating = start("log in"), start("the guest's tournament")
        assert not merging.done()
        assert not seating.done()
    assert merging.result(DEADLINE) == "done"
    assert seating.result(DEADLINE) == "done"


@pytest.mark.parametrize(("guest", "where"), [("visitor", "night"), ("entrant", "tournament")])
def test_a_guest_who_logs_in_as_they_are_seated_has_the_seat(
    postgres_url: str, made: seat_workers.Keys, guest: str, where: str
) -> None:
    """The seat refers to the guest, whose row is gone by the time it would be committed."""
    # The seats are stored already, and not committed.
    with held(postgres_url, made, "LOCK TABLE ratings_play IN SHARE MODE") as start:
        seating, merging = start(f"the {guest}'s {where}"), start(f"the {guest} logs in")
        assert not seating.done()
    assert seating.result(DEADLINE) == "done"
    assert merging.result(DEADLINE) == "done"
    assert query(postgres_url, TABLES, made["ida"]) == [(1,)]
