"""Array types of the model, and arrays that grow."""

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Scalar = TypeVar("Scalar", bound=np.generic)


def with_capacity(column: NDArray[Scalar], length: int, fill: float = 0) -> NDArray[Scalar]:
    """Return `column`, or a larger copy if it is shorter than `length`.

    A copy is at least 1.5 times as long, so that appending row by row takes linear time.
    """
    if len(column) >= length:
        return column
    longer = np.full((max(length, 3 * len(column) // 2, 16), *column.shape[1:]), fill, column.dtype)
    longer[: len(column)] = column
    return longer
