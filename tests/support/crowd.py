"""Players entering the queue of one database concurrently; run as a module in other processes.

Standard input: {"people": [primary keys], "seats": n, "place": folder, "processes": n}. Each player
is a thread with its own database connection: it enters the queue when the players of all processes
are ready, polls until it has a match, and reports which.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment
from tests.support.waiting import DEADLINE, PAUSE, meet

_MODULE = ("-m", "tests.support.crowd")


def begin(database_url: str, groups: list[list[int]], *, seats: int, place: Path) -> list[Script]:
    """Start a process for each group of players; they all enter the queue at the same time.

    Each process prints the match of each of its players. `place` is a new folder where they meet.
    """
    place.mkdir()
    wish = {"seats": seats, "place": str(place), "processes": len(groups)}
    texts = [json.dumps({**wish, "people": people}) for people in groups]
    return [Script([*_MODULE], site_environment(database_url), text=text) for text in texts]


def make_people(database_url: str, number: int) -> list[int]:
    """Create players in that database; return their primary keys."""
    said = Script([*_MODULE, str(number)], site_environment(database_url)).finish()
    made: list[int] = json.loads(said)
    return made


def attempts(database_url: str) -> list[list[Any]]:
    """Return player, standard game and match of each attempt by a person."""
    said = Script([*_MODULE, "attempts"], site_environment(database_url)).finish()
    found: list[list[Any]] = json.loads(said)
    return found


def finish(database_url: str) -> None:
    """Mark all matches as finished, so that all players may queue again."""
    Script([*_MODULE, "finish"], site_environment(database_url)).finish()


def _finish() -> None:
    from games.models import Match

    Match.objects.update(status=Match.Status.FINISHED)


def _one(key: int, seats: int, ready: threading.Barrier, found: dict[int, str]) -> None:
    from django.db import connection

    from games.models import Player
    from ratings.matchmaking import queue

    player = Player.objects.get(pk=key)
    ready.wait(DEADLINE)
    standing = queue.enter(player=player, seats=seats)
    end = time.monotonic() + DEADLINE
    while not standing.match and time.monotonic() < end:
        time.sleep(PAUSE)
        standing = queue.poll(player=player)
    found[key] = standing.match
    connection.close()


def _crowd() -> None:
    wish = json.load(sys.stdin)
    found: dict[int, str] = {}
    ready = threading.Barrier(
        len(wish["people"]), lambda: meet(Path(wish["place"]), wish["processes"])
    )
    threads = [
        threading.Thread(target=_one, args=(key, wish["seats"], ready, found))
        for key in wish["people"]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(found))


def _make(number: int) -> None:
    from games.models import Player

    made = [Player.objects.create_user(f"Person {n}").pk for n in range(number)]
    print(json.dumps(made))


def _attempts() -> None:
    from ratings.models import Attempt

    rows = Attempt.objects.filter(computer=False)
    print(
        json.dumps(
            [
                list(row)
                for row in rows.values_list("player_id", "standard_game_id", "play__match_id")
            ]
        )
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django

    django.setup()
    from ratings.standard import catalogue

    catalogue.prepare_new = SimpleNamespace(enqueue=lambda pk: None)  # type: ignore[assignment]
    if len(sys.argv) == 1:
        _crowd()
    elif sys.argv[1] == "attempts":
        _attempts()
    elif sys.argv[1] == "finish":
        _finish()
    else:
        _make(int(sys.argv[1]))
