"""Fixtures of the tests of ratings."""

import pytest

from ratings.standard import catalogue


@pytest.fixture(autouse=True)
def _shallow_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table that may share a game take an open one, if there is one."""
    monkeypatch.setattr(catalogue, "MIN_DEPTH", 0)
    monkeypatch.setattr(catalogue, "DEPTH_PER_PLAY", 1e-9)
