"""Arrays that grow row by row."""

import numpy as np

from ratings.model.arrays import with_capacity


def test_an_array_that_is_long_enough_is_returned_itself() -> None:
    column = np.arange(40.0)
    assert with_capacity(column, 40) is column


def test_a_longer_copy_has_room_for_half_as_much_again() -> None:
    longer = with_capacity(np.arange(40), 41, fill=7)
    assert longer.tolist() == [*range(40), *[7] * 20]


def test_a_copy_is_at_least_as_long_as_asked_and_never_tiny() -> None:
    assert with_capacity(np.zeros((10, 3)), 100).shape == (100, 3)
    assert len(with_capacity(np.zeros(0), 1)) == 16
