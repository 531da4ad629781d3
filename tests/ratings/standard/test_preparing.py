"""New standard games are prepared by jobs, without blocking the queue for ranked games."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import connection, transaction
from django_tasks_db.models import DBTaskResult

from games.api import Par, par
from games.jobs.worker import work_off
from ratings.matchmaking import queue
from ratings.models import Attempt, Lock, Play, StandardGame
from ratings.standard import catalogue, house_field, pars, row_lock
from ratings.standard.simulation import ComputerPlayer, SimulatedGame, simulate
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db(transaction=True)


class Watched:
    """What game preparation did to the database while it computed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.in_transaction: list[bool] = []
        self.held: list[str] = []
        hold = row_lock.lock_row

        def play_watched(players: Sequence[ComputerPlayer], packs: Sequence[str]) -> SimulatedGame:
            self.in_transaction.append(connection.in_atomic_block)
            return simulate(players, packs)

        def par_watched(packs: Sequence[Sequence[int]], *, seats: int) -> Par:
            self.in_transaction.append(connection.in_atomic_block)
            return par(packs, seats=seats)

        def hold_watched(name: str) -> Lock:
            self.held.append(name)
            return hold(name)

        monkeypatch.setattr(house_field, "simulate", play_watched)
        monkeypatch.setattr(pars, "par", par_watched)
        monkeypatch.setattr(row_lock, "lock_row", hold_watched)


def test_people_are_paired_before_their_game_is_prepared() -> None:
    ann, bob, cat, dan = people(4)
    for player in (ann, bob, cat, dan):
        queue.enter(player=player, seats=2)
    assert queue.poll(player=ann).match
    assert Play.objects.filter(kind=Play.Kind.RANKED).count() == 2
    assert not Play.objects.filter(kind=Play.Kind.FIELD).exists()
    assert DBTaskResult.objects.filter(queue_name="batch").exists()


def test_games_are_simulated_without_a_lock_or_a_transaction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No transaction is open during play-outs, and the pool is never locked for them."""
    ann, bob = people(2)
    queue.enter(player=ann, seats=2)
    queue.enter(player=bob, seats=2)
    watched = Watched(monkeypatch)
    work_off()
    assert watched.in_transaction == [False] * (1 + len(house_field.TABLES[2]))
    assert row_lock.POOL not in watched.held
    game = StandardGame.objects.get()
    assert game.par is not None
    assert Attempt.objects.filter(standard_game=game, play__kind=Play.Kind.FIELD).count() == 8


def test_a_game_that_is_not_stored_after_all_has_no_job() -> None:
    with transaction.atomic():
        catalogue.make(seats=2)
        transaction.set_rollback(True)
    assert not DBTaskResult.objects.exists()


def test_a_game_is_prepared_once_however_often_it_is_tried() -> None:
    game = catalogue.make(seats=2)
    for _ in range(2):
        catalogue.prepare_new.enqueue(game.pk)
        work_off()
    assert Play.objects.filter(kind=Play.Kind.FIELD).count() == len(house_field.TABLES[2])
