"""The cost of polling a large event's page: processor time and queries, in this process.

The event has its last round half played. Its rows are written directly, without matches, and each
reader asks as a browser does, through Django's test client, on a database of its own.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TIMES = 4
"""Requests of which a mean is taken."""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'polls.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("migrate", verbosity=0)
        run(arguments.players, arguments.rounds)


def run(number: int, rounds: int) -> None:
    """Measure each kind of request, and print it."""
    from ratings.events import progress

    event, readers = _event(number, rounds)
    live = f"/tournaments/{event.public_id}/live/"
    browsers = [_browser(reader) for reader in readers]
    tags = [browser.get(live).headers["ETag"] for browser in browsers]

    def unchanged(at: int) -> Any:
        return browsers[at].get(live, headers={"If-None-Match": tags[at]})

    def changed(at: int) -> Any:
        return browsers[at].get(live)

    def first(at: int) -> Any:
        progress.touch(event)
        return browsers[at].get(live)

    def page(at: int) -> Any:
        return browsers[at].get(f"/tournaments/{event.public_id}/")

    print(f"{number} players, {rounds} rounds, the last one half played; means of {TIMES}")
    _measure("nothing has changed", unchanged, 304)
    _measure("the reader does not have the newest part", changed, 200)
    _measure("the same, with a change before each request", first, 200)
    _measure("the whole page", page, 200)


def _measure(name: str, ask: Callable[[int], Any], status: int) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    used = time.process_time()
    for at in range(TIMES):
        answer = ask(at)
        if answer.status_code != status:
            raise RuntimeError(f"{name}: {answer.status_code} instead of {status}")
    used = (time.process_time() - used) / TIMES
    with CaptureQueriesContext(connection) as queries:
        ask(0)
    print(f"{name}: {1000 * used:.1f} ms of processor time, {len(queries)} queries")


def _browser(player: Any) -> Any:
    from django.test import Client

    client = Client()
    client.force_login(player)
    return client


def _event(number: int, rounds: int) -> tuple[Any, list[Any]]:
    """Write an event, and return it with some of its players."""
    from django.utils import timezone

    from games.models import Player
    from ratings.events import events
    from ratings.models import Event, EventEntrant, EventGame, EventRound, EventTable

    rng = random.Random(1)
    Player.objects.bulk_create(
        Player(
            name=f"Player {each}", name_skeleton=f"p{each}", username=f"p{each}",
            kind="person",
        )
        for each in range(number + 1)
    )  # fmt: skip
    people = list(Player.objects.filter(name__startswith="Player ").order_by("pk"))
    now = timezone.now()
    plan = events.Plan(title="Large", format="swiss", starts_at=now, rounds=rounds, places=number)
    event = events.plan(by=people[0], plan=plan)
    Event.objects.filter(pk=event.pk).update(state="running")
    entrants = EventEntrant.objects.bulk_create(
        EventEntrant(event=event, player=person, number=at, here=True)
        for at, person in enumerate(people[1:], start=1)
    )
    for each in range(1, rounds + 1):
        last = each == rounds
        made = EventRound.objects.create(
            event=event, number=each, began_at=now, ended_at=None if last else now
        )
        rng.shuffle(entrants)
        pairs = list(zip(entrants[::2], entrants[1::2], strict=True))
        tables = EventTable.objects.bulk_create(
            EventTable(
                round=made, number=at, first=one, second=other,
                ended_at=None if last and at % 2 else now,
            )
            for at, (one, other) in enumerate(pairs)
        )  # fmt: skip
        EventGame.objects.bulk_create(_game(rng, table, now) for table in tables)
    event.refresh_from_db()
    return event, [row.player for row in entrants[:TIMES]]


def _game(rng: random.Random, table: Any, now: Any) -> Any:
    from ratings.models import EventGame

    if table.ended_at is None:
        return EventGame(table=table, number=1)
    loser = rng.randint(50, 120)
    winner = rng.randrange(2)
    scores = [121, loser] if winner == 0 else [loser, 121]
    margin = float(scores[0] - scores[1])
    return EventGame(
        table=table, number=1, scores=scores, margins=[margin, -margin], winner=winner, ended_at=now
    )


if __name__ == "__main__":
    main()
