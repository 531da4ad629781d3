"""Fixtures of the tests of ratings."""

import random

import pytest

from ratings.standard import catalogue, decks


@pytest.fixture(autouse=True)
def _shallow_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table that may share a game take an open one, if there is one."""
    monkeypatch.setattr(catalogue, "MIN_DEPTH", 0)
    monkeypatch.setattr(catalogue, "DEPTH_PER_PLAY", 1e-9)


@pytest.fixture(autouse=True)
def _fast_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffle packs without asking the operating system 1,600 times for each new game."""
    monkeypatch.setattr(decks, "_random", random.Random())
