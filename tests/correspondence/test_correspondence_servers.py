"""Correspondence with real processes: one deadline everywhere, and plans while nobody is there."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.support.clients import Client
from tests.support.launcher import Script
from tests.support.servers import StartSite, site_environment

pytestmark = pytest.mark.slow

_MAKE = """
import json
import django
django.setup()
from games.engine import rules
from games.models import Match
from tests.support import letters
from tests.support.sessions import session_of

people = [letters.make_person(name, mails=False) for name in ("ann", "bob")]
match = letters.begin(*people)
for seat in (0, 1):
    letters.discard(match, seat)
(pone,) = rules.waiting(letters.state_of(match))
cookies = [session_of(person) for person in people]
print(json.dumps({"match": match.public_id, "pone": pone, "cookies": cookies}))
"""

_GO_AWAY = """
import json, sys
import django
django.setup()
from games.correspondence import vacations
from games.models import Match
match, seat = json.load(sys.stdin)
player = Match.objects.get(public_id=match).seats.get(seat=seat).player
print(json.dumps(vacations.go_away(player=player, days=7).until.timestamp()))
"""

_PLAN_AND_LEAD = """
import json, sys
import django
django.setup()
from games.engine.cards import NAMES
from games.engine.moves import Play
from games.engine import rules
from games.engine.view import view_for
from games.live import planned_moves
from games.models import Match
from tests.support import letters
match = Match.objects.get(public_id=json.load(sys.stdin))
state = letters.state_of(match)
(pone,) = rules.waiting(state)
dealer = match.seats.get(seat=1 - pone).player
card = NAMES[view_for(state, 1 - pone).cards[0]]
planned_moves.plan(match=match, player=dealer, version=state.sequence, answers={"": card})
letters.act(match, Play(pone, view_for(state, pone).cards[0]))
planned_moves.follow_move.enqueue(match.pk)
print(json.dumps(card))
"""


def do(script: str, database_url: str, redis_url: str, said: object = None) -> Any:
    """Run a script in a process of its own, beside the site; return what it prints."""
    environment = site_environment(database_url, redis_url)
    return json.loads(Script(["-c", script], environment, text=json.dumps(said)).finish())


async def hear_due(client: Client, *, away: bool) -> list[dict[str, Any]]:
    """Return the seats of the next `due` message in which somebody is away, or nobody."""
    while True:
        told = await client.hear_until(lambda m: m["t"] == "due")
        seats: list[dict[str, Any]] = told["d"]["seats"]
        if any(each["away"] for each in seats) is away:
            return seats


def test_days_off_reach_all_processes_and_outlive_a_killed_one(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    made = do(_MAKE, postgres_url, redis_url)
    one, other = (start_site(database_url=postgres_url, redis_url=redis_url) for _ in range(2))
    pone = made["pone"]

    async def session() -> None:
        async with (
            Client(one.socket_url, made["match"], made["cookies"][pone]) as player,
            Client(other.socket_url, made["match"], made["cookies"][1 - pone]) as opponent,
        ):
            (before,) = await hear_due(player, away=False)
            assert await hear_due(opponent, away=False) == [before]
            said = [made["match"], pone]
            until = await asyncio.to_thread(do, _GO_AWAY, postgres_url, redis_url, said)
            (after,) = await hear_due(opponent, away=True)
            assert await hear_due(player, away=True) == [after]
            assert after["until"] == pytest.approx(before["until"] + 7 * 86400, abs=1)
            assert after["away"] == pytest.approx(until, abs=1)
        one.kill()
        new = await asyncio.to_thread(start_site, database_url=postgres_url, redis_url=redis_url)
        async with Client(new.socket_url, made["match"], made["cookies"][pone]) as player:
            assert await hear_due(player, away=True) == [after]

    asyncio.run(session())


def test_a_plan_is_carried_out_by_the_first_worker_that_starts(
    start_site: StartSite, postgres_url: str, redis_url: str
) -> None:
    """The opponent's move and its job are stored; no site runs, and nobody is connected."""
    made = do(_MAKE, postgres_url, redis_url)
    card = do(_PLAN_AND_LEAD, postgres_url, redis_url, made["match"])
    site = start_site(database_url=postgres_url, redis_url=redis_url)

    async def session() -> None:
        async with Client(site.socket_url, made["match"], made["cookies"][made["pone"]]) as pone:
            await pone.see(lambda: len(pone.view.get("pile", ())) == 2)
            assert pone.view["pile"][1][1] == card
            assert pone.view["waiting"] == [made["pone"]]

    asyncio.run(session())
