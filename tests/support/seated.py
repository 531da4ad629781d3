"""Ranked matches in a real server's database, with their players' sessions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.support.launcher import Script
from tests.support.servers import Site, manage, site_environment

_MAKE = """
import json, sys
from types import SimpleNamespace
import django
django.setup()
from games.people.accounts import create_guest
from ratings.models import Play
from ratings.standard import catalogue
from tests.support.sessions import session_of

catalogue.prepare_new = SimpleNamespace(enqueue=lambda pk: None)
wish = json.load(sys.stdin)
made = []
for _ in range(wish["tables"]):
    people = [create_guest() for _ in range(wish["seats"])]
    game = catalogue.choose_game(players=people)
    clock = wish["clock"] or catalogue.ranked_clock()
    match = catalogue.start_match(game=game, players=people, kind=Play.Kind.RANKED, clock=clock)
    made.append({"match": match.public_id, "pk": match.pk, "game": game.pk,
                 "cookies": [session_of(player) for player in people]})
print(json.dumps(made))
"""

_READ = """
import json, sys
import django
django.setup()
from ratings.models import Attempt
# One query for attempt and play: a rating that is read after it is never older than the sequence.
rows = Attempt.objects.filter(play__match=json.load(sys.stdin)).order_by("seat")
rows = rows.select_related("play")
print(json.dumps([
    {"ended": row.ended, "won": row.won, "score": row.score, "counted": row.counted,
     "rated": row.player.ratings.count(), "sequence": row.play.sequence}
    for row in rows
]))
"""


@dataclass(frozen=True)
class Table:
    """A ranked match: its ids, its standard game, and each seat's session cookie."""

    match: str
    pk: int
    game: int
    cookies: tuple[str, ...]


def make_ranked(
    database_url: str, *, tables: int, seats: int = 2, clock: int | None = None
) -> list[Table]:
    """Create ranked matches, each between new players, with ``clock`` seconds for a decision.

    The clock is no setting of the script: processes with other settings are forked from one that
    imports the site for them.
    """
    wanted = {"tables": tables, "seats": seats, "clock": clock}
    rows = run_script(database_url, _MAKE, wanted, {})
    return [Table(row["match"], row["pk"], row["game"], tuple(row["cookies"])) for row in rows]


def attempts(database_url: str, match: int) -> list[dict[str, Any]]:
    """Return the stored attempts of a match by seat."""
    found: list[dict[str, Any]] = run_script(database_url, _READ, match, {})
    return found


def run_script(database_url: str, script: str, said: object, extra: dict[str, str]) -> Any:
    """Run a script on a site's database with ``said`` as JSON input; return its JSON output."""
    environment = {**site_environment(database_url), **extra}
    text = json.dumps(said)
    return json.loads(Script(["-c", script], environment, text=text).finish())


def begin_challenge(site: Site, name: str, *, scores: tuple[int, int]) -> str:
    """Begin a challenge without a clock, from these scores; return the match."""
    said = manage(
        site.database_url,
        "shell",
        "-v",
        "0",
        "-c",
        "from games.models import Match, Player\n"
        "from ratings.standard import challenge\n"
        f"player = Player.objects.get(name={name!r})\n"
        "match = challenge.begin(player=player, invite=challenge.make().invite)\n"
        f"rules = {{**match.ruleset, 'scores': {list(scores)}}}\n"
        "Match.objects.filter(pk=match.pk).update(clock=None, ruleset=rules)\n"
        "print(match.public_id)",
    )
    return said.split()[-1]


def set_clock(site: Site, match: str, *, seconds: int) -> None:
    """Give a match without a clock so many seconds a decision, counted from the last one."""
    manage(
        site.database_url,
        "shell",
        "-c",
        "from games.models import Match\n"
        f"Match.objects.filter(public_id={match!r}).update(clock={seconds})",
    )
