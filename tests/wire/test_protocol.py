"""Websocket messages, and the page that documents them."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots import levels
from games.correspondence.turns import Turn
from games.engine import events, rules
from games.engine.moves import Claim, Cut, Deal, Discard, Muggins, Pass, Play, Resign
from games.engine.state import Ruleset
from games.live import messages
from games.live.chat_feed import ChatDelivery
from games.live.hints import Hint
from games.live.lobby import Lobby, asked_message
from games.live.match_state import MatchState
from games.log.match_meta import MatchMeta, SeatMeta
from games.people.chat import PHRASES, Line, Mode, Room
from games.people.friends import Invitable, ReceivedInvitation
from games.wire import commands, protocol
from games.wire.protocol import MAX_FRAME, MESSAGES, Act, Command, parse
from games.wire.refusals import SENTENCES, Refused, sentence
from games.wire.serializers import event_json

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENGINE = Path(rules.__file__).parent


def examples(kind: str) -> list[dict[str, Any]]:
    """Return the examples in the page's code blocks of this kind."""
    blocks = re.findall(rf"```json {kind}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def live(*, moves: bool = True) -> MatchState:
    """Return a match between Ann and Bob, after the deal."""
    seats = tuple(
        SeatMeta(at, at + 1, f"player{at}", name, "guest", computer=False, level="", stand_in="")
        for at, name in enumerate(("Ann", "Bob"))
    )
    match = MatchState(MatchMeta(1, "match", Ruleset(), "playing", 1, "invite", True, "", seats))
    if moves:
        deal = Deal(tuple(tuple(range(seat * 6, seat * 6 + 6)) for seat in range(2)))
        for move in (Cut((0, 50)), deal):
            match.state = rules.apply(match.state, move).state
    return match


def test_the_page_documents_exactly_the_existing_types() -> None:
    """Undocumented messages fail here, and so do documented ones that do not exist."""
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
    assert rows == {message.type for message in MESSAGES}
    shown = {example["t"] for kind in ("client", "server") for example in examples(kind)}
    assert shown == rows


def test_every_client_example_can_be_parsed() -> None:
    """The parser accepts everything the page shows."""
    seen = set()
    for example in examples("client"):
        command = parse(json.dumps(example))
        assert isinstance(command, get_args(Command))
        assert command.id == example.get("id", "")
        seen.add(example["t"])
    assert seen == {message.type for message in MESSAGES if message.sender == "client"}


def test_moves_are_parsed_and_get_the_connections_seat() -> None:
    made = {
        example["t"]: command.make(1)
        for example in examples("client")
        if isinstance(command := parse(json.dumps(example)), Act)
    }
    assert made == {
        "discard": Discard(1, (9, 7)),
        "play": Play(1, 18, 2),
        "claim": Claim(1, 12),
        "muggins": Muggins(1, 2),
        "pass": Pass(1),
        "resign": Resign(1),
    }


def test_every_server_example_has_the_fields_of_real_messages() -> None:
    """Compared by their keys at every level."""
    match = live()
    table = messages.table(
        match,
        messages.table_common(match, seated=True, online=frozenset({0}), watchers=0, wanted={}),
        seat=0,
        creator=True,
        away={1: 12.0},
        grace=30,
        idle={0: 200.0},
        idle_limit=300,
    )
    match.apply_entry(entry("0 discard ACAD"))
    match.earlier = ((events.CutForDeal((0, 50), 0),),)
    made = [
        messages.returned("Walter"),
        messages.clock(version=7, seats=(1,), until=NOON, limit=60, now=NOON),
        messages.due(Turn(7, 7, (1,), (NOON,), (None,)), days=3, now=NOON, to_player=True),
        messages.view(match, 0),
        messages.steps(match, None, 2),
        table,
        messages.ok("k3-2", 58),
        messages.history(match, 1, "k3-24"),
        messages.hint(Hint("play", (18,), "Play it.", ("Your only playable card.",)), 57, "k3-14"),
        messages.error("over_31", "", "k3-2"),
        messages.PONG,
        messages.bye("forbidden"),
        json.dumps(lobby_message()),
        json.dumps(
            asked_message([ReceivedInvitation("p3w8kz5qhd", "Ann", "b6t2m9rxkq4wzc7v", NOON)])
        ),
        *chat_messages(match),
        messages.friends([Invitable("b4d8kq2wzr", "Bea", asked=True, declined=False)], "k3-21"),
    ]
    produced = {message["t"]: message for message in map(json.loads, made)}
    documented = {example["t"]: example for example in examples("server")}
    assert documented.keys() == produced.keys()
    assert documented.keys() == {m.type for m in MESSAGES if m.sender == "server"}
    for kind, example in documented.items():
        assert keys(example) == keys(produced[kind]), kind


def chat_messages(match: MatchState) -> list[str]:
    """Return the chat messages that Ann gets on connecting, and then for a line of her own."""
    lines = [Line(811, 2, "Bob", "", "Hello", NOON), Line(812, 1, "Ann", "good_luck", "", NOON)]
    none: frozenset[tuple[int, int]] = frozenset()
    delivery, made = ChatDelivery(), []
    for number in (1, 2):
        room = Room(Mode.FREE, tuple(lines[:number]), {1: True, 2: True}, none, none, {})
        made += delivery.updates(match.meta, room, 1)
    return made


def entry(text: str) -> Any:
    return SimpleNamespace(match=1, sequence=2, seat=0, text=text, client_id="k3-2")


def lobby_message() -> dict[str, Any]:
    """Return the lobby's message with one open table."""
    from unittest.mock import patch

    from games.archive.selectors import OpenTable

    table = OpenTable("c7k2mxq4tz", "invite", "Ann", Ruleset(), 1, datetime.now(UTC))
    with patch("games.archive.selectors.lobby_tables", return_value=[table]):
        return Lobby(lambda: 14)._message()


def keys(value: object) -> object:
    """Return a message's field names, nested; for a list those of its first element."""
    if isinstance(value, dict):
        inner = {name: keys(part) for name, part in value.items() if name != "events"}
        return inner | {"events": None} if "events" in value else inner
    if isinstance(value, list | tuple) and value and isinstance(value[0], dict):
        return [keys(value[0])]
    return None


def test_every_event_has_an_example_with_its_fields() -> None:
    """A new event of the engine must be documented."""
    values: dict[str, Any] = {"cards": (0,), "scores": (0, 0), "skunks": (0, 0), "parts": ()}
    values |= {"match_points": (1, 0), "total": None}
    produced = {}
    for kind in get_args(events.Event):
        event = event_json(kind(**{item.name: values.get(item.name, 0) for item in fields(kind)}))
        produced[event["e"]] = event.keys()
    assert {example["e"]: example.keys() for example in examples("events")} == produced


def test_every_refusal_code_has_a_sentence_and_is_documented() -> None:
    """The codes of the rules are read from the engine's source."""
    source = "".join(path.read_text() for path in ENGINE.glob("*.py"))
    raised = set(re.findall(r"IllegalMove\(\s*f?\"(\w+)", source))
    # Codes for illegal chance moves are never sent to a client.
    raised -= {"bad_cut", "bad_deal", "bad_starter"}
    assert raised - {"bad_claim"} <= SENTENCES.keys()
    page = PAGE.read_text()
    codes = set(re.findall(r"`(\w+)`", page[page.index("### Codes of refusals") :]))
    assert SENTENCES.keys() <= codes


def test_a_refusal_is_told_by_its_sentence_else_by_its_detail_else_by_its_code() -> None:
    assert Refused("malformed", "at 3").message == str(SENTENCES["malformed"])
    assert sentence("nowhere", "at 3") == "at 3"
    assert sentence("nowhere") == "nowhere"


def test_a_program_joins_by_an_invite_or_a_match_and_never_by_both_or_neither() -> None:
    assert commands.Join(invite="k7m2p9x4qdk7m2p9").match == ""
    assert commands.Join(match="k7m2p9x4qd").invite == ""
    for both in ({}, {"invite": "k7m2p9x4qdk7m2p9", "match": "k7m2p9x4qd"}):
        with pytest.raises(ValueError, match="either invite or match"):
            commands.Join(**both)


@pytest.mark.parametrize(
    ("text", "ident"),
    [
        ('{"id": "a-1"}', "a-1"),
        ('{"t": "play"}', ""),
        ('{"id": "a b"}', ""),
        ('{"id": 7}', ""),
        ("[]", ""),
        ("{", ""),
        ('{"id": "a"}'.ljust(MAX_FRAME), "a"),
        ('{"id": "a"}'.ljust(MAX_FRAME + 1), ""),
    ],
)
def test_a_refusal_names_the_message_by_its_id_if_that_can_be_read(text: str, ident: str) -> None:
    assert protocol.reply_id(text) == ident


def test_every_chat_phrase_is_documented_and_has_words_in_the_browser() -> None:
    page = PAGE.read_text()
    chat = page[page.index("### Chat") : page.index("### Events")]
    assert set(PHRASES) <= set(re.findall(r"`(\w+)`", chat))
    script = (PAGE.parents[1] / "static" / "js" / "table" / "chat_panel.js").read_text()
    words = script[script.index("PHRASES = {") :]
    assert re.findall(r"^  (\w+): \(\) => gettext", words, re.MULTILINE) == list(PHRASES)


BAD = [
    ("", "malformed"),
    ("{", "malformed"),
    ("null", "malformed"),
    ("[" * 4000, "malformed"),
    ('{"t":"ping","d":[]}', "malformed"),
    ('{"d":{}}', "malformed"),
    ('{"t":"nonsense"}', "unknown_type"),
    ('{"t":"view","d":{}}', "unknown_type"),
    ('{"t":"hello","d":{"v":-1}}', "malformed"),
    ('{"t":"hello","d":{"v":"57"}}', "malformed"),
    ('{"t":"hello","d":{"v":1e9}}', "malformed"),
    ('{"t":"resign","d":{}}', "malformed"),
    ('{"t":"resign","d":{},"id":""}', "malformed"),
    ('{"t":"resign","d":{},"id":"' + "a" * 41 + '"}', "malformed"),
    ('{"t":"resign","d":{},"id":"a\\n"}', "malformed"),
    ('{"t":"resign","d":{},"id":7}', "malformed"),
    ('{"t":"discard","d":{"cards":[]},"id":"a"}', "malformed"),
    ('{"t":"discard","d":{"cards":["5H","5H","5H"]},"id":"a"}', "malformed"),
    ('{"t":"discard","d":{"cards":"5H6H"},"id":"a"}', "malformed"),
    ('{"t":"discard","d":{"cards":[5]},"id":"a"}', "malformed"),
    ('{"t":"play","d":{"card":"5H","claim":100},"id":"a"}', "malformed"),
    ('{"t":"claim","d":{"points":true},"id":"a"}', "malformed"),
    ('{"t":"claim","d":{"points":2.0},"id":"a"}', "malformed"),
    ('{"t":"say","d":{},"id":"a"}', "malformed"),
    ('{"t":"say","d":{"text":7},"id":"a"}', "malformed"),
    ('{"t":"say","d":{"text":"a","phrase":"hello"},"id":"a"}', "malformed"),
    ('{"t":"say","d":{"phrase":"Hello there"},"id":"a"}', "malformed"),
    ('{"t":"chat","d":{"on":1},"id":"a"}', "malformed"),
    ('{"t":"mute","d":{"seat":1},"id":"a"}', "malformed"),
    ('{"t":"mute","d":{"seat":3,"on":true},"id":"a"}', "malformed"),
    ('{"t":"invite","d":{"player":"no such id"},"id":"a"}', "malformed"),
    ('{"t":"rematch","d":{"swap":"yes"},"id":"a"}', "malformed"),
    ('{"t":"fill","d":{"seat":3,"level":"walter"},"id":"a"}', "malformed"),
    ('{"t":"fill","d":{"seat":1,"level":"../x"},"id":"a"}', "malformed"),
    ('{"t":"ping","x":"' + "é" * (MAX_FRAME // 2) + '"}', "too_long"),
]


@pytest.mark.parametrize(("text", "code"), BAD)
def test_bad_messages_are_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        parse(text)
    assert refused.value.code == code
    assert refused.value.message


def test_the_longest_message_is_read_and_a_longer_one_is_not() -> None:
    start, end = '{"t":"ping","x":"', '"}'
    for text in ("x" * (MAX_FRAME - len(start + end)), "é" * ((MAX_FRAME - len(start + end)) // 2)):
        assert parse(start + text + end)
        with pytest.raises(Refused, match="bytes"):
            parse(start + text + "xx" + end)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
TYPES = [message.type for message in MESSAGES]


@given(st.text() | json_values.map(json.dumps))
def test_any_input_is_parsed_or_refused(text: str) -> None:
    try:
        assert isinstance(parse(text), get_args(Command))
    except Refused:
        assert isinstance(protocol.reply_id(text), str)


@given(st.sampled_from(TYPES), json_values, json_values, json_values)
def test_nearly_valid_messages_are_parsed_or_refused(
    kind: str, card: object, number: object, ident: object
) -> None:
    data = {"v": number, "card": card, "cards": [card, card], "points": number, "seat": number}
    message = {"t": kind, "d": {**data, "claim": number, "level": card}, "id": ident}
    try:
        command: object = parse(json.dumps(message))
    except Refused as refusal:
        command = refusal.code
    assert isinstance(command, get_args(Command)) or command in {
        "malformed",
        "unknown_type",
        "too_long",
    }


def test_the_level_in_the_example_exists() -> None:
    (fill,) = [example for example in examples("client") if example["t"] == "fill"]
    assert fill["d"]["level"] in {level.name for level in levels()}
