"""Glicko-2, used for comparison, is implemented as published."""

import numpy as np
import pytest

from benchmarks.ratings.glicko import SCALE, State, updated


def test_the_published_glicko_2_example_is_reproduced() -> None:
    """M. Glickman, "Example of the Glicko-2 system": 1500 becomes 1464.06, RD 151.52."""
    rating = np.array([1500.0, 1400.0, 1550.0, 1700.0])
    rd = np.array([200.0, 30.0, 100.0, 300.0])
    before = State((rating - 1500.0) / SCALE, rd / SCALE, np.full(4, 0.06))
    players = np.array([[0, 1], [0, 2], [3, 0]])
    after = updated(before, players, np.array([1.0, 0.0, 1.0]), 0.5, first_deal=0.0)
    assert 1500.0 + SCALE * after.mu[0] == pytest.approx(1464.06, abs=0.01)
    assert SCALE * after.phi[0] == pytest.approx(151.52, abs=0.01)
    assert after.sigma[0] == pytest.approx(0.05999, abs=1e-5)
