"""Messages of players' own programs: the documented ones match the code, bad ones are refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from games.engine.cards import parse_cards
from games.engine.state import Ruleset
from games.engine.view import view_for
from games.live.match_state import MatchState
from games.log.match_meta import MatchMeta, SeatMeta
from games.sockets import program_protocol
from games.sockets.program_protocol import Answer, Join, ShowToken, parse
from games.wire.protocol import MAX_FRAME, Ping
from games.wire.refusals import Refused
from tests.support.servers import ROOT

PAGE = ROOT / "docs" / "bots.md"


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
