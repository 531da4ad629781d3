"""Play the leagues of computer players again: python -m benchmarks.ratings.play [LEAGUE].

Takes about five minutes of one core per league; the results are written to `data/bots`.
"""

import os
import sys
from time import perf_counter

import django


def main() -> None:
    """Play the named leagues, or all."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from benchmarks.ratings import bots

    for league in sys.argv[1:] or bots.LEAGUES:
        begun = perf_counter()
        bots.write(league)
        print(f"{league}: {perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
