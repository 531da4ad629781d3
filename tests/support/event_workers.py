"""Workers that advance one tournament at the same time; run as a module in other processes.

With the argument "make", it plans a tournament of computers that is due, and prints its key.
Otherwise standard input is {"event": key, "place": folder, "processes": n}: the processes begin
together, and each advances the event and plays its games until it is over.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment
from tests.support.waiting import PAUSE, meet

_MODULE = ("-m", "tests.support.event_workers")


def make(database_url: str) -> int:
    """Plan a tournament of five computers in that database; return its primary key."""
    return int(Script([*_MODULE, "make"], site_environment(database_url)).finish())


def begin(database_url: str, event: int, number: int, place: Path) -> list[Script]:
    """Start processes that advance the event; `place` is a new folder where they meet."""
    place.mkdir()
    wish = json.dumps({"event": event, "place": str(place), "processes": number})
    return [Script([*_MODULE], site_environment(database_url), text=wish) for _ in range(number)]


def outcome(database_url: str, event: int) -> dict[str, Any]:
    """Return what is stored of an event."""
    said = Script([*_MODULE, "outcome", str(event)], site_environment(database_url)).finish()
    found: dict[str, Any] = json.loads(said)
    return found


def _make() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Player
    from ratings.events import events

    organiser = Player.objects.create_user("Organiser")
    plan = events.Plan(
        title="Cup", format="swiss", rounds=2, starts_at=timezone.now() - timedelta(seconds=1)
    )
    event = events.plan(by=organiser, plan=plan)
    events.fill(event=event, by=organiser, number=5, level="poppy")
    print(event.pk)


def _work() -> None:
    from django.db import OperationalError

    from ratings.events import progress, seating
    from ratings.models import Event, Play

    wish = json.load(sys.stdin)
    meet(Path(wish["place"]), wish["processes"])
    while not (event := Event.objects.get(pk=wish["event"])).is_over:
        try:
            progress.advance(event=event)
            waiting = Play.objects.filter(finished_at=None, event_game__isnull=False)
            for pk in list(waiting.values_list("pk", flat=True)):
                seating.play_computers.call(pk)
        except OperationalError:
            pass  # a job is repeated, too
        time.sleep(PAUSE)
    print("over")


def _outcome(pk: int) -> None:
    from ratings.models import Attempt, EventGame, EventRound, EventTable, StandardGame

    tables = EventTable.objects.filter(round__event=pk)
    games = EventGame.objects.filter(table__round__event=pk)
    print(
        json.dumps(
            {
                "rounds": list(
                    EventRound.objects.filter(event=pk).values_list("number", flat=True)
                ),
                "pairs": [list(each) for each in tables.values_list("first", "second")],
                "games": games.count(),
                "over": games.filter(ended_at__isnull=False).count(),
                "attempts": Attempt.objects.filter(play__event_game__isnull=False).count(),
                "cards": StandardGame.objects.filter(purpose="event").count(),
                "open": StandardGame.objects.filter(purpose="event", state="open").count(),
            }
        )
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django

    django.setup()
    if sys.argv[1:2] == ["make"]:
        _make()
    elif sys.argv[1:2] == ["outcome"]:
        _outcome(int(sys.argv[2]))
    else:
        _work()
