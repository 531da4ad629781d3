"""Concurrent pairing in several processes on real databases: no player is dealt a game twice."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.support import crowd

PEOPLE = 8


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_concurrent_requests_seat_each_player_once_on_new_cards(
    database_url: str, seats: int, tmp_path: Path
) -> None:
    number = PEOPLE if seats == 2 else 6
    people = crowd.make_people(database_url, number)
    for rounds in range(1, 3):
        halves = [people[0::2], people[1::2]]
        place = tmp_path / f"round-{rounds}"
        running = crowd.begin(database_url, halves, seats=seats, place=place)
        seated: dict[str, str] = {}
        for process in running:
            seated.update(json.loads(process.finish()))
        assert len(seated) == number
        assert all(seated.values())
        assert set(Counter(seated.values()).values()) == {seats}
        rows = crowd.attempts(database_url)
        assert len(rows) == number * rounds
        assert max(Counter((player, game) for player, game, _ in rows).values()) == 1
        crowd.finish(database_url)
