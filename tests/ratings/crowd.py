"""Several people at once at the queue of one database; run as a module in processes of its own.

Standard input: {"people": [primary keys], "seats": n}. Each is a thread with a connection of its
own: it enters, asks until it has a match, and says which.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from typing import Any

from tests.servers import ROOT, site_environment

ROUNDS = 200


def begin(database_url: str, people: list[int], seats: int) -> subprocess.Popen[str]:
    """Start a process in which these people ask for a game."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ratings.crowd"],
        cwd=ROOT,
        env=site_environment(database_url),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps({"people": people, "seats": seats}))
    process.stdin.close()
    return process


def make_people(database_url: str, number: int) -> list[int]:
    """Make people in that database, and open games so that there is something to compete for."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.ratings.crowd", str(number)],
        cwd=ROOT,
        env=site_environment(database_url),
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    made: list[int] = json.loads(done.stdout)
    return made


def attempts(database_url: str) -> list[list[Any]]:
    """Return for each attempt of a person: player, standard game, match."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.ratings.crowd", "attempts"],
        cwd=ROOT,
        env=site_environment(database_url),
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    found: list[list[Any]] = json.loads(done.stdout)
    return found


def finish(database_url: str) -> None:
    """Say that all matches are over, so that everybody may ask again."""
    subprocess.run(
        [sys.executable, "-m", "tests.ratings.crowd", "finish"],
        cwd=ROOT,
        env=site_environment(database_url),
        check=True,
        timeout=60,
    )


def _finish() -> None:
    from games.models import Match

    Match.objects.update(status=Match.Status.FINISHED)


def _one(key: int, seats: int, found: dict[int, str]) -> None:
    from django.db import connection

    from games.models import Player
    from ratings.services import matching

    player = Player.objects.get(pk=key)
    standing = matching.enter(player=player, seats=seats)
    for _ in range(ROUNDS):
        if standing.match:
            break
        time.sleep(0.02)
        standing = matching.ask(player=player)
    found[key] = standing.match
    connection.close()


def _crowd() -> None:
    wish = json.load(sys.stdin)
    found: dict[int, str] = {}
    threads = [
        threading.Thread(target=_one, args=(key, wish["seats"], found)) for key in wish["people"]
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
    from ratings.services import catalogue

    catalogue._prepare_aside = lambda pk: None  # type: ignore[attr-defined]
    if len(sys.argv) == 1:
        _crowd()
    elif sys.argv[1] == "attempts":
        _attempts()
    elif sys.argv[1] == "finish":
        _finish()
    else:
        _make(int(sys.argv[1]))
