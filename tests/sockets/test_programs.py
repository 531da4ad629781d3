"""Players' own programs at a table: questions, answers, time limits and tokens."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from games.cluster import announce
from games.engine import rules
from games.engine.moves import Discard, Play
from games.engine.state import Phase, Ruleset
from games.engine.view import view_for
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Player, ProgramToken
from games.people.accounts import create_guest
from games.people.programs import create_program
from games.sockets.program_socket import ProgramSocket
from games.tables.tables import create_match
from games.wire.refusals import Refused
from tests.sockets.test_program_protocol import PAGE
from tests.support.clients import Client
from tests.support.people import run
from tests.support.programs import Program, make_program, revoke_program
from tests.support.servers import Site, StartSite, manage
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_until

FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
PATIENCE = 90
"""Seconds for an answer where a program is not to be too slow."""


@pytest.fixture
def site(start_site: StartSite) -> Site:
    return start_site(extra={**FAST, "PROGRAM_SECONDS": str(PATIENCE)})


async def ending(program: Program) -> tuple[str, int]:
    """Return the code of the bye message and of the closing."""
    bye = await program.hear("bye")
    with pytest.raises(ConnectionClosed) as closed:
        await program.socket.recv()
    assert closed.value.rcvd is not None
    return bye["d"]["code"], closed.value.rcvd.code


def test_the_documented_example_program_plays_a_whole_match(site: Site, tmp_path: Path) -> None:
    """The program in docs/bots.md, unchanged, against a person; the table shows its owner."""
    (code,) = re.findall(r"```python\n(\"\"\"At a table.*?)```", PAGE.read_text(), re.DOTALL)
    example = tmp_path / "program.py"
    example.write_text(code)
    token = make_program(site.database_url)
    (table,) = make_tables(site.database_url, wish(join=False, target=61))
    program = subprocess.Popen(
        [sys.executable, str(example), f"{site.socket_url}/ws/bot/", table.invite],
        env={**os.environ, "CRIBBAGE_TOKEN": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )

    async def session() -> list[int]:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.see(lambda: ann.view.get("phase") == "discard")
            await ann.see(lambda: bool(ann.table) and ann.table["seats"][1].get("online", False))
            seat = ann.table["seats"][1]
            assert (seat["name"], seat["kind"], seat["owner"]) == (
                "Deep Crib",
                "computer",
                "Margery",
            )
            await ann.play()
            return list(ann.view["scores"])

    scores = asyncio.run(session())
    told, _ = program.communicate(timeout=DEADLINE)
    assert told == f"scores {scores[0]} {scores[1]}\n"
    assert program.returncode == 0
    manage(site.database_url, "verify_matches")


def test_a_token_is_needed_and_a_cookie_is_not_enough(site: Site) -> None:
    (table,) = make_tables(site.database_url, wish(join=False))

    async def session() -> None:
        for wrong in ("", "cribbage_wrong"):
            async with Program(site.socket_url, wrong) as program:
                assert await ending(program) == ("bad_token", 4403)
        async with Program(
            site.socket_url, None, Cookie=f"sessionid={table.cookies[0]}"
        ) as program:
            await program.join(match=table.match)
            assert (await program.hear("error"))["d"]["code"] == "forbidden"
            await program.say({"t": "token", "d": {"token": "cribbage_wrong"}})
            assert await ending(program) == ("bad_token", 4403)

    asyncio.run(session())


def test_a_wrong_answer_is_explained_and_the_question_repeated(site: Site) -> None:
    token = make_program(site.database_url)
    table, other = make_tables(site.database_url, wish(join=False), wish())

    async def session() -> None:
        async with Program(site.socket_url, None) as program:
            await program.say({"t": "token", "d": {"token": token}})
            ready = await program.hear("ready")
            assert ready["d"] == {"name": "Deep Crib", "owner": "Margery", "seconds": PATIENCE}
            await program.say({"card": "5H"})
            assert (await program.hear("error"))["d"]["code"] == "not_your_turn"
            for where, code in (
                ({"invite": "nosuchinvitation"}, "no_such_invitation"),
                ({"invite": other.invite}, "match_full"),
                ({"match": other.match}, "no_such_match"),
                ({"match": "nosuchmatch"}, "no_such_match"),
            ):
                await program.join(**where)
                assert (await program.hear("error"))["d"]["code"] == code
            await program.join(invite=table.invite)
            question = await program.hear("discard")
            assert question["view"]["legal"]["number"] == 2
            held = question["view"]["cards"]
            (strange,) = [
                card for card in ("5H", "6H", "7H", "8H", "9H", "TH", "JH") if card not in held
            ][:1]
            for wrong, code in (
                ({"card": held[0]}, "wrong_phase"),
                ({"cards": [held[0]]}, "wrong_number"),
                ({"cards": [held[0], strange]}, "not_your_card"),
            ):
                await program.say(wrong)
                assert (await program.hear("error"))["d"]["code"] == code
                assert (await program.hear("discard"))["view"] == question["view"]
            await program.socket.send("{")
            assert (await program.hear("error"))["d"]["code"] == "malformed"
            await program.answer(question)
            await program.say({"t": "ping"})
            await program.hear("pong")

    asyncio.run(session())


def test_a_slow_program_is_disconnected_and_may_return_to_its_seat(
    start_site: StartSite,
) -> None:
    # The program is slow once, and later has to answer every question in time.
    site = start_site(extra={**FAST, "PROGRAM_SECONDS": "15", "ABSENCE_GRACE_SECONDS": "1"})
    token = make_program(site.database_url)
    (table,) = make_tables(site.database_url, wish(join=False, target=61, stand_in="poppy"))

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            async with Program(site.socket_url, token) as program:
                await program.join(invite=table.invite)
                await program.hear("discard")
                assert await ending(program) == ("too_slow", 4408)
            await ann.see(lambda: any(a["can_stand_in"] for a in ann.table.get("absent", [])))
            await ann.act("stand_in", {"seat": 1, "v": ann.version})
            await ann.see(lambda: ann.table["seats"][1]["stand_in"] == "Poppy")
            async with Program(site.socket_url, token) as program:
                await program.join(match=table.match)
                assert (await program.hear("joined"))["d"]["seat"] == 1
                await ann.see(lambda: ann.table["seats"][1]["stand_in"] is None)
                ends = await asyncio.gather(program.play(), ann.play())
            assert ends[0]["winner"] == ann.view["winner"]

    asyncio.run(session())
    assert own_moves_of_substitutes(site.database_url, table.pk, last=8) == "set()", (
        "the program played the end of the match itself"
    )


def own_moves_of_substitutes(database_url: str, match: int, *, last: int) -> str:
    """Return which of the last moves of seat 1 are taken for a substitute's, as a printed set."""
    code = f"""
from games.log.substitutes import moves_of_substitutes
from games.models import Move
own = Move.objects.filter(match={match}, seat=1).order_by("-sequence")[:{last}]
print({{move.sequence for move in own}} & set(moves_of_substitutes(match={match})))
"""
    return manage(database_url, "shell", "-v", "0", "-c", code).strip()


def test_revoking_a_token_ends_the_connection(site: Site) -> None:
    token = make_program(site.database_url)
    (table,) = make_tables(site.database_url, wish(join=False))

    async def session() -> None:
        async with Program(site.socket_url, token) as program:
            await program.join(invite=table.invite)
            question = await program.hear("discard")
            await asyncio.to_thread(revoke_program, site.database_url)
            await program.answer(question)
            assert await ending(program) == ("bad_token", 4403)

    asyncio.run(session())


def test_programs_claim_correctly_with_manual_counting_and_play_rematches(site: Site) -> None:
    """Three seats with muggins: programs never claim too little, and accept a rematch."""
    tokens = [make_program(site.database_url, name) for name in ("Deep Crib", "Low Crib")]
    (table,) = make_tables(
        site.database_url,
        wish(players=3, join=False, counting="manual", muggins=True),
    )

    async def session() -> None:
        async with (
            Client(site.socket_url, table.match, table.cookies[0], claim=0) as ann,
            Program(site.socket_url, tokens[0]) as first,
            Program(site.socket_url, tokens[1]) as second,
        ):
            for program in (first, second):
                await program.join(invite=table.invite)
                await program.hear("joined")
            ends = await asyncio.gather(first.play(), second.play(), ann.play())
            events = [event for hand in ends[0]["history"] for event in hand]
            events += ends[0]["events"]
            counted = [e for e in events if e["e"] == "counted" and e["seat"] != 0]
            assert len(counted) > 5
            assert all(e["claimed"] == e["points"] for e in counted)
            wrong = [e for e in events if e["e"] == "mugged" and e["victim"] != 0]
            assert all(e["points"] <= 0 for e in wrong), "nothing was left to take"
            assert any(e["e"] == "mugged" and e["victim"] == 0 for e in events), "she claims 0"
            await ann.act("rematch")
            for program in (first, second):
                again = await program.hear("joined")
                assert again["d"]["match"] != table.match
                await program.hear("discard")

    asyncio.run(session())


@pytest.mark.django_db(transaction=True)
def test_a_program_whose_card_could_not_be_stored_has_a_new_time_limit(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.COMPUTER_PAUSE, settings.PROGRAM_SECONDS = 0.0, 600.0
    _, token = create_program(owner=Player.objects.create_user("Margery"), name="Deep Crib")
    match = create_match(creator=create_guest(), ruleset=Ruleset())

    async def scenario() -> None:
        given: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        header = (b"authorization", f"Bearer {token}".encode())

        async def connection() -> None:
            await ProgramSocket({"headers": [header]}, given.get, told.put).run()

        running = asyncio.create_task(connection())

        def send(message: dict[str, Any]) -> None:
            given.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

        async def hear(kind: str) -> dict[str, Any]:
            while True:
                message = json.loads((await told.get()).get("text", "{}"))
                if message.get("t") == kind:
                    return dict(message)

        given.put_nowait({"type": "websocket.connect"})
        send({"t": "join", "d": {"invite": match.invite}})
        asked = await hear("discard")
        send({"cards": asked["view"]["legal"]["cards"][:2]})
        table = await runtime().matches.get(match.public_id)
        assert table is not None
        await table.play(Discard(0, view_for(table.state, 0).legal.cards[:2]), seat=0)
        await wait_until(lambda: table.state.phase is Phase.PLAY)
        if 0 in rules.waiting(table.state):
            await table.play(Play(0, view_for(table.state, 0).legal.cards[0]), seat=0)
        asked = await hear("play")

        async def refuse(*_: object, **__: object) -> None:
            raise Refused("unavailable")

        monkeypatch.setattr(Table, "play", refuse)
        settings.PROGRAM_SECONDS = 0.01
        send({"card": asked["view"]["legal"]["cards"][0]})
        assert (await hear("error"))["d"]["code"] == "unavailable"
        assert (await hear("bye"))["d"]["code"] == "too_slow"
        await running

    run(scenario())


class Opened:
    """A program's socket in this process, without its wire."""

    def __init__(self, token: str) -> None:
        self.given: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        scope = {"headers": [(b"authorization", f"Bearer {token}".encode())]}
        self.given.put_nowait({"type": "websocket.connect"})
        self.running = asyncio.create_task(
            ProgramSocket(scope, self.given.get, self.told.put).run()
        )

    async def hear(self) -> dict[str, Any]:
        """Return the next message."""
        async with asyncio.timeout(DEADLINE):
            while True:
                message = await self.told.get()
                if message.get("text"):
                    return dict(json.loads(message["text"]))


@pytest.mark.django_db(transaction=True)
def test_a_token_that_was_revoked_unheard_is_noticed_after_a_gap_in_redis() -> None:
    owner = Player.objects.create_user("Margery")
    gone, gone_token = create_program(owner=owner, name="Deep Crib")
    _, kept_token = create_program(owner=owner, name="Shallow Crib")

    async def scenario() -> None:
        tabs = [Opened(token) for token in (gone_token, kept_token)]
        for tab in tabs:
            assert (await tab.hear())["t"] == "ready"
        await asyncio.to_thread(ProgramToken.objects.filter(player=gone).delete)
        runtime()._subscribed(announce.PLAYERS)
        bye = await tabs[0].hear()
        assert (bye["t"], bye["d"]["code"]) == ("bye", "logged_out")
        assert not tabs[1].running.done()
        tabs[1].given.put_nowait({"type": "websocket.disconnect"})
        await asyncio.gather(*(tab.running for tab in tabs))

    run(scenario())
