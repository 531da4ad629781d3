"""Tables: made, joined, filled, left; who sees which of them; the lobby."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import selectors, services
from games.accounts import create_guest
from games.bots import levels
from games.consumers import LobbySocket
from games.engine.state import Ruleset
from games.models import Match, Player
from games.refusals import Refused
from games.runtime import runtime
from tests.games.people import Wire, make_computer_match, make_match, run
from tests.games.tables import make_tables, wish
from tests.servers import ROOT, manage, site_environment, sqlite_url

pytestmark = pytest.mark.django_db(transaction=True)

LEVEL = levels()[0].name


def refusal(function: Any, **arguments: Any) -> str:
    """Return the code with which a service refuses."""
    with pytest.raises(Refused) as refused:
        function(**arguments)
    return refused.value.code


def seated(match: Match) -> list[Player | None]:
    return [seat.player for seat in match.seats.order_by("seat")]


def test_a_match_against_computers_begins_at_once() -> None:
    ann = create_guest()
    match = services.create_match(
        creator=ann, ruleset=Ruleset(players=3), computers={1: LEVEL, 2: LEVEL}
    )
    assert match.status == "playing"
    assert match.started_at is not None
    assert seated(match)[0] == ann
    assert [seat.computer for seat in match.seats.order_by("seat")] == [False, True, True]


def test_a_computer_takes_no_seat_that_is_not_there() -> None:
    ann = create_guest()
    for seat in (0, 2, -1):
        code = refusal(
            services.create_match, creator=ann, ruleset=Ruleset(), computers={seat: LEVEL}
        )
        assert code == "bad_seat"
    code = refusal(services.create_match, creator=ann, ruleset=Ruleset(), computers={1: "nobody"})
    assert code == "no_such_level"
    assert not Match.objects.exists()


def test_an_invitation_seats_one_after_the_other_and_then_no_more() -> None:
    ann, bob, eve, late = (create_guest() for _ in range(4))
    match = services.create_match(creator=ann, ruleset=Ruleset(players=3))
    assert refusal(services.join_match, player=bob, invite="nonsense") == "no_such_invitation"
    services.join_match(player=bob, invite=match.invite)
    services.join_match(player=bob, invite=match.invite)
    assert seated(match) == [ann, bob, None]
    assert services.join_match(player=eve, invite=match.invite).status == "playing"
    assert refusal(services.join_match, player=late, invite=match.invite) == "match_full"
    assert services.join_match(player=eve, invite=match.invite).pk == match.pk
    assert seated(match) == [ann, bob, eve]


_RACE = """
import sys, threading
import django
django.setup()
from django.db import connection
from games import services
from games.accounts import create_guest
from games.models import Match
match = Match.objects.get()
people = [create_guest() for _ in range(8)]
start = threading.Barrier(len(people))
outcomes = []
def join(person):
    start.wait()
    try:
        services.join_match(player=person, invite=match.invite)
        outcomes.append("seated")
    except services.Refused as refused:
        outcomes.append(refused.code)
    finally:
        connection.close()
threads = [threading.Thread(target=join, args=(person,)) for person in people]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*sorted(outcomes))
"""


@pytest.mark.servers
@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_of_many_who_want_the_last_seat_one_gets_it(
    request: pytest.FixtureRequest, tmp_path: Any, backend: str
) -> None:
    """Really at once; everybody gets a clear answer."""
    if backend == "postgresql":
        url = request.getfixturevalue("postgres_url")
    else:
        url = sqlite_url(tmp_path)
        manage(url, "migrate", "-v", "0")
    make_tables(url, wish(join=False))
    done = subprocess.run(
        [sys.executable, "-c", _RACE],
        cwd=ROOT,
        env=site_environment(url),
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["match_full"] * 7 + ["seated"], done.stderr


def test_only_the_creator_fills_a_seat_and_only_an_empty_one() -> None:
    ann, bob = create_guest(), create_guest()
    match = services.create_match(creator=ann, ruleset=Ruleset(players=3))
    services.join_match(player=bob, invite=match.invite)
    fill = services.fill_seat
    assert refusal(fill, match=match, by=bob, seat=2, level=LEVEL) == "not_offered"
    assert refusal(fill, match=match, by=ann, seat=1, level=LEVEL) == "seat_taken"
    assert refusal(fill, match=match, by=ann, seat=5, level=LEVEL) == "bad_seat"
    assert refusal(fill, match=match, by=ann, seat=2, level="nobody") == "no_such_level"
    fill(match=match, by=ann, seat=2, level=LEVEL)
    match.refresh_from_db()
    assert match.status == "playing"
    assert refusal(fill, match=match, by=ann, seat=2, level=LEVEL) == "not_offered"


def test_leaving_a_match_that_waits() -> None:
    """A guest's seat is free again; with the creator the match is called off."""
    ann, bob = create_guest(), create_guest()
    match = services.create_match(creator=ann, ruleset=Ruleset(players=3), listed=True)
    services.join_match(player=bob, invite=match.invite)
    assert refusal(services.leave_match, match=match, player=create_guest()) == "not_seated"
    services.leave_match(match=match, player=bob)
    assert seated(match) == [ann, None, None]
    services.leave_match(match=match, player=ann)
    match.refresh_from_db()
    assert match.status == "abandoned"
    assert refusal(services.join_match, player=bob, invite=match.invite) == "match_closed"
    assert selectors.lobby_tables() == []


def test_with_two_seats_a_match_under_way_is_resigned_and_not_left() -> None:
    match, (ann, _) = make_match()
    assert refusal(services.leave_match, match=match, player=ann) == "not_offered"
    assert refusal(services.make_rematch, match=match) == "not_offered"


def test_who_took_a_seat_back_need_not_again() -> None:
    match, (_, bob) = make_match()
    services.seat_stand_in(match=match, seat=1)
    assert services.take_back(match=match, player=bob)
    assert not services.take_back(match=match, player=bob)


def test_the_open_tables() -> None:
    """Listed, waiting, not too old; newest first."""
    ann = create_guest(name="Ann")
    shown = services.create_match(creator=ann, ruleset=Ruleset(players=3), listed=True)
    services.create_match(creator=ann, ruleset=Ruleset())
    services.create_match(creator=ann, ruleset=Ruleset(), computers={1: LEVEL}, listed=True)
    old = services.create_match(creator=ann, ruleset=Ruleset(), listed=True)
    long_ago = timezone.now() - selectors.OPEN_FOR - timedelta(minutes=1)
    Match.objects.filter(pk=old.pk).update(created_at=long_ago)
    (table,) = selectors.lobby_tables()
    assert (table.public_id, table.creator, table.free) == (shown.public_id, "Ann", 2)
    newer = services.create_match(creator=ann, ruleset=Ruleset(), listed=True)
    assert [t.public_id for t in selectors.lobby_tables()] == [newer.public_id, shown.public_id]


def test_who_may_see_a_match_and_its_cards() -> None:
    match, (ann, _) = make_match()
    stranger = create_guest()
    match = selectors.match_by_id(public_id=match.public_id) or match
    assert selectors.may_see(match, ann)
    assert not selectors.may_see(match, stranger)
    assert not selectors.may_see(match, None)
    assert not selectors.may_replay(match, ann), "it is not over"
    assert selectors.match_detail(public_id=match.public_id, viewer=stranger) is None
    assert selectors.match_detail(public_id="nothing", viewer=ann) is None
    match.watchable = True
    assert selectors.may_see(match, None)
    assert selectors.seat_of(match, None) is None
    match.status = Match.Status.FINISHED
    assert selectors.may_replay(match, stranger)


def test_a_computers_seat_is_nobodys_own() -> None:
    match, _ = make_computer_match()
    match = selectors.match_by_id(public_id=match.public_id) or match
    computer = match.seats.all()[1].player
    assert selectors.seat_of(match, computer) is None


@pytest.mark.parametrize("count", [1, 15])
def test_lists_take_the_same_queries_however_long(count: int) -> None:
    ann = create_guest()
    for _ in range(count):
        services.create_match(creator=ann, ruleset=Ruleset(), computers={1: LEVEL})
        services.create_match(creator=ann, ruleset=Ruleset(), listed=True)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        lines = selectors.unfinished(player=ann, limit=20)
        names = [line.others[0].player and line.others[0].player.name for line in lines]
    assert len(names) == min(20, 2 * count)
    assert len(queries) == 2
    with CaptureQueriesContext(connection) as queries:
        assert len(selectors.lobby_tables()) == count
    assert len(queries) == 2


class Visitor:
    """Somebody in the lobby, without a server."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent.put_nowait({"type": "websocket.connect"})
        scope = {"type": "websocket", "user": None, "url_route": {"kwargs": {}}}
        self.task = asyncio.create_task(LobbySocket(scope, self.sent.get, self._hear).run())

    async def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.heard.put_nowait(json.loads(message["text"]))


def test_the_lobby_is_told_of_new_tables_and_of_those_that_go() -> None:
    """Whoever comes sees the tables at once, and every change at most a second later."""
    ann = create_guest(name="Ann")

    async def scenario() -> None:
        visitor = Visitor()
        first = await visitor.heard.get()
        assert (first["t"], first["d"]["tables"]) == ("lobby", [])
        match = await asyncio.to_thread(
            services.create_match, creator=ann, ruleset=Ruleset(), listed=True
        )
        told = await visitor.heard.get()
        (table,) = told["d"]["tables"]
        assert table["join"] == f"/join/{match.invite}/"
        second = Visitor()
        assert (await second.heard.get())["d"]["tables"] == [table]
        await asyncio.to_thread(services.leave_match, match=match, player=ann)
        told = await visitor.heard.get()
        assert told["d"]["tables"] == []
        visitor.sent.put_nowait({"type": "websocket.receive", "text": '{"t":"resign","id":"a"}'})
        assert (await visitor.heard.get())["d"]["code"] == "unknown_type"
        for each in (visitor, second):
            each.sent.put_nowait({"type": "websocket.disconnect"})
            await each.task
        assert not runtime().lobby._visitors

    run(scenario())


def test_sockets_at_tables_are_counted() -> None:
    match, (ann, _) = make_match()

    async def scenario() -> None:
        here = await Wire(match, ann).open()
        await here.hear("table")
        assert runtime().presence.online_count() == 1
        await here.hang_up()
        assert runtime().presence.online_count() == 0

    run(scenario())
