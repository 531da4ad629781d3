"""Fixtures of the tests of ratings."""

import random

import pytest

from ratings.standard import decks
from tests.support.stored import shallow_pool


@pytest.fixture(autouse=True)
def _shallow_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    shallow_pool(monkeypatch)


@pytest.fixture(autouse=True)
def _fast_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffle packs without asking the operating system 1,600 times for each new game."""
    monkeypatch.setattr(decks, "_random", random.Random())
