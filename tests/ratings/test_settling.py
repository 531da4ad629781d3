"""Sweeps come to rest, or say that they do not."""

import numpy as np
import pytest

from ratings.model.settling import NotSettledError, settle


def test_a_slow_map_settles_in_few_sweeps() -> None:
    rates = np.array([0.999, -0.999, 0.9, 0.5, 0.0])
    found, sweeps = settle(lambda here: rates * here + 1.0, np.zeros(5), 1e-9)
    assert found == pytest.approx(1.0 / (1.0 - rates), abs=1e-5)
    assert sweeps < 12


def test_a_map_without_rest_is_an_error() -> None:
    with pytest.raises(NotSettledError, match="still moving by 1"):
        settle(lambda here: here + 1.0, np.zeros(2), 1e-9)
