"""Files that are kept from one run of a day to the next, such as a migrated, empty SQLite file.

To migrate takes five to seven seconds of processor time. While neither the sources of the site nor
its libraries have changed, a second migration on the same day makes the same database.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from tests.support.launcher import ROOT
from tests.support.servers import manage, sqlite_url

KEPT = ROOT / ".local" / "migrated"
"""The folder of the files that are kept: one for each version of the sources, for a day."""

DAY_S = 24 * 3600

GIVEN = "MIGRATED_DATABASE"
"""The environment variable with the path of a file to copy instead, whatever the sources say.

It is meant for many short runs of quick tests, as of mutants: these runs start no launcher either.
"""

ENDINGS = (".sqlite3", ".sql", ".zip")
"""Of files that are kept; one with another ending is unfinished."""

SOURCES = ("cribbage_site", "games", "ratings")
LIBRARIES = ROOT / "requirements-dev.lock"


def make(file: Path) -> None:
    """Write a migrated, empty database to ``file``, which may be copied and not written to."""
    if given := os.environ.get(GIVEN):
        shutil.copyfile(given, file)
        return
    kept = place(".sqlite3")
    unfinished = file.with_name("making.sqlite3")
    try:
        shutil.copyfile(kept, unfinished)
    except FileNotFoundError:
        unfinished.unlink(missing_ok=True)
        manage(sqlite_url(unfinished.parent, unfinished.name), "migrate", "-v", "0")
        assert not list(file.parent.glob("*-wal")), "without a WAL file it can be copied"
        keep(unfinished, kept)
    unfinished.rename(file)


def place(ending: str, *others: Path) -> Path:
    """Return where the file with this ending is kept for the sources and libraries of today.

    Its other sources are in the folders `others`.
    """
    return KEPT / f"{_digest(others)}{ending}"


def keep(made: Path, kept: Path) -> None:
    """Keep a file, and delete those of earlier days; another run may do the same meanwhile.

    Those of the day stay: clones that share the folder, or a change of the branch, need them again.
    """
    KEPT.mkdir(parents=True, exist_ok=True)
    unfinished = kept.with_suffix(f".{os.getpid()}")
    shutil.copyfile(made, unfinished)
    for other in (file for ending in ENDINGS for file in KEPT.glob(f"*{ending}")):
        with contextlib.suppress(FileNotFoundError):
            if other.stat().st_mtime < time.time() - DAY_S:
                other.unlink()
    unfinished.rename(kept)


def _digest(others: Iterable[Path]) -> str:
    """Return a digest of all that a kept file's content follows from."""
    found = sha256(f"{sys.version} {datetime.now(UTC).date()}".encode())
    sources = [(ROOT, LIBRARIES)]
    sources += [(ROOT, file) for name in SOURCES for file in (ROOT / name).rglob("*.py")]
    sources += [(base, file) for base in others for file in base.rglob("*") if file.is_file()]
    for base, file in sorted(sources):
        found.update(f"{file.relative_to(base)} {file.stat().st_size}\n".encode())
        found.update(file.read_bytes())
    return found.hexdigest()[:20]
