"""Fixed-point iteration converges or raises."""

import numpy as np
import pytest

from ratings.model.fixed_point import ConvergenceError, solve


def test_a_slow_map_converges_in_few_sweeps() -> None:
    rates = np.array([0.999, -0.999, 0.9, 0.5, 0.0])
    found, sweeps = solve(lambda here: rates * here + 1.0, np.zeros(5), 1e-9)
    assert found == pytest.approx(1.0 / (1.0 - rates), abs=1e-5)
    assert sweeps < 12


def test_a_map_without_a_fixed_point_raises() -> None:
    with pytest.raises(ConvergenceError, match="still moving by 1"):
        solve(lambda here: here + 1.0, np.zeros(2), 1e-9)
