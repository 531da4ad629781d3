"""Print the goals of the rating model and the results: python -m benchmarks.ratings."""

import argparse
import os
import sys
from functools import partial

import django

from benchmarks.ratings import goals


def main() -> None:
    """Run all benchmarks and print each line as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--updates",
        type=int,
        default=20_000,
        help="results to add after the million of G5 (%(default)s; some minutes)",
    )
    chosen = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    # Players and rules are imported through games.api, which needs Django.
    from benchmarks.ratings.endtoend import played_end_to_end

    parts = (
        goals.fixtures_met,
        goals.reference_met,
        goals.truth_recovered,
        goals.uncertainty_calibrated,
        partial(goals.million_fast, chosen.updates),
        goals.changes_explained,
        goals.cheats_and_leavers,
        played_end_to_end,
        goals.three_players,
    )
    _write("", "what", "goal", "got", "")
    met, missed = 0, []
    for part in parts:
        for line in part():
            if line.wanted and line.met:
                met += 1
            elif line.wanted:
                missed.append(f"{line.goal} {line.what}")
            mark = ("met" if line.met else "MISSED") if line.wanted else ""
            _write(line.goal, line.what, line.wanted, line.got, mark)
    sys.stdout.write(f"{met} lines met, {len(missed)} missed: {'; '.join(missed) or 'none'}\n")


def _write(goal: str, what: str, wanted: str, got: str, mark: str) -> None:
    """Print one line of the table at once."""
    sys.stdout.write(f"{goal:<4}{what:<52}{wanted:>24}{got:>24}  {mark}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
