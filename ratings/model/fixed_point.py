"""Fixed-point iteration of a linear map with Anderson acceleration.

D. G. Anderson, "Iterative procedures for nonlinear integral equations", J. ACM 12 (1965). For a
linear map, it is equivalent to GMRES: H. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011). Plain
iteration stalls if a few players meet each other hundreds of times.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from ratings.model.arrays import Floats

HISTORY = 8
"""Number of earlier sweeps used to accelerate the next."""
MAX_SWEEPS = 500


class ConvergenceError(ArithmeticError):
    """The iteration did not converge."""


def solve(sweep: Callable[[Floats], Floats], start: Floats, tolerance: float) -> tuple[Floats, int]:
    """Return the fixed point of `sweep`, and the number of sweeps.

    The last sweep changes no element by more than `tolerance` (in the unit of the elements).
    Raises ConvergenceError after MAX_SWEEPS sweeps.
    """
    here = start
    steps: deque[tuple[Floats, Floats]] = deque(maxlen=HISTORY)
    swept = move = start
    for count in range(1, MAX_SWEEPS + 1):
        swept_before, move_before = swept, move
        swept = sweep(here)
        move = swept - here
        largest = float(np.abs(move).max(initial=0.0))
        if largest <= tolerance:
            return swept, count
        if count > 1:
            steps.append((swept - swept_before, move - move_before))
        here = _accelerated(swept, move, steps)
    raise ConvergenceError(f"still moving by {largest:.3g} after {MAX_SWEEPS} sweeps")


def _accelerated(swept: Floats, move: Floats, steps: deque[tuple[Floats, Floats]]) -> Floats:
    """Return the point with the smallest next move, for the linear map that `steps` span."""
    if not steps:
        return swept
    moves = np.stack([step[1] for step in steps])
    share = np.linalg.lstsq(moves @ moves.T, moves @ move, rcond=1e-14)[0]
    mixed = swept.copy()
    for weight, step in zip(share, steps, strict=True):
        mixed -= weight * step[0]
    return mixed
