"""Memory of the rated plays in one process: python -m benchmarks.ratings.memory [PLAYS]."""

import gc
import os
import sys
import tracemalloc

import django
import numpy as np

from benchmarks.ratings.leagues import random_league
from ratings.model.constants import TWO_SEATS

PLAYS = 200_000
PER_PLAYER = PER_GAME = 20


def main(plays: int) -> None:
    """Print what a process keeps to rate the next play after this many, and the peak before."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from ratings.rating import updates
    from ratings.rating.rated_rows import Columns

    def read_columns(*, seats: int, upto: int) -> Columns:
        """Return random plays in place of the database's."""
        league = random_league(
            TWO_SEATS,
            np.random.default_rng(1),
            players=upto // PER_PLAYER,
            rows=upto,
            games=upto // PER_GAME,
        ).results
        numbers = np.arange(upto)
        return Columns(
            play=numbers,
            sequence=numbers,
            game=league.game,
            players=league.players,
            counted=league.margin,
            used=league.margin.copy(),
            par=np.zeros((upto, seats)),
        )

    updates.read_columns = read_columns  # type: ignore[attr-defined]
    gc.collect()
    tracemalloc.start()
    rater = updates.Rater(2, "", plays)
    gc.collect()
    kept, peak = tracemalloc.get_traced_memory()
    print(
        f"{rater.ratings.ledger.size:,} plays: {kept / 1e6:.1f} MB kept, {kept / plays:.0f} bytes "
        f"a play; {peak / 1e6:.1f} MB at the peak while they are loaded"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PLAYS)
