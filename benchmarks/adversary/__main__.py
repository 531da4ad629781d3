"""Simulate cheats with several identities: `make bench-fair`.

`python -m benchmarks.adversary collusion 10000` only simulates so many honest games of three; with
a file after the number they are kept there, and a number below those stored plays none.
"""

import os
import sys
from pathlib import Path

import django


def main() -> int:
    """Print all tables; return 1 if the goal is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from benchmarks.adversary import collusion, report

    if sys.argv[1:2] == ["collusion"]:
        games, *file = sys.argv[2:] or [str(collusion.GAMES)]
        collusion.main(int(games), *map(Path, file))
        return 0
    missed = report.main()
    collusion.main()
    return missed


if __name__ == "__main__":
    sys.exit(main())
