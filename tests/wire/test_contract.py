"""The websocket contract: files generated from it, and whole matches checked against it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client as Browser
from jsonschema import Draft7Validator
from msgspec import Struct

from games.engine.events import GameWon
from games.engine.moves import Claim, Discard, Move, Play, to_text
from games.engine.rules import Step, apply, chance, legal_moves, start, waiting
from games.engine.state import Phase, Ruleset, State
from games.engine.view import view_for
from games.live import messages
from games.live.match_state import KEPT_STEPS, MatchState
from games.log.match_meta import MatchMeta, SeatMeta
from games.log.store import Entry
from games.sockets import program_protocol
from games.wire.asyncapi import document, payload
from games.wire.commands import Request
from games.wire.contract import KB, MESSAGES, PROGRAM_MESSAGES
from games.wire.game_shapes import Shape
from games.wire.refusals import SENTENCES, Refused
from scripts import protocol
from tests.support.contract import PROGRAM, check_message
from tests.support.positions import chance_move, random_match
from tests.support.servers import ROOT
from tests.wire.test_protocol import NOON, examples


def test_the_generated_files_are_up_to_date() -> None:
    """`make protocol` writes them."""
    assert protocol.PAGE.read_text() == protocol.page(protocol.PAGE.read_text())
    assert protocol.TYPES.read_text() == protocol.types()
    assert protocol.ASYNCAPI.read_text() == protocol.asyncapi()


def test_the_page_names_the_fields_of_each_message_except_those_of_a_view() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", protocol.PAGE.read_text(), re.MULTILINE)
    named = dict(rows)
    for message in MESSAGES:
        if message.sender == "server" and message.type != "view":
            fields = ", ".join(f"`{name}`" for name in message.data.__struct_encode_fields__)
            assert named[message.type] == fields


def test_the_served_document_is_valid_asyncapi_3() -> None:
    """Validated with the schema published by the AsyncAPI initiative."""
    answer = Browser().get("/api/asyncapi.json")
    assert answer.headers["Content-Type"] == "application/json"
    served = answer.json()
    assert served == json.loads(json.dumps(document()))
    schema = json.loads((ROOT / "tests" / "data" / "asyncapi-3.0.0.json").read_text())
    assert list(Draft7Validator(schema).iter_errors(served)) == []
    assert {message["name"] for message in served["components"]["messages"].values()} == {
        message.type for message in (*MESSAGES, *PROGRAM_MESSAGES)
    }


def test_every_reference_in_the_document_resolves() -> None:
    whole = document()
    for reference in references(whole):
        found: Any = whole
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        assert found


def references(part: Any) -> Iterator[str]:
    """Yield all references below a part of a document."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


@pytest.mark.parametrize("sender", ["client", "server"])
def test_the_pages_examples_match_the_documents_schemas(sender: str) -> None:
    declared = {message.type: message for message in MESSAGES if message.sender == sender}
    components = {"components": document()["components"]}
    for example in examples(sender):
        schema = {**payload(declared[example["t"]]), **components}
        assert list(Draft7Validator(schema).iter_errors(example)) == [], example


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_refusals_match_their_declaration(code: str) -> None:
    check_message(messages.error(code, "", "a" * 40))
    check_message(messages.bye(code))
    check_message(messages.error(code), PROGRAM)


def test_undeclared_messages_are_rejected() -> None:
    for wrong in (
        '{"t":"ok","id":"a","d":{"v":1,"w":2}}',
        '{"t":"ok","id":"a","d":{}}',
        '{"t":"ok","d":{"v":1}}',
        '{"t":"pong","x":1}',
        '{"t":"pong","id":"a"}',
        '{"t":"ok","id":"' + "a" * 128 + '","d":{"v":1}}',
    ):
        with pytest.raises(AssertionError):
            check_message(wrong)


# --- whole matches


def live_match(ruleset: Ruleset) -> MatchState:
    """Return a match before its first move, with names of the maximum length."""
    seats = tuple(
        SeatMeta(at, at + 1, "x" * 10, "W" * 20, "guest", computer=False, level="", stand_in="")
        for at in range(ruleset.players)
    )
    return MatchState(MatchMeta(1, "m" * 10, ruleset, "playing", 1, "invite", True, "", seats))


def follow(live: MatchState, step: Step, move: Move) -> None:
    """Apply one more move."""
    live.apply_entry(Entry(live.pk, live.version, None, to_text(move), "", NOON), step)


def check_all(live: MatchState) -> None:
    """Check every message that any recipient could be sent at this point of a match."""
    for seat in (None, *range(live.meta.ruleset.players)):
        check_message(messages.view(live, seat))
        for back in (0, 1, KEPT_STEPS):
            if back <= live.version:
                check_message(messages.steps(live, seat, live.version - back))
    for game in range(1, len(live.earlier) + 1):
        check_message(messages.history(live, game, "a-1"))
    view = view_for(live.state, 0)
    if view.legal.action in {"discard", "play"}:
        check_message(program_protocol.question(view), PROGRAM)
    check_message(program_protocol.over(view), PROGRAM)


@pytest.mark.parametrize(
    "ruleset",
    [
        Ruleset(target=61, games=2),
        Ruleset(players=3, target=61),
        Ruleset(target=61, counting="manual", muggins=True, games=2),
        Ruleset(players=3, target=61, counting="manual", muggins=True, first_dealer=1),
    ],
)
def test_whole_random_matches_follow_the_contract(ruleset: Ruleset) -> None:
    """Every message after every fifth move and at the end, for every seat and watchers."""
    live = live_match(ruleset)
    for number, moment in enumerate(random_match(ruleset, 11)):
        follow(live, moment.step, moment.move)
        if number % 5 == 0 or moment.step.state.phase is Phase.OVER:
            check_all(live)


def test_only_earlier_games_can_be_requested() -> None:
    ruleset = Ruleset(players=3, target=61, games=2)
    live = live_match(ruleset)
    told: list[Any] = []
    for moment in random_match(ruleset, 3):
        follow(live, moment.step, moment.move)
        told += moment.step.events if len(live.earlier) == 0 else []
        if live.state.game < 2:
            with pytest.raises(Refused, match="not_offered"):
                messages.history(live, 1, "a-1")
    answer = json.loads(messages.history(live, 1, "a-1"))
    assert answer["d"]["game"] == 1
    assert answer["d"]["events"][-1]["e"] == "game_won"
    assert any(isinstance(event, GameWon) for event in told)
    for game in (2, 9):
        with pytest.raises(Refused, match="not_offered"):
            messages.history(live, game, "a-1")


# --- the longest matches


def dullest(state: State) -> Move:
    """Return the move with the fewest points; with manual counting, claim none."""
    seat = waiting(state)[0]
    if state.phase is Phase.SHOW:
        return Claim(seat, 0)
    moves = [
        move
        for move in legal_moves(state, seat)
        if isinstance(move, Discard) or (isinstance(move, Play) and not move.claim)
    ]
    if isinstance(moves[0], Discard):
        return moves[0]
    return min(moves, key=lambda move: sum(apply(state, move).state.scores))


def longest(ruleset: Ruleset) -> MatchState:
    """Return a match played to last as long as possible."""
    rng = Random(1)
    live, state = live_match(ruleset), start(ruleset)
    while state.phase is not Phase.OVER:
        move = chance_move(state, rng) if chance(state) else dullest(state)
        step = apply(state, move)
        follow(live, step, move)
        state = step.state
    return live


def test_the_longest_views_stay_within_their_budgets() -> None:
    """Three seats and nine games; and one manually counted game in which no points are claimed."""
    counted = longest(Ruleset(players=3, games=9))
    assert len(counted.earlier) == 8
    check_all(counted)
    assert len(messages.view(counted, 0)) <= 96 * KB
    check_all(longest(Ruleset(players=3, counting="manual")))


def test_the_declared_shapes_are_closed() -> None:
    """Undeclared fields are rejected in every server message."""
    for message in (*MESSAGES, *PROGRAM_MESSAGES):
        if message.sender == "server":
            assert message.data.__struct_config__.forbid_unknown_fields


def test_messages_cannot_be_changed_once_they_are_made() -> None:
    """They are shared by all who are sent them, and hold nothing that needs the collector."""
    kinds = [message.data for message in (*MESSAGES, *PROGRAM_MESSAGES)]
    for kind in (*kinds, *subclasses(Shape), *subclasses(Request)):
        assert kind.__struct_config__.frozen, kind.__name__
    assert not [kind.__name__ for kind in subclasses(Request) if kind.__struct_config__.gc]


def subclasses(kind: type[Struct]) -> list[type[Struct]]:
    """Return a class and all that are derived from it."""
    return [kind, *(each for child in kind.__subclasses__() for each in subclasses(child))]


def test_every_message_has_a_description() -> None:
    """The served document has it too."""
    served = document()["components"]["messages"]
    for message in (*MESSAGES, *PROGRAM_MESSAGES):
        assert re.fullmatch(r"[A-Z].{10,}[.?]", message.about), message.type
        assert served[f"{message.socket}.{message.sender}.{message.type}"]["summary"] == (
            message.about
        )
