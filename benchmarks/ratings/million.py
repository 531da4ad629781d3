"""A million results on one core: python -m benchmarks.ratings.million UPDATES (prints JSON)."""

import json
import os
import resource
import sys
import time

import numpy as np

from benchmarks.ratings.leagues import random_league
from ratings.model.constants import TWO_SEATS
from ratings.model.fit import fit
from ratings.model.incremental import IncrementalRatings

ROWS, PLAYERS, GAMES = 1_000_000, 100_000, 100_000


def main(updates: int) -> dict[str, float]:
    """Time a full fit, then that many incremental updates; seconds, MB and Elo.

    Update times are CPU times, which other load hardly affects; wall times are printed as well.
    """
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rng = np.random.default_rng(1)
    league = random_league(TWO_SEATS, rng, players=PLAYERS, rows=ROWS + updates, games=GAMES)
    first = league.results.rows(np.arange(ROWS))
    began = time.perf_counter()
    found = fit(first, TWO_SEATS)
    fit_s = time.perf_counter() - began
    fit_mb = _peak_mb()
    updated = IncrementalRatings(first, TWO_SEATS, found)
    loaded_s = time.perf_counter() - began - fit_s
    times, waits, moved = [], [], []
    for row in range(ROWS, ROWS + updates):
        result = league.results.rows([row])
        began, worked = time.perf_counter(), time.process_time()
        moved.append(len(updated.add(result)))
        times.append(time.process_time() - worked)
        waits.append(time.perf_counter() - began)
    refit = fit(league.results, TWO_SEATS, found)
    found_again = refit.rating
    drift = [abs(updated.rating(player) - found_again[player]) for player in range(PLAYERS)]
    return {
        "fit_s": fit_s,
        "fit_mb": fit_mb,
        "sweeps": found.sweeps,
        "load_s": loaded_s,
        "update_mb": _peak_mb(),
        "update_p50_ms": 1000.0 * float(np.percentile(times, 50)),
        "update_p99_ms": 1000.0 * float(np.percentile(times, 99)),
        "update_p99_wall_ms": 1000.0 * float(np.percentile(waits, 99)),
        "moved": float(np.mean(moved)),
        "drift": float(max(drift)),
    }


def _peak_mb() -> float:
    """Return the peak memory of this process, MB, including the league's own arrays."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
