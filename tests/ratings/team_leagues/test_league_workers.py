"""Real processes close the rounds of one league at once, one of them is killed."""

from pathlib import Path

import pytest

from tests.support import league_workers
from tests.support.waiting import wait_for


@pytest.mark.slow
def test_rounds_that_are_closed_at_once_are_closed_once(database_url: str, tmp_path: Path) -> None:
    league = league_workers.make(database_url)
    before = league_workers.outcome(database_url)["version"]
    killed, survivor = league_workers.begin(database_url, league, 2, tmp_path / "first")
    wait_for(lambda: league_workers.outcome(database_url)["version"] > before)
    killed.process.kill()
    assert survivor.finish().strip() == "over"
    found = league_workers.outcome(database_url)
    rounds = 2 * (league_workers.TEAMS - 1)
    fixtures = rounds * league_workers.TEAMS // 2
    assert found["rounds"] == found["current"] == rounds
    assert found["hows"] == ["played"] + ["void"] * (fixtures - 1)
    assert (found["matches"], found["off"]) == (fixtures, fixtures - 1)
    assert found["places"] == [1, 2, 2, 4]
    # Both players of the winners, once.
    assert found["titles"] == [1, 1]
    # The first round closed, each other one opened and closed once, the end.
    assert found["version"] == before + 2 * rounds
