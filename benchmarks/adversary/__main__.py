"""Simulate cheats with several identities: `make bench-fair`.

`python -m benchmarks.adversary collusion 10000` only simulates so many honest games of three,
`throws 10000` only throws, `agreement 1000` only replies. With a file after the number, they are
kept there, and a number below those stored plays none.
"""

import os
import sys
from pathlib import Path

import django


def main() -> int:
    """Print all tables; return 1 if the goal is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from benchmarks.adversary import agreement, collusion, hidden_throws, report

    parts = {"collusion": collusion, "throws": hidden_throws, "agreement": agreement}
    if part := parts.get(next(iter(sys.argv[1:]), "")):
        games, *file = sys.argv[2:] or [str(part.GAMES)]
        part.main(int(games), *map(Path, file))
        return 0
    missed = report.main()
    for part in parts.values():
        part.main()
    return missed


if __name__ == "__main__":
    sys.exit(main())
