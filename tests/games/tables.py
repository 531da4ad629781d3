"""Matches and the sessions of their people, made in the database of a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.servers import ROOT, site_environment

_SCRIPT = """
import json, sys
import django
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from games import services
from games.accounts import create_guest
from games.bots import levels
from games.engine.state import Ruleset

def cookie(player):
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return session.session_key

made = []
for wish in json.load(sys.stdin):
    ruleset = Ruleset(**wish["rules"])
    level = wish["level"] or levels()[0].name
    computers = {seat: level for seat in wish["computers"]}
    people = [create_guest() for _ in range(ruleset.players - len(computers) + wish["watchers"])]
    match = services.create_match(
        creator=people[0], ruleset=ruleset, computers=computers, watchable=wish["watchable"],
        listed=wish["listed"], hints=wish["hints"], stand_in=wish["stand_in"],
    )
    seated = ruleset.players - len(computers)
    for person in people[1:seated] if wish["join"] else []:
        services.join_match(player=person, invite=match.invite)
    made.append({
        "match": match.public_id, "pk": match.pk, "invite": match.invite,
        "cookies": [cookie(person) for person in people],
    })
print(json.dumps(made))
"""


@dataclass(frozen=True)
class Table:
    """A match: its keys, and the session cookie of each person, those seated first."""

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
    **rules: Any,
) -> dict[str, Any]:
    """Describe a match to be made; ``rules`` are fields of a Ruleset."""
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
    }


def make_tables(database_url: str, *wishes: dict[str, Any], redis_url: str = "") -> list[Table]:
    """Make matches as a page would, in one process."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=ROOT,
        env=site_environment(database_url, redis_url),
        input=json.dumps(wishes),
        check=True,
        capture_output=True,
        text=True,
    )
    return [
        Table(row["match"], row["pk"], row["invite"], tuple(row["cookies"]))
        for row in json.loads(done.stdout)
    ]
