"""The files that runs of one day share: migrated databases, and hashed static files."""

import os
import time
from pathlib import Path

import pytest

from tests.support import hashed, migrated

DAYS_AGO = time.time() - 2 * migrated.DAY_S


def test_a_run_of_other_sources_leaves_the_file_of_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setattr(migrated, "KEPT", kept)
    made = tmp_path / "made"
    made.write_bytes(b"rows")
    for name in ("earlier.sqlite3", "earlier.sql", "one.sqlite3", "one.sql", "another.zip"):
        migrated.keep(made, kept / name)
        if name.startswith("earlier"):
            os.utime(kept / name, (DAYS_AGO, DAYS_AGO))
    assert {file.name for file in kept.iterdir()} == {"one.sqlite3", "one.sql", "another.zip"}
    assert (kept / "one.sqlite3").read_bytes() == b"rows"


def test_static_files_are_hashed_again_when_one_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static = tmp_path / "static"
    static.mkdir()
    source = static / "table.js"
    monkeypatch.setattr(migrated, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(hashed, "STATIC", static)
    collections: list[str] = []

    def collect(url: str, *arguments: str, extra: dict[str, str]) -> None:
        collections.append(source.read_text())
        (Path(extra["STATIC_ROOT"]) / "js").mkdir(parents=True)
        (Path(extra["STATIC_ROOT"]) / "js/table.1.js").write_text(source.read_text())

    monkeypatch.setattr(hashed, "manage", collect)
    for number, text in enumerate(["one", "one", "two", "one"]):
        source.write_text(text)
        folder = tmp_path / f"run-{number}" / "static"
        folder.parent.mkdir()
        hashed.make(folder)
        assert [file.name for file in folder.rglob("*")] == ["js", "table.1.js"]
        assert (folder / "js/table.1.js").read_text() == text
    assert collections == ["one", "two"]
