"""Real processes join the same clubs at once, and no club gets more members than it may have."""

import shutil
from pathlib import Path

import pytest

from tests.support import club_workers
from tests.support.servers import sqlite_url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> str:
    if request.param == "postgres":
        url: str = request.getfixturevalue("postgres_url")
        return url
    shutil.copy(empty_database, tmp_path / "clubs.sqlite3")
    return sqlite_url(tmp_path, "clubs.sqlite3")


@pytest.mark.slow
@pytest.mark.servers
def test_the_last_places_of_clubs_go_to_one_player_each(database_url: str, tmp_path: Path) -> None:
    made = club_workers.make(database_url)
    club_workers.join_all(database_url, made, tmp_path / "meeting")
    assert club_workers.members(database_url) == [club_workers.MEMBERS] * club_workers.CLUBS
