"""Real processes end the last two nights of leagues at once, one is killed: one set of titles."""

from pathlib import Path

import pytest

from tests.support import club_league_workers
from tests.support.waiting import wait_for

TITLES = {"over": True, "titles": [["P 0", 1], ["P 2", 2]]}


@pytest.mark.slow
def test_leagues_whose_last_nights_end_at_once_close_once(
    database_url: str, tmp_path: Path
) -> None:
    keys = club_league_workers.make(database_url)
    # One process ends the first night of each league, the other the second.
    nights = [keys[::2], keys[1::2]]
    for script in club_league_workers.begin(database_url, nights, tmp_path / "meeting"):
        assert script.finish().strip() == "over"
    found = club_league_workers.outcome(database_url)
    assert found["nights"] == len(keys)
    assert found["leagues"] == [TITLES] * club_league_workers.LEAGUES


@pytest.mark.slow
def test_a_killed_worker_leaves_leagues_that_another_closes(
    database_url: str, tmp_path: Path
) -> None:
    keys = club_league_workers.make(database_url)
    killed, survivor = club_league_workers.begin(database_url, [keys, keys], tmp_path / "first")
    wait_for(lambda: club_league_workers.outcome(database_url)["nights"] > 0)
    killed.process.kill()
    assert survivor.finish().strip() == "over"
    (late,) = club_league_workers.begin(database_url, [keys], tmp_path / "second")
    assert late.finish().strip() == "over"
    found = club_league_workers.outcome(database_url)
    assert found["nights"] == len(keys)
    assert found["leagues"] == [TITLES] * club_league_workers.LEAGUES
