"""Loading of the shipped puzzles into the database, as a job that may run again at any time."""

from __future__ import annotations

from games.jobs.backend import BATCH, job
from games.learn import puzzle_file
from games.learn.glicko import PUZZLE_DEVIATION, VOLATILITY
from games.models import RatedPuzzle

AT_ONCE = 500
"""Rows of one statement."""


@job(queue=BATCH)
def load_puzzles() -> None:
    """Add the puzzles of the file that the database lacks; the ratings of the others stay."""
    known = set(RatedPuzzle.objects.values_list("position", flat=True))
    rows = [
        RatedPuzzle(
            kind=made.kind,
            theme=made.theme,
            position=made.position,
            rating=made.rating,
            deviation=PUZZLE_DEVIATION,
            volatility=VOLATILITY,
        )
        for made in puzzle_file.read()
        if made.position not in known
    ]
    RatedPuzzle.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)


def load_first_puzzles() -> None:
    """Load the puzzles at once if there are none: on a new site, before the nightly job."""
    if not RatedPuzzle.objects.exists():
        load_puzzles.call()
