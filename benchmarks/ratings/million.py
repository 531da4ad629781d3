"""A million results on one core: python -m benchmarks.ratings.million PUSHES (prints JSON)."""

import json
import os
import resource
import sys
import time

import numpy as np

from benchmarks.ratings.leagues import random_league
from ratings.model.constants import TWO_SEATS
from ratings.model.fit import fit
from ratings.model.push import Push

ROWS, PLAYERS, GAMES = 1_000_000, 100_000, 100_000


def main(pushes: int) -> dict[str, float]:
    """Time a full fit, and then the push of so many more results; seconds, MB and Elo.

    The push's times are of the processor, so that they mean the same on a busy machine; the
    wall's are told beside them.
    """
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rng = np.random.default_rng(1)
    league = random_league(TWO_SEATS, rng, players=PLAYERS, rows=ROWS + pushes, games=GAMES)
    first = league.results.rows(np.arange(ROWS))
    began = time.perf_counter()
    found = fit(first, TWO_SEATS)
    fit_s = time.perf_counter() - began
    fit_mb = _peak_mb()
    push = Push(first, TWO_SEATS, found)
    loaded_s = time.perf_counter() - began - fit_s
    times, waits, moved = [], [], []
    for row in range(ROWS, ROWS + pushes):
        result = league.results.rows([row])
        began, worked = time.perf_counter(), time.process_time()
        moved.append(len(push.add(result)))
        times.append(time.process_time() - worked)
        waits.append(time.perf_counter() - began)
    refit = fit(league.results, TWO_SEATS, found)
    found_again = refit.rating
    drift = [abs(push.rating(player) - found_again[player]) for player in range(PLAYERS)]
    return {
        "fit_s": fit_s,
        "fit_mb": fit_mb,
        "sweeps": found.sweeps,
        "load_s": loaded_s,
        "push_mb": _peak_mb(),
        "push_p50_ms": 1000.0 * float(np.percentile(times, 50)),
        "push_p99_ms": 1000.0 * float(np.percentile(times, 99)),
        "push_p99_wall_ms": 1000.0 * float(np.percentile(waits, 99)),
        "moved": float(np.mean(moved)),
        "drift": float(max(drift)),
    }


def _peak_mb() -> float:
    """The most memory that this process has held, MB; the league's own arrays included."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
