"""Simulate cheats with several identities: `make bench-fair`.

`python -m benchmarks.adversary collusion 10000` only simulates so many honest games of three.
"""

import os
import sys

import django


def main() -> int:
    """Print all tables; return 1 if the goal is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from benchmarks.adversary import collusion, report

    if sys.argv[1:2] == ["collusion"]:
        collusion.main(*map(int, sys.argv[2:]))
        return 0
    missed = report.main()
    collusion.main()
    return missed


if __name__ == "__main__":
    sys.exit(main())
