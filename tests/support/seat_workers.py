"""Processes that seat the same player at once; run as a module in other processes.

With the argument "make", it stores people, two club nights, a tournament and a queue, and prints
their keys. With another one it does what that says, for Ann, with those keys as input, and prints
"done" or the code of the refusal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment

_MODULE = ("-m", "tests.support.seat_workers")
Keys = dict[str, int]


def make(database_url: str) -> Keys:
    """Store people and what they take part in; return the primary keys."""
    found: Keys = json.loads(_run(database_url, "make"))
    return found


def act(database_url: str, action: str, made: Keys) -> str:
    """Run one of `ACTIONS` in another process; return "done" or the code of the refusal."""
    return _run(database_url, action, json.dumps(made)).strip()


def _run(database_url: str, word: str, text: str = "") -> str:
    return Script([*_MODULE, word], site_environment(database_url), text=text).finish()


def _make() -> None:
    from django.utils import timezone

    from games.models import Player
    from ratings.clubs import clubs, nights
    from ratings.events import events
    from ratings.matchmaking import queue

    ann, bob, cleo, dan = (
        Player.objects.create_user(name, kind="person") for name in ("Ann", "Bob", "Cleo", "Dan")
    )
    club = clubs.create(player=cleo, name="Pegs")
    soon = timezone.now() + timedelta(hours=1)
    plan = partial(
        nights.plan, club=club, by=cleo, games=3, minutes=25, starts_at=soon,
        ends_at=soon + timedelta(hours=4),
    )  # fmt: skip
    planned, running = plan(title="First"), plan(title="Second")
    for night, players in ((planned, (ann, cleo)), (running, (bob, dan))):
        for player in players:
            nights.join(night=night, player=player)
    nights.begin(night=running, by=cleo)
    event = events.plan(by=cleo, plan=events.Plan(title="Cup", format="knockout", starts_at=soon))
    for player in (ann, Player.objects.create_user("Eve", kind="person")):
        events.join(event=event, player=player)
    events.begin(event=event, by=cleo)
    queue.enter(player=Player.objects.create_user("Fay", kind="person"), seats=2)
    keys = {"ann": ann.pk, "cleo": cleo.pk, "planned": planned.pk, "running": running.pk}
    guests = _enter_as_guests(plan(title="Third"), cleo)
    print(json.dumps({**keys, "event": event.pk, **_enter_twice(cleo), **guests}))


def _enter_twice(organiser: Any) -> Keys:
    """Have a guest who waits in the queue play in the same tournament as an account."""
    from django.utils import timezone

    from games.models import Player
    from games.people.accounts import create_guest
    from ratings.events import events
    from ratings.matchmaking import queue

    plan = events.Plan(title="Twice", format="knockout", starts_at=timezone.now())
    event, guest = events.plan(by=organiser, plan=plan), create_guest()
    gil, hal = (Player.objects.create_user(name, kind="person") for name in ("Gil", "Hal"))
    for player in (guest, gil, hal):
        events.join(event=event, player=player)
    events.begin(event=event, by=organiser)
    queue.enter(player=guest, seats=3)
    return {"twice": event.pk, "guest": guest.pk, "account": gil.pk}


def _enter_as_guests(night: Any, organiser: Any) -> Keys:
    """Have a guest play at a night, another one in a tournament, and an account in neither."""
    from django.utils import timezone

    from games.models import Player
    from games.people.accounts import create_guest
    from ratings.clubs import nights
    from ratings.events import events

    plan = events.Plan(title="Guests", format="knockout", starts_at=timezone.now())
    event = events.plan(by=organiser, plan=plan)
    ida, jon = (Player.objects.create_user(name, kind="person") for name in ("Ida", "Jon"))
    visitor, entrant = create_guest(), create_guest()
    for player in (jon, visitor):
        nights.join(night=night, player=player)
    for player in (Player.objects.create_user("Kim", kind="person"), entrant):
        events.join(event=event, player=player)
    events.begin(event=event, by=organiser)
    keys = {"visitor": visitor.pk, "entrant": entrant.pk, "ida": ida.pk}
    return {**keys, "third": night.pk, "guests": event.pk}


def _enter_queue(made: Keys) -> None:
    from games.models import Player
    from ratings.matchmaking import queue

    queue.enter(player=Player.objects.get(pk=made["ann"]), seats=2)


def _begin_night(which: str, made: Keys) -> None:
    from games.models import Player
    from ratings.clubs import nights
    from ratings.models import ClubNight

    night = ClubNight.objects.get(pk=made[which])
    nights.begin(night=night, by=Player.objects.get(pk=made["cleo"]))


def _seat_round(event: str, made: Keys) -> None:
    from ratings.events import progress

    progress.advance_later.call(made[event])


def _merge(guest: str, account: str, made: Keys) -> None:
    from games.models import Player
    from games.people.accounts import merge_guest

    people = Player.objects
    merge_guest(guest=people.get(pk=made[guest]), account=people.get(pk=made[account]))


def _join(night: str, made: Keys) -> None:
    from games.models import Player
    from ratings.clubs import nights
    from ratings.models import ClubNight

    row = ClubNight.objects.get(pk=made[night])
    nights.join(night=row, player=Player.objects.get(pk=made["ann"]))


ACTIONS: dict[str, Callable[[Keys], None]] = {
    "queue": _enter_queue,
    "night": partial(_begin_night, "planned"),
    "the visitor's night": partial(_begin_night, "third"),
    "tournament": partial(_seat_round, "event"),
    "the guest's tournament": partial(_seat_round, "twice"),
    "the entrant's tournament": partial(_seat_round, "guests"),
    "log in": partial(_merge, "guest", "account"),
    "the visitor logs in": partial(_merge, "visitor", "ida"),
    "the entrant logs in": partial(_merge, "entrant", "ida"),
    "join the planned night": partial(_join, "planned"),
    "join the running night": partial(_join, "running"),
}


def _act(action: str) -> None:
    from games.api import Refused

    made: Any = json.load(sys.stdin)
    try:
        ACTIONS[action](made)
    except Refused as refusal:
        print(refusal.code)
    else:
        print("done")


if __name__ == "__main__":
    import django

    django.setup()
    _make() if sys.argv[1] == "make" else _act(sys.argv[1])
