"""Players' own programs: their tokens, their page, and their protocol at a table.

Longer than 400 lines: the three share a program that is run as its author would run it.
"""

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
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client as Browser
from websockets.exceptions import ConnectionClosed

from games.engine.cards import parse_cards
from games.engine.state import Ruleset
from games.engine.view import view_for
from games.live.match_state import MatchState
from games.log.match_meta import MatchMeta, SeatMeta
from games.models import Player, ProgramToken
from games.people.accounts import create_guest
from games.people.programs import (
    MOST_PROGRAMS,
    authenticate_program,
    create_program,
    new_token,
    revoke_token,
)
from games.sockets import program_protocol
from games.sockets.program_protocol import Answer, Join, ShowToken, parse
from games.tables.tables import create_match, join_match
from games.wire.protocol import MAX_FRAME, Ping
from games.wire.refusals import Refused
from tests.support.clients import Client
from tests.support.programs import Program, make_program, revoke_program
from tests.support.servers import ROOT, Site, StartSite, manage
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE

PAGE = ROOT / "docs" / "bots.md"
FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}


def person(name: str = "Margery") -> Player:
    return Player.objects.create_user(name, password="x")


def examples(kind: str) -> list[Any]:
    """Return the examples in the page's code blocks of this kind."""
    blocks = re.findall(rf"```json {kind}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def keys(value: object) -> object:
    """Return a message's field names, nested; for a list those of its first element."""
    if isinstance(value, dict):
        return {name: keys(part) for name, part in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [keys(value[0])]
    return None


# --- tokens


@pytest.mark.django_db
def test_a_program_is_a_computer_with_an_owner_and_a_token() -> None:
    program, token = create_program(owner=person(), name="Deep Crib")
    assert program.is_computer
    found = authenticate_program(token=token)
    assert found == program
    assert found.owner is not None
    assert found.owner.name == "Margery"
    assert ProgramToken.objects.get().used_at is not None


@pytest.mark.django_db
def test_the_token_itself_is_not_stored() -> None:
    program, token = create_program(owner=person(), name="Deep Crib")
    row = ProgramToken.objects.values().get()
    stored = {**row, **Player.objects.filter(pk=program.pk).values().get()}
    assert not [name for name, value in stored.items() if token[9:] in str(value)]


@pytest.mark.django_db
def test_a_new_token_replaces_the_old_one_and_revoking_ends_all() -> None:
    program, old = create_program(owner=person(), name="Deep Crib")
    new = new_token(program=program)
    for token in (old, "", "cribbage_"):
        with pytest.raises(Refused) as refused:
            authenticate_program(token=token)
        assert refused.value.code == "bad_token"
    authenticate_program(token=new)
    revoke_token(program=program)
    with pytest.raises(Refused):
        authenticate_program(token=new)


@pytest.mark.django_db
def test_a_banned_owners_program_is_refused() -> None:
    owner = person()
    _, token = create_program(owner=owner, name="Deep Crib")
    owner.is_active = False
    owner.save()
    with pytest.raises(Refused):
        authenticate_program(token=token)


@pytest.mark.django_db
def test_programs_need_an_account_and_are_limited() -> None:
    with pytest.raises(ValidationError):
        create_program(owner=create_guest(), name="Deep Crib")
    owner = person()
    for number in range(MOST_PROGRAMS):
        create_program(owner=owner, name=f"Crib {chr(65 + number)}")
    with pytest.raises(ValidationError) as refused:
        create_program(owner=owner, name="Another")
    assert refused.value.code == "too_many"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["x", "Margery", "MARGERY", "deepcrib"])
def test_a_program_cannot_take_an_existing_name(name: str) -> None:
    owner = person()
    create_program(owner=owner, name="Deep Crib")
    with pytest.raises(ValidationError):
        create_program(owner=owner, name=name)


@pytest.mark.django_db
def test_database_constraints_keep_names_unique_and_owners_to_programs() -> None:
    owner = person()
    program, _ = create_program(owner=owner, name="Deep Crib")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user("Other", name_skeleton=program.name_skeleton)
    with pytest.raises(IntegrityError, match="player_owned_is_computer"), transaction.atomic():
        Player.objects.create(username="g", kind="guest", owner=owner)


@pytest.mark.django_db
def test_a_program_can_join_private_tables_only() -> None:
    owner = person()
    program, _ = create_program(owner=owner, name="Deep Crib")
    listed = create_match(creator=owner, ruleset=Ruleset(), listed=True)
    with pytest.raises(Refused) as refused:
        join_match(player=program, invite=listed.invite)
    assert refused.value.code == "no_programs"
    private = create_match(creator=owner, ruleset=Ruleset())
    join_match(player=program, invite=private.invite)
    seat = private.seats.get(player=program)
    assert not seat.computer, "it makes its own moves, unlike the site's computers"


# --- the page


@pytest.mark.django_db
def test_a_guest_is_redirected_to_sign_up(client: Browser) -> None:
    assert client.get("/programs/").headers["Location"] == "/accounts/signup/"


@pytest.mark.django_db
def test_a_person_can_add_a_program_and_sees_its_token_once(client: Browser) -> None:
    client.force_login(person(), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/programs/", {"name": "Deep Crib"})
    (token,) = re.findall(r"cribbage_[\w-]{43}", answer.content.decode())
    assert "no-store" in answer.headers["Cache-Control"]
    assert authenticate_program(token=token).name == "Deep Crib"
    assert token not in client.get("/programs/").content.decode()
    program = Player.objects.get(name="Deep Crib")
    again = client.post(f"/programs/{program.public_id}/token/")
    (fresh,) = re.findall(r"cribbage_[\w-]{43}", again.content.decode())
    assert fresh != token
    client.post(f"/programs/{program.public_id}/revoke/")
    assert not ProgramToken.objects.exists()
    assert "shut out" in client.get("/programs/").content.decode()


@pytest.mark.django_db
def test_players_cannot_access_others_programs(client: Browser) -> None:
    program, token = create_program(owner=person(), name="Deep Crib")
    client.force_login(person("Tom"), backend="django.contrib.auth.backends.ModelBackend")
    for what in ("token", "revoke"):
        assert client.post(f"/programs/{program.public_id}/{what}/").status_code == 404
    assert "Deep Crib" not in client.get("/programs/").content.decode()
    assert authenticate_program(token=token) == program


@pytest.mark.django_db
def test_an_unavailable_name_is_refused_at_its_field(client: Browser) -> None:
    client.force_login(person(), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/programs/", {"name": "Margery"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]


# --- messages


def test_the_documented_client_messages_are_parsed() -> None:
    assert [parse(json.dumps(example)) for example in examples("program")] == [
        ShowToken("cribbage_J2v0mHTuqXz8mE4sYc7XQxG1bN5rKdWfLp9aZo3tUiA"),
        Join("n3kq8x7vbt2mwz5c", ""),
        Join("", "c7k2mxq4tz"),
        Ping(),
        Answer("discard", parse_cards("3D 2S")),
        Answer("play", parse_cards("5H")),
    ]


def test_the_documented_server_messages_match_the_code() -> None:
    seats = tuple(
        SeatMeta(at, at + 1, "", name, kind, computer=False, level="", stand_in="")
        for at, (name, kind) in enumerate((("Ann", "person"), ("Deep Crib", "computer")))
    )
    meta = MatchMeta(1, "match", Ruleset(), "playing", 1, "", False, "", seats)
    made = [program_protocol.ready("Deep Crib", "Ann", 10), program_protocol.joined(meta, 1)]
    assert [keys(example) for example in examples("site")] == [
        keys(json.loads(text)) for text in made
    ]
    view = view_for(MatchState(meta).state, 1)
    for text in (program_protocol.question(view), program_protocol.over(view)):
        assert json.loads(text).keys() == {"t", "view"}


BAD = [
    ("", "malformed"),
    ("[]", "malformed"),
    ("{}", "unknown_type"),
    ('{"t":"play"}', "unknown_type"),
    ('{"t":"join"}', "malformed"),
    ('{"t":"join","d":[]}', "malformed"),
    ('{"t":"join","d":{"invite":7}}', "malformed"),
    ('{"t":"join","d":{"invite":"../x"}}', "malformed"),
    ('{"t":"join","d":{"invite":"abc","match":"abc"}}', "malformed"),
    ('{"t":"join","d":{"invite":"abc","match":7}}', "malformed"),
    ('{"t":"token","d":{"token":7}}', "malformed"),
    ('{"t":"token","d":{"token":"' + "x" * 101 + '"}}', "malformed"),
    ('{"cards":[]}', "malformed"),
    ('{"cards":"5H"}', "malformed"),
    ('{"cards":["5H","5H","5H"]}', "malformed"),
    ('{"cards":[5]}', "malformed"),
    ('{"card":"1H"}', "malformed"),
    ('{"card":null}', "malformed"),
    ('{"card":"' + "5" * MAX_FRAME + '"}', "too_long"),
]


@pytest.mark.parametrize(("text", "code"), BAD)
def test_bad_messages_are_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        parse(text)
    assert refused.value.code == code


# --- at the table


@pytest.fixture
def site(start_site: StartSite) -> Site:
    return start_site(extra=FAST)


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
            assert ready["d"] == {"name": "Deep Crib", "owner": "Margery", "seconds": 10.0}
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
            await ann.act("stand_in", {"seat": 1})
            await ann.see(lambda: ann.table["seats"][1]["stand_in"] == "Poppy")
            async with Program(site.socket_url, token) as program:
                await program.join(match=table.match)
                assert (await program.hear("joined"))["d"]["seat"] == 1
                await ann.see(lambda: ann.table["seats"][1]["stand_in"] is None)
                ends = await asyncio.gather(program.play(), ann.play())
            assert ends[0]["winner"] == ann.view["winner"]

    asyncio.run(session())


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
        wish(players=3, join=False, target=61, counting="manual", muggins=True),
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
