"""Real processes close one season at once, one of them is killed, and it is closed once."""

from pathlib import Path

import pytest

from tests.support import season_workers
from tests.support.waiting import wait_for


@pytest.mark.slow
def test_workers_that_close_at_once_and_die_close_a_season_once(
    database_url: str, tmp_path: Path
) -> None:
    season = season_workers.make(database_url)
    killed, survivor = season_workers.begin(database_url, season, 2, tmp_path / "first")
    wait_for(lambda: season_workers.outcome(database_url, season)["counted"] is not None)
    killed.process.kill()
    assert survivor.finish().strip() == "done"
    first = season_workers.outcome(database_url, season)
    (late,) = season_workers.begin(database_url, season, 1, tmp_path / "second")
    assert late.finish().strip() == "done"
    assert season_workers.outcome(database_url, season) == first
    assert first["final"]
    assert first["counted"].startswith("2026-06-04")
    assert first["players"] == len(first["places"]) == season_workers.PLAYERS
    assert first["places"] == sorted(first["places"])
    assert first["titles"] == [1, 2, 3]
