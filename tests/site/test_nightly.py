"""The nightly backup of a real database: deploy/nightly.py."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, time
from pathlib import Path

import pytest

from deploy import nightly
from tests.support.logs import query
from tests.support.servers import ROOT, site_environment, sqlite_url
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_for

NIGHT_S = 4 * DEADLINE
"""Time limit in seconds: a night starts a process."""


@pytest.fixture
def url(tmp_path: Path, empty_database: Path) -> str:
    """Return a database with a match."""
    shutil.copyfile(empty_database, tmp_path / "site.sqlite3")
    made = sqlite_url(tmp_path)
    make_tables(made, wish())
    return made


def matches(url: str) -> int:
    """Return how many matches there are."""
    ((number,),) = query(url, "SELECT COUNT(*) FROM games_match")
    return int(number)


def begin(url: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "deploy/nightly.py", *arguments],
        cwd=ROOT, stderr=subprocess.PIPE, text=True, env=site_environment(url),
    )  # fmt: skip


@pytest.mark.slow
def test_one_night_makes_a_backup(url: str, tmp_path: Path) -> None:
    done = begin(url, "--backups", str(tmp_path / "kept"))
    assert done.wait(NIGHT_S) == 0, done.stderr
    (saved,) = (tmp_path / "kept").iterdir()
    assert matches(f"sqlite:///{saved}") == 1


@pytest.mark.slow
def test_a_failed_backup_is_reported(url: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = begin(url, "--backups", str(tmp_path / "file"))
    _, said = done.communicate(timeout=NIGHT_S)
    assert done.returncode == 1
    assert "the backup failed" in said


@pytest.mark.slow
def test_a_missed_night_is_made_up_for_at_the_start(url: str, tmp_path: Path) -> None:
    """As compose runs it; SIGTERM, which stops a container, ends it."""
    kept = tmp_path / "kept"
    in_half_a_day = datetime.now(UTC) + nightly.DAY / 2
    running = begin(url, "--backups", str(kept), "--every-night", f"{in_half_a_day:%H:%M}")
    try:
        wait_for(lambda: list(kept.glob("cribbage-*.sqlite3")), within=NIGHT_S)
        running.send_signal(signal.SIGTERM)
        assert running.wait(DEADLINE) == 0
    finally:
        running.kill()
        running.communicate()


def test_the_next_night_is_today_or_tomorrow() -> None:
    at = time(4, 10)
    early, late = (datetime(2026, 11, 20, hour, 0, tzinfo=UTC) for hour in (3, 5))
    assert nightly.next_night(early, at) == datetime(2026, 11, 20, 4, 10, tzinfo=UTC)
    assert nightly.next_night(late, at) == datetime(2026, 11, 21, 4, 10, tzinfo=UTC)


def test_a_night_is_missed_if_the_newest_backup_is_older_than_a_day(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    assert nightly.is_missed(tmp_path, now)
    (tmp_path / "cribbage-0.part").touch()
    assert nightly.is_missed(tmp_path, now), "one that was interrupted does not count"
    (tmp_path / "cribbage-1.pgdump").touch()
    assert not nightly.is_missed(tmp_path, now)
    assert nightly.is_missed(tmp_path, now + 2 * nightly.DAY)
