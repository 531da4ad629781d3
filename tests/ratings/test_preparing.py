"""A new standard game is prepared while the queue goes on: nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest
from django.db import connection

from games.api import Par, par
from ratings.models import Attempt, Lock, Play, StandardGame
from ratings.services import background, catalogue, field, locks, matching, pars
from ratings.services.playing import PlayedOut, Plays, play_out
from tests.ratings.tables import people

pytestmark = pytest.mark.django_db(transaction=True)

LONG_S = 60.0
"""More than any step here takes; only a test that fails waits so long."""


class Halted:
    """Preparation, stopped at its first play-out until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go = threading.Event(), threading.Event()
        self.in_transaction: list[bool] = []
        self.held: list[str] = []
        hold = locks.hold

        def play_slowly(players: Sequence[Plays], packs: Sequence[str]) -> PlayedOut:
            self.in_transaction.append(connection.in_atomic_block)
            self.reached.set()
            assert self.go.wait(LONG_S)
            return play_out(players, packs)

        def par_watched(packs: Sequence[Sequence[int]], *, seats: int) -> Par:
            self.in_transaction.append(connection.in_atomic_block)
            return par(packs, seats=seats)

        def hold_watched(name: str) -> Lock:
            if threading.current_thread() is not threading.main_thread():
                self.held.append(name)
            return hold(name)

        monkeypatch.setattr(field, "play_out", play_slowly)
        monkeypatch.setattr(pars, "par", par_watched)
        monkeypatch.setattr(locks, "hold", hold_watched)

    def wait_for_all(self) -> None:
        """Wait until whatever was begun so far is done."""
        done = threading.Event()
        background.later(done.set)
        assert done.wait(LONG_S)


@pytest.fixture
def halted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Halted]:
    found = Halted(monkeypatch)
    yield found
    found.go.set()
    found.wait_for_all()


def test_the_queue_answers_while_a_new_game_is_still_worked_on(halted: Halted) -> None:
    ann, bob, cat, dan = people(4)
    assert matching.enter(player=ann, seats=2).waiting
    assert matching.enter(player=bob, seats=2).match
    assert halted.reached.wait(LONG_S)
    assert matching.ask(player=ann).match
    assert matching.enter(player=cat, seats=2).waiting
    assert matching.enter(player=dan, seats=2).match
    assert Play.objects.filter(kind=Play.Kind.RANKED).count() == 2
    assert not Play.objects.filter(kind=Play.Kind.FIELD).exists()


def test_nothing_is_worked_out_while_anybody_is_kept_waiting(halted: Halted) -> None:
    """No transaction is open during play-outs, and the pool is never held for them."""
    ann, bob = people(2)
    matching.enter(player=ann, seats=2)
    matching.enter(player=bob, seats=2)
    halted.go.set()
    halted.wait_for_all()
    assert halted.in_transaction == [False] * (1 + len(field.TABLES[2]))
    assert locks.POOL not in halted.held
    game = StandardGame.objects.get()
    assert game.par is not None
    assert Attempt.objects.filter(standard_game=game, play__kind=Play.Kind.FIELD).count() == 8


def test_new_games_are_prepared_one_after_another(halted: Halted) -> None:
    for _ in range(3):
        catalogue.make(seats=2)
    assert halted.reached.wait(LONG_S)
    assert StandardGame.objects.filter(par__isnull=False).count() == 1
    halted.go.set()
    halted.wait_for_all()
    assert StandardGame.objects.filter(par__isnull=False).count() == 3
    assert Play.objects.filter(kind=Play.Kind.FIELD).count() == 3 * len(field.TABLES[2])
