"""Matches in a real server's database, with their players' sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import site_environment

_SCRIPT = """
import json, sys
import django
django.setup()
from games.tables.tables import create_match, join_match
from games.people.accounts import create_guest
from games.bots import levels
from games.engine.state import Ruleset
from games.models import Player
from tests.support.played import play_on
from tests.support.sessions import session_of

made = []
for wish in json.load(sys.stdin):
    ruleset = Ruleset(**wish["rules"])
    level = wish["level"] or levels()[0].name
    computers = {seat: level for seat in wish["computers"]}
    people = [create_guest() for _ in range(ruleset.players - len(computers) + wish["watchers"])]
    match = create_match(
        creator=people[0], ruleset=ruleset, computers=computers, watchable=wish["watchable"],
        listed=wish["listed"], hints=wish["hints"], stand_in=wish["stand_in"],
    )
    seated = ruleset.players - len(computers)
    for person, name in zip(people, wish["names"]):
        Player.objects.filter(pk=person.pk).update(name=name)
    for person in people[1:seated] if wish["join"] else []:
        join_match(player=person, invite=match.invite)
    if wish["points"]:
        play_on(match.public_id, points=wish["points"])
    made.append({
        "match": match.public_id, "pk": match.pk, "invite": match.invite,
        "cookies": [session_of(person) for person in people],
    })
print(json.dumps(made))
"""


@dataclass(frozen=True)
class Table:
    """A match: its ids, and the session cookie of each person, seated players first."""

    match: str
    pk: int
    invite: str
    cookies: tuple[str, ...]


def wish(
    *,
    computers: tuple[int, ...] = (),
    level: str = "",
    watchers: int = 0,
    watchable: bool = False,
    join: bool = True,
    listed: bool = False,
    hints: bool = False,
    stand_in: str = "",
    points: int = 0,
    names: tuple[str, ...] = (),
    **rules: Any,
) -> dict[str, Any]:
    """Describe a match to create; ``rules`` are fields of a Ruleset.

    With ``points`` it has been played until somebody has so many. People without a name in
    ``names`` are guests.
    """
    return {
        "rules": rules,
        "computers": computers,
        "level": level,
        "watchers": watchers,
        "watchable": watchable,
        "join": join,
        "listed": listed,
        "hints": hints,
        "stand_in": stand_in,
        "points": points,
        "names": names,
    }


def make_tables(
    database_url: str,
    *wishes: dict[str, Any],
    redis_url: str = "",
    extra: Mapping[str, str] | None = None,
) -> list[Table]:
    """Create matches as the pages do, in one process; `extra` are the site's other settings."""
    said = Script(
        ["-c", _SCRIPT],
        {**site_environment(database_url, redis_url), **(extra or {})},
        text=json.dumps(wishes),
    ).finish()
    return [
        Table(row["match"], row["pk"], row["invite"], tuple(row["cookies"]))
        for row in json.loads(said)
    ]
