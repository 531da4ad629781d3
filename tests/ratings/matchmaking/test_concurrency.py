"""Concurrent requests in the queue: no player is dealt a game twice, or seated after leaving."""

import json
from collections import Counter
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from games.people.accounts import create_guest
from ratings.matchmaking import queue
from tests.support import crowd
from tests.support.at_once import at_once
from tests.support.waiting import DEADLINE

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


@pytest.mark.django_db(transaction=True)
def test_who_leaves_while_being_seated_is_told_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They would otherwise lose a game of which they know nothing."""
    ann, bob = create_guest(), create_guest()
    queue.enter(player=bob, seats=2)
    seating = Barrier(2)
    start_match = queue._start_match

    def start_together(players: Any) -> Any:
        seating.wait(DEADLINE)
        return start_match(players)

    def leave() -> None:
        seating.wait(DEADLINE)
        queue.leave(player=bob)

    monkeypatch.setattr(queue, "_start_match", start_together)
    at_once(lambda: queue.enter(player=ann, seats=2), leave)
    match = queue.unfinished(bob)
    assert match is not None
    assert queue.poll(player=bob).match == match.public_id
