"""Make what a run's first tests would make while others wait: ``python -m tests.support.prepare``.

These are the migrated databases and the hashed files, which are kept for a day.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support import hashed, migrated, shared_postgres


def main() -> None:
    """Make each of them that is not kept yet."""
    with tempfile.TemporaryDirectory(prefix="cribbage-prepared-") as name:
        folder = Path(name)
        migrated.make(folder / "empty.sqlite3")
        hashed.make(folder / "static")
        shared_postgres.start(folder).stop()


if __name__ == "__main__":
    main()
