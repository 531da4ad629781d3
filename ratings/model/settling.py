"""Sweeps of a linear map until nothing moves, sped up by Anderson mixing.

D. G. Anderson, "Iterative procedures for nonlinear integral equations", J. ACM 12 (1965);
for a linear map it is GMRES in disguise: H. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011).
Plain sweeps stall where a few players meet each other hundreds of times.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from ratings.model.arrays import Floats

MEMORY = 8
"""Earlier sweeps that are mixed into the next."""
MOST_SWEEPS = 500


class NotSettledError(ArithmeticError):
    """The sweeps did not come to rest."""


def settle(
    sweep: Callable[[Floats], Floats], start: Floats, tolerance: float
) -> tuple[Floats, int]:
    """The fixed point of `sweep`, and how many sweeps it took.

    Ends when a sweep moves no element by more than `tolerance` (in the elements' unit).
    Raises NotSettledError after MOST_SWEEPS sweeps.
    """
    here = start
    steps: deque[tuple[Floats, Floats]] = deque(maxlen=MEMORY)
    swept = move = start
    for count in range(1, MOST_SWEEPS + 1):
        swept_before, move_before = swept, move
        swept = sweep(here)
        move = swept - here
        largest = float(np.abs(move).max(initial=0.0))
        if largest <= tolerance:
            return swept, count
        if count > 1:
            steps.append((swept - swept_before, move - move_before))
        here = _mixed(swept, move, steps)
    raise NotSettledError(f"still moving by {largest:.3g} after {MOST_SWEEPS} sweeps")


def _mixed(swept: Floats, move: Floats, steps: deque[tuple[Floats, Floats]]) -> Floats:
    """The point whose next move would be smallest, were the map what `steps` saw of it."""
    if not steps:
        return swept
    moves = np.stack([step[1] for step in steps])
    share = np.linalg.lstsq(moves @ moves.T, moves @ move, rcond=1e-14)[0]
    mixed = swept.copy()
    for weight, step in zip(share, steps, strict=True):
        mixed -= weight * step[0]
    return mixed
