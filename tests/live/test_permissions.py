"""What a connection to a table may do: as a visitor, a watcher, a player, or a player replaced."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest
from channels.db import database_sync_to_async
from django.test import override_settings

from games.engine.state import Ruleset
from games.live.presence import Presence
from games.live.runtime import runtime
from games.models import Match, Player, Seat
from games.people import friends, friendships
from games.people.accounts import create_guest
from games.people.friends import Invitable
from games.sockets.connection import FORBIDDEN, NOT_FOUND
from games.sockets.lobby_socket import LobbySocket
from games.tables import invitations
from games.tables.forfeit import leave_for_good
from games.tables.tables import create_match, join_match, leave_match
from games.wire.contract import COMMANDS
from tests.live.test_absence import hear_event
from tests.live.test_turn_clock import discarding, ranked
from tests.support.people import Wire, make_computer_match, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)

MOVES: dict[str, dict[str, Any]] = {
    "discard": {"cards": ["AS", "2S"]},
    "play": {"card": "AS"},
    "claim": {"points": 2},
    "muggins": {"points": 2},
    "pass": {},
    "resign": {},
}
PLAYERS: dict[str, dict[str, Any]] = {
    **MOVES,
    "rematch": {},
    "stand_in": {"seat": 1, "v": 1},
    "claim_win": {"seat": 1, "v": 1},
    "return": {},
    "seen": {},
    "leave": {},
    "fill": {"seat": 1, "level": "nora"},
    "hint": {},
    "say": {"text": "hello"},
    "chat": {"on": False},
    "mute": {"seat": 1, "on": True},
    "block": {"seat": 1},
    "friends": {},
    "invite": {"player": "abcdefgh"},
}
"""A message of each type that only the players of a match may send."""

OTHERS = {"hello", "ping", "history", "turn_down"}


async def refusal(wire: Wire, kind: str, **data: Any) -> str:
    """Send a message, and return the code with which it is refused."""
    answer = await wire.ask(kind, **data)
    assert answer["t"] == "error", answer
    code: str = answer["d"]["code"]
    return code


def test_every_type_of_message_is_tried() -> None:
    assert {command.type for command in COMMANDS} == {*PLAYERS, *OTHERS}


@pytest.mark.parametrize("visitor", [False, True], ids=["another player", "a visitor"])
def test_who_only_watches_may_do_nothing_but_read(visitor: bool) -> None:
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    watcher = None if visitor else create_guest()

    async def scenario() -> None:
        wire = await Wire(match, watcher).open()
        await wire.hear("view")
        for kind, data in PLAYERS.items():
            assert await refusal(wire, kind, **data) == "not_seated", kind
        assert (await wire.ask("history", game=1))["t"] == "error", "there is no earlier game"
        assert wire.kinds <= {"view", "steps", "table", "error", "clock"}
        await wire.hang_up()

    run(scenario())
    match.refresh_from_db()
    assert (match.status, match.rematch) == ("playing", None)
    people = Seat.objects.filter(match=match).order_by("seat")
    assert [(row.player, row.stand_in) for row in people] == [(ann, None), (bob, None)]


@pytest.mark.parametrize("visitor", [False, True], ids=["another player", "a visitor"])
def test_nobody_watches_a_private_match(visitor: bool) -> None:
    match, _ = make_match()
    watcher = None if visitor else create_guest()

    async def scenario() -> None:
        wire = await Wire(match, watcher).open()
        await wire.ended()
        assert wire.closed == FORBIDDEN
        assert wire.kinds == {"bye"}

    run(scenario())


@pytest.mark.parametrize("visitor", [False, True], ids=["another player", "a visitor"])
@pytest.mark.parametrize("replays", ["nobody", "everybody"])
def test_who_comes_after_the_end_sees_what_the_match_page_shows(
    visitor: bool, replays: str
) -> None:
    match, (ann, bob) = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    Player.objects.filter(pk=bob.pk).update(replays=replays)
    watcher = None if visitor else create_guest()

    async def scenario() -> None:
        here, early = await Wire(match, ann).open(), await Wire(match, watcher).open()
        await early.hear("view")
        assert (await here.ask("resign"))["t"] == "ok"
        await hear_event(early, {"e": "resigned", "seat": 0})
        late = await Wire(match, watcher).open()
        if replays == "nobody":
            await late.ended()
            assert late.kinds == {"bye"}
        else:
            await late.hear("view", phase="over")
            await late.hang_up()
        for wire in (here, early):
            await wire.hang_up()

    run(scenario())


def test_a_match_that_does_not_exist_is_not_found() -> None:
    match, (ann, _) = make_match()
    match.public_id = "nowhere1"

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        await wire.ended()
        assert wire.closed == NOT_FOUND
        assert wire.kinds == {"bye"}

    run(scenario())


@override_settings(SOCKET_RATE=1000)
def test_nothing_is_answered_before_hello() -> None:
    """Neither to a player nor to a watcher, and nothing of the match is sent either."""
    match, (ann, _) = make_match()
    Match.objects.filter(pk=match.pk).update(watchable=True)

    async def scenario() -> None:
        for person in (ann, create_guest_here):
            wire = await Wire(match, person).open(hello=False)
            for kind, data in {**PLAYERS, "history": {"game": 1}}.items():
                assert await refusal(wire, kind, **data) == "malformed", kind
                wire.send({"t": "ping", "d": {}})  # a good message cancels a bad one
            assert wire.kinds == {"error", "pong"}
            await wire.hang_up()

    create_guest_here = create_guest()
    run(scenario())


def test_a_player_whom_a_computer_replaced_moves_again_only_after_returning() -> None:
    match, people = make_match(players=3)

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        assert (await wires[2].ask("leave"))["t"] == "ok"
        for kind, data in MOVES.items():
            assert await refusal(wires[2], kind, **data) == "not_seated", kind
        assert (await wires[2].ask("return"))["t"] == "ok"
        assert await refusal(wires[2], "resign") == "cannot_resign"
        for wire in wires:
            await wire.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=2).stand_in is None


def test_a_player_cannot_return_to_anothers_seat() -> None:
    match, people = make_match(players=3)
    leave_match(match=match, player=people[2])

    async def scenario() -> None:
        wire = await Wire(match, people[1]).open()
        assert (await wire.ask("return"))["t"] == "ok"
        await wire.hang_up()

    run(scenario())
    assert Seat.objects.get(match=match, seat=2).stand_in is not None


def test_only_the_creator_of_a_waiting_match_fills_seats_and_invites() -> None:
    ann, bob, cy = (Player.objects.create_user(name) for name in ("Ann", "Bob", "Cy"))
    for friend in (bob, cy):
        friendships.ask(player=ann, other=friend)
        friendships.accept(player=friend, other=ann)
    friendships.ask(player=bob, other=cy)
    friendships.accept(player=cy, other=bob)
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    join_match(player=bob, invite=match.invite)
    invitations_of = match.invitations

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        assert await refusal(there, "fill", seat=2, level="nora") == "not_offered"
        assert await refusal(there, "invite", player=cy.public_id) == "not_offered"
        assert await refusal(here, "fill", seat=1, level="nora") == "seat_taken"
        assert await refusal(here, "fill", seat=2, level="nobody") == "no_such_level"
        assert await refusal(here, "invite", player="abcdefgh") == "no_such_player"
        assert (await here.ask("invite", player=cy.public_id))["t"] == "ok"
        assert (await here.ask("fill", seat=2, level="nora"))["t"] == "ok"
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    assert [(row.inviter, row.invited) for row in invitations_of.all()] == [(ann, cy)]
    assert Match.objects.get(pk=match.pk).status == "playing"


@pytest.mark.parametrize("names", [["Ann", "Bob"], ["Bob", "Ann"]], ids=["older", "newer"])
def test_only_the_creator_of_a_waiting_match_sees_who_can_be_invited(
    monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    people = {name: Player.objects.create_user(name) for name in names}
    ann, bob = people["Ann"], people["Bob"]
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    join_match(player=bob, invite=match.invite)
    cy = Invitable("cyscode", "Cy", asked=False, declined=False)
    monkeypatch.setattr(friends, "invitable", lambda **_: [cy])

    async def seen_by(wire: Wire) -> list[str]:
        return [each["name"] for each in (await wire.ask("friends"))["d"]["friends"]]

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        assert await seen_by(there) == []
        assert await seen_by(here) == ["Cy"]
        assert (await here.ask("fill", seat=2, level="nora"))["t"] == "ok"
        assert await seen_by(here) == [], "the match has begun"
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


def test_a_computers_or_an_empty_seat_is_nobody_to_mute_or_block() -> None:
    match, ann = make_computer_match()

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        for seat in (1, 2):
            assert await refusal(wire, "mute", seat=seat, on=True) == "not_askable"
            assert await refusal(wire, "block", seat=seat) == "not_askable"
        await wire.hang_up()

    run(scenario())


def test_muting_and_blocking_meet_the_player_in_the_seat() -> None:
    ann, bob = Player.objects.create_user("Ann"), Player.objects.create_user("Bob")
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)

    async def scenario() -> None:
        wire = await Wire(match, ann).open()
        assert (await wire.ask("mute", seat=1, on=True))["t"] == "ok"
        assert await muted() == {bob.pk}
        assert (await wire.ask("mute", seat=1, on=False))["t"] == "ok"
        assert await muted() == set()
        assert (await wire.ask("block", seat=1))["t"] == "ok"
        await wire.hang_up()

    async def muted() -> set[int]:
        return {row async for row in ann.mutes_made.values_list("muted", flat=True)}

    run(scenario())
    assert [(row.blocker, row.blocked) for row in ann.blocks_made.all()] == [(ann, bob)]


def test_a_rematch_is_only_for_those_who_still_play() -> None:
    """Two wishes for different rematches make none."""
    match, (ann, bob) = make_match()

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        assert await refusal(here, "rematch", swap=True) == "not_offered"
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        await hear_event(here, {"e": "resigned", "seat": 1})
        assert (await here.ask("rematch", swap=False))["t"] == "ok"
        assert (await there.ask("rematch", swap=True))["t"] == "ok"
        table = await runtime().matches.get(match.public_id)
        assert table is not None
        assert table.rematch == {0: False, 1: True}
        assert table.meta.rematch == ""
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())


def test_a_win_is_never_claimed_at_a_table_of_three() -> None:
    match, people = make_match(players=3)

    async def scenario() -> None:
        wire = await Wire(match, people[0]).open()
        assert await refusal(wire, "claim_win", seat=1, v=1) == "not_offered"
        await wire.hang_up()

    run(scenario())


def test_the_lobby_takes_nothing_but_a_players_own_decline() -> None:
    ann, bob, eve = (Player.objects.create_user(name) for name in ("Ann", "Bob", "Eve"))
    friendships.ask(player=ann, other=bob)
    friendships.accept(player=bob, other=ann)
    match = create_match(creator=ann, ruleset=Ruleset())
    invitations.invite_to(player=ann, friend=bob, match=match)
    decline = {"t": "turn_down", "d": {"match": match.public_id}, "id": "a-1"}

    async def said(player: Player | None, message: dict[str, Any]) -> tuple[str, str]:
        """Return the type and code of the answer to a message in the lobby."""
        sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        async def hear(event: dict[str, Any]) -> None:
            if event["type"] == "websocket.send":
                heard.put_nowait(orjson.loads(event["text"]))

        scope = {"type": "websocket", "user": player, "query_string": b""}
        sent.put_nowait({"type": "websocket.connect"})
        sent.put_nowait({"type": "websocket.receive", "text": orjson.dumps(message).decode()})
        task = asyncio.create_task(LobbySocket(scope, sent.get, hear).run())
        answer = await heard.get()
        while answer.get("id") != "a-1":
            answer = await heard.get()
        sent.put_nowait({"type": "websocket.disconnect"})
        await task
        assert answer["t"] == "error" or answer["d"] == {"v": 0}, "the lobby has no version"
        return answer["t"], answer["d"].get("code", "")

    async def scenario() -> None:
        for kind, data in PLAYERS.items():
            message = {"t": kind, "d": data, "id": "a-1"}
            assert await said(bob, message) == ("error", "unknown_type"), kind
        for player in (None, eve, ann):
            assert await said(player, decline) == ("ok", "")

    run(scenario())
    (row,) = match.invitations.all()
    assert row.declined_at is None

    async def decline_own() -> None:
        assert await said(bob, decline) == ("ok", "")

    run(decline_own())
    row.refresh_from_db()
    assert row.declined_at is not None


def test_a_deaf_process_asks_the_database_who_holds_a_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another process may have given a ranked seat to a computer, unheard here."""
    match, people = ranked()

    async def scenario() -> None:
        wires = [await Wire(match, person).open() for person in people]
        cards = [(await discarding(wire))["cards"] for wire in wires]
        monkeypatch.setattr(Presence, "deaf", property(lambda presence: True))
        await database_sync_to_async(leave_for_good)(match=match.pk, seat=1)
        assert await refusal(wires[1], "discard", cards=cards[1][:2]) == "not_seated"
        assert (await wires[0].ask("discard", cards=cards[0][:2]))["t"] == "ok"
        for wire in wires:
            await wire.hang_up()

    run(scenario())
