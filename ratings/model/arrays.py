"""Names for the array types that the model uses."""

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Scalar = TypeVar("Scalar", bound=np.generic)


def grown(column: NDArray[Scalar], length: int, fill: float = 0) -> NDArray[Scalar]:
    """`column`, or where it is shorter than `length` a copy at least half as long again."""
    if len(column) >= length:
        return column
    longer = np.full((max(length, 3 * len(column) // 2, 16), *column.shape[1:]), fill, column.dtype)
    longer[: len(column)] = column
    return longer
