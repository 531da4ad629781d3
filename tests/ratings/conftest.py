"""Fixtures of the tests of ratings."""

import random
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache

import pytest

from games.analysis.par import Par, par
from ratings.clubs import night_state_machine
from ratings.events import pairings, seating
from ratings.matchmaking import queue
from ratings.standard import decks, house_field, pars, trust
from ratings.standard.simulation import ComputerPlayer, SimulatedGame, simulate
from tests.support.stored import shallow_pool


@pytest.fixture(autouse=True)
def _shallow_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    shallow_pool(monkeypatch)


@pytest.fixture(autouse=True)
def _patient_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players wait although nobody polls for them: a busy machine takes seconds for a request.

    Tests set those who have gone back by a minute.
    """
    monkeypatch.setattr(queue, "GONE_AFTER", timedelta(seconds=59))


@pytest.fixture(autouse=True)
def _packs_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin each test with the same random packs, which differ between runs.

    So what follows from packs alone is computed once: par, and the house computers' games. A real
    game asks the operating system 1,600 times for its packs.
    """
    monkeypatch.setattr(decks, "_random", random.Random(PACKS))
    monkeypatch.setattr(house_field, "simulate", _simulated)
    monkeypatch.setattr(pars, "par", _par)


PACKS = random.randrange(2**32)


def _simulated(players: Sequence[ComputerPlayer], packs: Sequence[str]) -> SimulatedGame:
    return _simulated_once(tuple(players), tuple(packs))


@lru_cache(maxsize=256)
def _simulated_once(players: tuple[ComputerPlayer, ...], packs: tuple[str, ...]) -> SimulatedGame:
    return simulate(players, packs)


def _par(packs: Sequence[Sequence[int]], *, seats: int) -> Par:
    return _par_once(tuple(map(tuple, packs)), seats)


@lru_cache(maxsize=256)
def _par_once(packs: tuple[tuple[int, ...], ...], seats: int) -> Par:
    return par(packs, seats=seats)


@pytest.fixture
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in every run: with others a result may just equal its expectation."""
    monkeypatch.setattr(decks, "_random", random.Random(11))


@pytest.fixture
def same_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the same cards, pairings and seats of a tournament in every run."""
    rng = random.Random(5)
    for module in (decks, pairings, seating):
        monkeypatch.setattr(module, "_random", rng)


@pytest.fixture
def same_night(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the same cards and pairs of a club night in every run."""
    monkeypatch.setattr(decks, "_random", random.Random(5))
    monkeypatch.setattr(night_state_machine, "_random", random.Random(5))


@pytest.fixture
def all_are_established(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every account for an established one, without ranked games."""
    monkeypatch.setattr(trust, "PLACEMENT", 0)
