"""Simulate cheats with several identities: `make bench-fair`."""

import os
import sys

import django


def main() -> int:
    """Print all tables; return 1 if the goal is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    django.setup()
    from benchmarks.adversary import report

    return report.main()


if __name__ == "__main__":
    sys.exit(main())
