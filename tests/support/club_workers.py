"""Workers that join the same clubs at the same time; run as a module in other processes.

With the argument "make", it stores clubs with a place left and players who want it, and prints
their keys. Otherwise standard input is {"clubs": keys, "players": keys, "place": folder,
"processes": n}: the processes begin together, and each player tries to join each club.
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment
from tests.support.waiting import meet

_MODULE = ("-m", "tests.support.club_workers")
MEMBERS, CLUBS, PROCESSES, PLAYERS = 3, 12, 2, 4
"""Members that a club may have here, clubs, processes, and players of each process."""


def make(database_url: str) -> dict[str, list[int]]:
    """Store clubs and players in that database; return their primary keys."""
    said = Script([*_MODULE, "make"], site_environment(database_url)).finish()
    found: dict[str, list[int]] = json.loads(said)
    return found


def join_all(database_url: str, made: dict[str, list[int]], place: Path) -> None:
    """Have processes join all clubs at once; `place` is a new folder where they meet."""
    place.mkdir()
    scripts = []
    for number in range(PROCESSES):
        wish: dict[str, Any] = {
            "clubs": made["clubs"], "players": made["players"][number::PROCESSES],
            "place": str(place), "processes": PROCESSES,
        }  # fmt: skip
        environment = site_environment(database_url)
        scripts.append(Script([*_MODULE], environment, text=json.dumps(wish)))
    for script in scripts:
        script.finish()


def members(database_url: str) -> list[int]:
    """Return the number of members of each club."""
    said = Script([*_MODULE, "count"], site_environment(database_url)).finish()
    found: list[int] = json.loads(said)
    return found


def _make() -> None:
    from games.models import Player
    from ratings.clubs import clubs

    founder = Player.objects.create_user("Founder", kind="person")
    made = [clubs.create(player=founder, name=f"Club {number}").pk for number in range(CLUBS)]
    names = [f"Player {number}" for number in range(PROCESSES * PLAYERS)]
    players = [Player.objects.create_user(name, kind="person").pk for name in names]
    print(json.dumps({"clubs": made, "players": players}))


def _work() -> None:
    from games.api import Refused
    from games.models import Player
    from ratings.clubs import clubs
    from ratings.models import Club

    wish = json.load(sys.stdin)
    clubs.MAX_MEMBERS = MEMBERS
    players = list(Player.objects.filter(pk__in=wish["players"]))
    meet(Path(wish["place"]), wish["processes"])
    for club in Club.objects.filter(pk__in=wish["clubs"]).order_by("pk"):
        for player in players:
            with contextlib.suppress(Refused):
                clubs.join(player=player, token=club.token)


def _count() -> None:
    from ratings.models import Club

    print(json.dumps([club.memberships.count() for club in Club.objects.order_by("pk")]))


if __name__ == "__main__":
    import django

    django.setup()
    {"make": _make, "count": _count}.get("".join(sys.argv[1:]), _work)()
