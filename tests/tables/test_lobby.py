"""The lobby: which tables it lists, for how long, and whom it tells."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.archive import selectors
from games.bots import levels
from games.cluster.online_status import EVERY
from games.engine.state import Ruleset
from games.live.runtime import runtime
from games.models import Decks, Match, Player
from games.people.accounts import create_guest
from games.sockets.lobby_socket import LobbySocket
from games.tables.attended import attend
from games.tables.duplicates import make_duplicate
from games.tables.quick_match import quick_match
from games.tables.ranked import begin_ranked
from games.tables.rematches import make_rematch
from games.tables.tables import create_match, join_match, leave_match
from tests.support.people import Wire, as_, run
from tests.support.reviewed import played_match

pytestmark = pytest.mark.django_db(transaction=True)

LEVEL = levels()[0].name


def test_the_lobby_lists_open_tables_newest_first() -> None:
    """Only tables that are listed, waiting, and not too old."""
    ann = create_guest(name="Ann")
    create_match(creator=ann, ruleset=Ruleset(), computers={1: LEVEL}, listed=True)
    shown = create_match(creator=ann, ruleset=Ruleset(players=3), listed=True)
    create_match(creator=ann, ruleset=Ruleset())
    old = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    long_ago = timezone.now() - selectors.OPEN_FOR - timedelta(minutes=1)
    Match.objects.filter(pk=old.pk).update(created_at=long_ago)
    (table,) = selectors.lobby_tables()
    assert (table.public_id, table.creator, table.free) == (shown.public_id, "Ann", 2)
    newer = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    assert [t.public_id for t in selectors.lobby_tables()] == [newer.public_id, shown.public_id]


def test_tables_leave_the_lobby_within_a_minute_of_their_creators_leaving() -> None:
    ann = create_guest(name="Ann")
    table = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    rows = Match.objects.filter(pk=table.pk)
    longest = timedelta(seconds=60 - EVERY)  # processes look every so often
    rows.update(attended_at=timezone.now() - longest)
    assert selectors.lobby_tables() == []
    attend(players=[ann.pk])
    assert len(selectors.lobby_tables()) == 1
    rows.update(attended_at=timezone.now() - timedelta(seconds=EVERY + 10))
    assert len(selectors.lobby_tables()) == 1, "one look was late"


def test_a_creator_at_the_table_or_in_the_lobby_keeps_it_open() -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    own = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    other = create_match(creator=bob, ruleset=Ruleset(), listed=True)

    def forget() -> None:
        Match.objects.update(attended_at=timezone.now() - timedelta(hours=1))

    def shown() -> list[str]:
        return [each.public_id for each in selectors.lobby_tables()]

    async def scenario() -> None:
        wire = await Wire(own, ann).open()
        await wire.hear("table")
        visitor = Visitor(bob)
        assert (await visitor.heard.get())["t"] == "lobby"
        await asyncio.to_thread(forget)
        assert await asyncio.to_thread(shown) == []
        await runtime()._mark_online()
        assert await asyncio.to_thread(shown) == [other.public_id, own.public_id]
        await wire.hang_up()
        await asyncio.to_thread(forget)
        await runtime()._mark_online()
        assert await asyncio.to_thread(shown) == [other.public_id]
        while len((await visitor.heard.get())["d"]["tables"]) != 1:
            pass
        visitor.sent.put_nowait({"type": "websocket.disconnect"})
        await visitor.task

    run(scenario())


@pytest.mark.parametrize("elsewhere", ["a friend", "the computer", "ranked", "a rematch", "swap"])
def test_the_open_table_of_one_who_begins_to_play_elsewhere_leaves_the_lobby(
    elsewhere: str,
) -> None:
    ann = create_guest(name="Ann")
    own = create_match(creator=ann, ruleset=Ruleset(), listed=True)
    if elsewhere == "a friend":
        table = create_match(creator=create_guest(), ruleset=Ruleset())
        join_match(player=ann, invite=table.invite)
    elif elsewhere == "ranked":
        decks = Decks.objects.create(packs=[])
        begin_ranked(players=[ann, create_guest()], decks=decks, clock=None)
    elif elsewhere in {"a rematch", "swap"}:
        ended = played_match(ann, create_guest(), target=121)
        assert isinstance(ended, Match)
        Match.objects.filter(pk=own.pk).update(attended_at=timezone.now())
        assert selectors.lobby_tables()
        (make_rematch if elsewhere == "a rematch" else make_duplicate)(match=ended)
    else:
        create_match(creator=ann, ruleset=Ruleset(), computers={1: LEVEL})
    assert selectors.lobby_tables() == []
    assert quick_match(player=create_guest()) != own

    def listed() -> bool:
        return own.public_id in [table.public_id for table in selectors.lobby_tables()]

    attend(players=[ann.pk])
    assert not listed(), "their page is open in another tab"
    Client().get(reverse("games:table", args=[own.public_id]))
    assert not listed(), "somebody else looks"
    as_(ann).get(reverse("games:table", args=[own.public_id]))
    assert listed()


def test_a_host_who_looks_at_the_waiting_table_in_another_tab_brings_it_back() -> None:
    ann = create_guest(name="Ann")
    own = create_match(creator=ann, ruleset=Ruleset(), listed=True)

    def begin_elsewhere() -> list[str]:
        create_match(creator=ann, ruleset=Ruleset(), computers={1: LEVEL})
        return shown()

    def shown() -> list[str]:
        return [table.public_id for table in selectors.lobby_tables()]

    async def scenario() -> None:
        waiting = await Wire(own, ann).open()
        await waiting.hear("table")
        assert await asyncio.to_thread(begin_elsewhere) == []
        await runtime()._mark_online()
        assert await asyncio.to_thread(shown) == [], "its tab is only open"
        assert (await waiting.ask("seen"))["t"] == "ok"
        assert await asyncio.to_thread(shown) == [own.public_id]
        await waiting.hang_up()

    run(scenario())


def test_a_match_begins_and_is_told_of_even_if_the_lobby_cannot_be_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: int) -> None:
        raise OperationalError("deadlock detected")

    told: list[int] = []
    monkeypatch.setattr("games.tables.attended.leave_open_tables", fail)
    monkeypatch.setattr("games.tables.tables.announce.table", told.append)
    match = create_match(creator=create_guest(), ruleset=Ruleset())
    told.clear()
    assert join_match(player=create_guest(), invite=match.invite).status == Match.Status.PLAYING
    assert told == [match.pk]


class Visitor:
    """A visitor's lobby socket, without a server."""

    def __init__(self, player: Player | None = None) -> None:
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent.put_nowait({"type": "websocket.connect"})
        scope: dict[str, Any] = {"type": "websocket", "user": player, "url_route": {"kwargs": {}}}
        self.task = asyncio.create_task(LobbySocket(scope, self.sent.get, self._hear).run())

    async def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.heard.put_nowait(json.loads(message["text"]))


def test_the_lobby_hears_of_new_tables_and_of_closed_ones() -> None:
    """A new visitor sees the tables at once, and every change soon after."""
    ann = create_guest(name="Ann")

    async def scenario() -> None:
        visitor = Visitor()
        first = await visitor.heard.get()
        assert (first["t"], first["d"]["tables"]) == ("lobby", [])
        match = await asyncio.to_thread(create_match, creator=ann, ruleset=Ruleset(), listed=True)
        told = await visitor.heard.get()
        (table,) = told["d"]["tables"]
        assert table["join"] == f"/join/{match.invite}/"
        second = Visitor()
        assert (await second.heard.get())["d"]["tables"] == [table]
        await asyncio.to_thread(leave_match, match=match, player=ann)
        told = await visitor.heard.get()
        assert told["d"]["tables"] == []
        visitor.sent.put_nowait({"type": "websocket.receive", "text": '{"t":"resign","id":"a"}'})
        assert (await visitor.heard.get())["d"]["code"] == "unknown_type"
        for each in (visitor, second):
            each.sent.put_nowait({"type": "websocket.disconnect"})
            await each.task
        assert not runtime().lobby._visitors

    run(scenario())
