"""Real processes join the same clubs at once, and no club gets more members than it may have."""

from pathlib import Path

import pytest

from tests.support import club_workers


@pytest.mark.slow
def test_the_last_places_of_clubs_go_to_one_player_each(database_url: str, tmp_path: Path) -> None:
    made = club_workers.make(database_url)
    club_workers.join_all(database_url, made, tmp_path / "meeting")
    assert club_workers.members(database_url) == [club_workers.MEMBERS] * club_workers.CLUBS
