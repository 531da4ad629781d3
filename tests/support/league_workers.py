"""Workers that close the rounds of one team league at once; run as a module in other processes.

With the argument "make", it stores a league of four teams, of whose first round one match has been
played, and prints its key.
Otherwise standard input is {"league": key, "place": folder, "processes": n}: the processes begin
together, and each lets deadline after deadline pass until the league is over.
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

_MODULE = ("-m", "tests.support.league_workers")
TEAMS = 4


def make(database_url: str) -> int:
    """Store a league in that database; return its primary key."""
    return int(Script([*_MODULE, "make"], site_environment(database_url)).finish())


def begin(database_url: str, league: int, number: int, place: Path) -> list[Script]:
    """Start processes that close its rounds; `place` is a new folder where they meet."""
    place.mkdir()
    wish = json.dumps({"league": league, "place": str(place), "processes": number})
    return [Script([*_MODULE], site_environment(database_url), text=wish) for _ in range(number)]


def outcome(database_url: str) -> dict[str, Any]:
    """Return what is stored of the league."""
    said = Script([*_MODULE, "outcome"], site_environment(database_url)).finish()
    found: dict[str, Any] = json.loads(said)
    return found


def _make() -> None:
    from tests.support.team_leagues import begun, open_fixtures, play

    league, _, _ = begun(TEAMS, double=True)
    play(open_fixtures(league)[0], 7)
    print(league.pk)


def _work() -> None:
    from datetime import timedelta

    from django.db import OperationalError
    from django.utils import timezone

    from ratings.models import TeamLeague
    from ratings.team_leagues import progress

    wish = json.load(sys.stdin)
    now = timezone.now()
    meet(Path(wish["place"]), wish["processes"])
    while not (league := TeamLeague.objects.get(pk=wish["league"])).is_over:
        now += timedelta(days=1)
        with contextlib.suppress(OperationalError):  # a job is repeated, too
            progress.advance(league=league, now=now)
    print("over")


def _outcome() -> None:
    from ratings.models import Event, Fixture, TeamLeague

    league = TeamLeague.objects.get()
    rows = Fixture.objects.filter(league=league)
    print(
        json.dumps(
            {
                "version": league.version,
                "rounds": league.rounds,
                "current": league.current,
                "hows": sorted(rows.values_list("how", flat=True)),
                "matches": Event.objects.count(),
                "off": Event.objects.filter(state="off", fixture__isnull=False).count(),
                "places": [team.place for team in league.teams.order_by("place", "pk")],
                "titles": list(
                    league.players.filter(titled=True).values_list("team__place", flat=True)
                ),
            }
        )
    )


if __name__ == "__main__":
    import django

    django.setup()
    {"make": _make, "outcome": _outcome}.get("".join(sys.argv[1:]), _work)()
