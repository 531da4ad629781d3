"""Players who leave a table of three that is waiting: the seat, and its cards, are another's."""

from __future__ import annotations

import orjson
import pytest
from channels.db import database_sync_to_async

from games.cluster import announce
from games.engine.state import Ruleset
from games.models import Match, Player
from games.people.accounts import create_guest
from games.sockets.connection import FORBIDDEN
from games.tables.tables import create_match, join_match, leave_match
from tests.live.test_turn_clock import discarding
from tests.support.people import Wire, run
from tests.support.played import play_on

pytestmark = pytest.mark.django_db(transaction=True)


def waiting_table(*, watchable: bool = False) -> tuple[Match, Player, Player]:
    """Return a table of three that waits for its third player, and the two who sit there."""
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3), watchable=watchable)
    join_match(player=bob, invite=match.invite)
    return match, ann, bob


def fill(match: Match) -> Player:
    """Seat two more players, so that the game begins; return the one in seat 1."""
    taker, third = create_guest(), create_guest()
    for person in (taker, third):
        join_match(player=person, invite=match.invite)
    return taker


def begin_unheard(match: Match, leaver: Player) -> None:
    """Let another process seat two others in the leaver's place, and deal; this one is not told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(announce, "_announce", lambda *_, **__: None)
        leave_match(match=match, player=leaver)
        fill(match)
        play_on(match.public_id, moves=3)


def cards_in(wire: Wire) -> list[list[str]]:
    """Return the own cards of each view that a connection has received."""
    told = [orjson.loads(text) for text in wire.heard]
    views = [m["d"].get("view", m["d"]) for m in told if m["t"] in {"view", "steps"}]
    return [view["cards"] for view in views if view.get("cards")]


def test_who_leaves_a_private_table_is_sent_away() -> None:
    match, _, bob = waiting_table()

    async def scenario() -> None:
        wire = await Wire(match, bob).open()
        await wire.hear("table")
        assert (await wire.ask("leave"))["t"] == "ok"
        await wire.ended()
        assert wire.closed == FORBIDDEN

    run(scenario())


def test_who_left_in_another_browser_never_gets_the_cards_of_the_next_player() -> None:
    match, ann, bob = waiting_table()

    async def scenario() -> None:
        left = await Wire(match, bob).open()
        await left.hear("table")
        await database_sync_to_async(leave_match)(match=match, player=bob)
        taker = await database_sync_to_async(fill)(match)
        wires = [await Wire(match, player).open() for player in (ann, taker)]
        await discarding(wires[1])
        await left.ended()
        assert left.closed == FORBIDDEN
        assert cards_in(left) == []
        assert cards_in(wires[1])
        for wire in wires:
            await wire.hang_up()

    run(scenario())


def test_at_a_table_that_anyone_may_watch_who_left_watches_on() -> None:
    match, ann, bob = waiting_table(watchable=True)

    async def scenario() -> None:
        left = await Wire(match, bob).open()
        await left.hear("table", you=1)
        assert (await left.ask("leave"))["t"] == "ok"
        taker = await database_sync_to_async(fill)(match)
        wires = [await Wire(match, player).open() for player in (ann, taker)]
        own = await discarding(wires[1])
        await left.hear("table", you=None, status="playing")
        answer = await left.ask("discard", cards=own["cards"][:1])
        assert answer["d"]["code"] == "not_seated"
        assert cards_in(left) == []
        for wire in (left, *wires):
            await wire.hang_up()

    run(scenario())


def test_a_process_that_heard_nothing_reads_the_seats_before_the_first_cards() -> None:
    """It learns from the log alone that the game has begun, as while Redis is away."""
    match, _, bob = waiting_table(watchable=True)

    async def scenario() -> None:
        left = await Wire(match, bob).open()
        await left.hear("table", you=1)
        await database_sync_to_async(begin_unheard)(match, bob)
        left.send({"t": "hello", "d": {"v": None}})
        await left.hear("view", phase="discard")
        assert cards_in(left) == []
        await left.hang_up()

    run(scenario())
