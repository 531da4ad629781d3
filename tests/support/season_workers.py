"""Workers that close one season at the same time; run as a module in other processes.

With the argument "make", it stores a month of results and prints the season's key. Otherwise
standard input is {"season": key, "place": folder, "processes": n}: the processes begin together,
and each makes the season final again and again, a hundred times.
"""

from __future__ import annotations

import contextlib
import json
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment
from tests.support.waiting import meet

_MODULE = ("-m", "tests.support.season_workers")
_MAY = datetime(2026, 5, 20, tzinfo=UTC)
_END = datetime(2026, 6, 4, tzinfo=UTC)
GAMES, PLAYERS, TIMES = 12, 8, 100


def make(database_url: str) -> int:
    """Store a month of results in that database; return the season's primary key."""
    return int(Script([*_MODULE, "make"], site_environment(database_url)).finish())


def begin(database_url: str, season: int, number: int, place: Path) -> list[Script]:
    """Start processes that close the season; `place` is a new folder where they meet."""
    place.mkdir()
    wish = json.dumps({"season": season, "place": str(place), "processes": number})
    return [Script([*_MODULE], site_environment(database_url), text=wish) for _ in range(number)]


def outcome(database_url: str, season: int) -> dict[str, Any]:
    """Return what is stored of a season."""
    said = Script([*_MODULE, "outcome", str(season)], site_environment(database_url)).finish()
    found: dict[str, Any] = json.loads(said)
    return found


def _make() -> None:
    from games.models import Player
    from ratings.models import Attempt, Play, Season, StandardGame
    from ratings.standard import catalogue
    from ratings.standard import decks as packing

    people = [Player.objects.create_user(f"Player {number}") for number in range(PLAYERS)]
    for number in range(GAMES):
        game = catalogue.make(seats=2, packs=packing.new_packs(packing.HANDS))
        StandardGame.objects.filter(pk=game.pk).update(par=[0.0, 0.0])
        for first in range(0, PLAYERS, 2):
            play = Play.objects.create(
                standard_game=game,
                kind=Play.Kind.RANKED,
                finished_at=_MAY + timedelta(hours=number),
            )
            for seat in (0, 1):
                margin = float(10 + first) * (1 - 2 * seat)
                Attempt.objects.create(
                    play=play, standard_game=game, player=people[first + seat], seat=seat,
                    margin=margin, counted=margin,
                )  # fmt: skip
    season = Season.objects.create(kind=Season.Kind.MONTH, starts_on=date(2026, 5, 1))
    print(season.pk)


def _work() -> None:
    from django.db import OperationalError

    from ratings.seasons import closing

    wish = json.load(sys.stdin)
    meet(Path(wish["place"]), wish["processes"])
    for number in range(TIMES):
        # The first half counts the open season again and again, the second half ends it.
        moment = _END if number >= TIMES // 2 else _MAY + timedelta(minutes=number)
        with contextlib.suppress(OperationalError):  # a job is repeated, too
            closing.advance(season=wish["season"], now=moment)
    print("done")


def _outcome(pk: int) -> None:
    from ratings.models import Season

    season = Season.objects.get(pk=pk)
    rows = season.entries.order_by("place", "pk")
    print(
        json.dumps(
            {
                "final": season.is_final,
                "counted": season.counted_at.isoformat() if season.counted_at else None,
                "places": [row.place for row in rows],
                "players": len({row.player_id for row in rows}),
                "titles": [row.place for row in rows if row.titled],
            }
        )
    )


if __name__ == "__main__":
    import django

    django.setup()
    if sys.argv[1:] == ["make"]:
        _make()
    elif sys.argv[1:2] == ["outcome"]:
        _outcome(int(sys.argv[2]))
    else:
        _work()
