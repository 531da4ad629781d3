"""The migrated files that runs of one day share."""

import os
import time
from pathlib import Path

import pytest

from tests.support import migrated

DAYS_AGO = time.time() - 2 * migrated.DAY_S


def test_a_run_of_other_sources_leaves_the_file_of_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setattr(migrated, "KEPT", kept)
    made = tmp_path / "made"
    made.write_bytes(b"rows")
    for name in ("earlier.sqlite3", "earlier.sql", "one.sqlite3", "one.sql", "another.sqlite3"):
        migrated.keep(made, kept / name)
        if name.startswith("earlier"):
            os.utime(kept / name, (DAYS_AGO, DAYS_AGO))
    assert {file.name for file in kept.iterdir()} == {"one.sqlite3", "one.sql", "another.sqlite3"}
    assert (kept / "one.sqlite3").read_bytes() == b"rows"
