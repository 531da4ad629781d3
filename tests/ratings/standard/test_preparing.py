"""New standard games are prepared in the background, without blocking the queue."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest
from django.db import connection

from games.api import Par, par
from ratings.matchmaking import queue
from ratings.models import Attempt, Lock, Play, StandardGame
from ratings.standard import background, catalogue, house_field, pars, row_lock
from ratings.standard.simulation import ComputerPlayer, SimulatedGame, simulate
from tests.support.standard_tables import people
from tests.support.waiting import DEADLINE

pytestmark = pytest.mark.django_db(transaction=True)


class Halted:
    """Game preparation that blocks at its first play-out until `go` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go = threading.Event(), threading.Event()
        self.in_transaction: list[bool] = []
        self.held: list[str] = []
        hold = row_lock.lock_row

        def play_slowly(players: Sequence[ComputerPlayer], packs: Sequence[str]) -> SimulatedGame:
            self.in_transaction.append(connection.in_atomic_block)
            self.reached.set()
            assert self.go.wait(DEADLINE)
            return simulate(players, packs)

        def par_watched(packs: Sequence[Sequence[int]], *, seats: int) -> Par:
            self.in_transaction.append(connection.in_atomic_block)
            return par(packs, seats=seats)

        def hold_watched(name: str) -> Lock:
            if threading.current_thread() is not threading.main_thread():
                self.held.append(name)
            return hold(name)

        monkeypatch.setattr(house_field, "simulate", play_slowly)
        monkeypatch.setattr(pars, "par", par_watched)
        monkeypatch.setattr(row_lock, "lock_row", hold_watched)

    def wait_for_all(self) -> None:
        """Wait until all work queued so far is done."""
        done = threading.Event()
        background.run_later(done.set)
        assert done.wait(DEADLINE)


@pytest.fixture
def halted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Halted]:
    found = Halted(monkeypatch)
    yield found
    found.go.set()
    found.wait_for_all()


def test_the_queue_works_while_a_new_game_is_being_prepared(halted: Halted) -> None:
    ann, bob, cat, dan = people(4)
    assert queue.enter(player=ann, seats=2).waiting
    assert queue.enter(player=bob, seats=2).match
    assert halted.reached.wait(DEADLINE)
    assert queue.poll(player=ann).match
    assert queue.enter(player=cat, seats=2).waiting
    assert queue.enter(player=dan, seats=2).match
    assert Play.objects.filter(kind=Play.Kind.RANKED).count() == 2
    assert not Play.objects.filter(kind=Play.Kind.FIELD).exists()


def test_games_are_simulated_without_a_lock_or_a_transaction(halted: Halted) -> None:
    """No transaction is open during play-outs, and the pool is never locked for them."""
    ann, bob = people(2)
    queue.enter(player=ann, seats=2)
    queue.enter(player=bob, seats=2)
    halted.go.set()
    halted.wait_for_all()
    assert halted.in_transaction == [False] * (1 + len(house_field.TABLES[2]))
    assert row_lock.POOL not in halted.held
    game = StandardGame.objects.get()
    assert game.par is not None
    assert Attempt.objects.filter(standard_game=game, play__kind=Play.Kind.FIELD).count() == 8


def test_new_games_are_prepared_one_at_a_time(halted: Halted) -> None:
    for _ in range(3):
        catalogue.make(seats=2)
    assert halted.reached.wait(DEADLINE)
    assert StandardGame.objects.filter(par__isnull=False).count() == 1
    halted.go.set()
    halted.wait_for_all()
    assert StandardGame.objects.filter(par__isnull=False).count() == 3
    assert Play.objects.filter(kind=Play.Kind.FIELD).count() == 3 * len(house_field.TABLES[2])
