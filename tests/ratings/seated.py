"""Ranked matches in the database of a real server, with the sessions of their people."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.servers import ROOT, site_environment

_MAKE = """
import json, sys
import django
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from games.accounts import create_guest
from ratings.models import Play
from ratings.services import catalogue

def cookie(player):
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return session.session_key

catalogue._prepare_aside = lambda pk: None
wish = json.load(sys.stdin)
made = []
for _ in range(wish["tables"]):
    people = [create_guest() for _ in range(wish["seats"])]
    game = catalogue.lend(players=people)
    match = catalogue.seat_down(game=game, players=people, kind=Play.Kind.RANKED)
    made.append({"match": match.public_id, "pk": match.pk, "game": game.pk,
                 "cookies": [cookie(player) for player in people]})
print(json.dumps(made))
"""

_READ = """
import json, sys
import django
django.setup()
from ratings.models import Attempt
rows = Attempt.objects.filter(play__match=json.load(sys.stdin)).order_by("seat")
print(json.dumps([
    {"ended": row.ended, "won": row.won, "score": row.score, "counted": row.counted,
     "rated": row.player.ratings.count(), "sequence": row.play.sequence}
    for row in rows
]))
"""


@dataclass(frozen=True)
class Table:
    """A ranked match: its keys, its standard game, and the cookie of each seat."""

    match: str
    pk: int
    game: int
    cookies: tuple[str, ...]


def make_ranked(database_url: str, *, tables: int, seats: int = 2, clock: int = 60) -> list[Table]:
    """Make ranked matches, each between new people."""
    wanted = {"tables": tables, "seats": seats}
    rows = run_script(database_url, _MAKE, wanted, {"RANKED_CLOCK_SECONDS": str(clock)})
    return [Table(row["match"], row["pk"], row["game"], tuple(row["cookies"])) for row in rows]


def attempts(database_url: str, match: int) -> list[dict[str, Any]]:
    """Return the attempts of a match by seat, as far as they are stored."""
    found: list[dict[str, Any]] = run_script(database_url, _READ, match, {})
    return found


def run_script(database_url: str, script: str, said: object, extra: dict[str, str]) -> Any:
    """Run a script beside a site; it reads ``said`` as JSON, and what it prints is returned."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**site_environment(database_url), **extra},
        input=json.dumps(said),
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return json.loads(done.stdout)
