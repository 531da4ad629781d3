"""What programs say and hear on their socket: the arena's lines, with a table around them.

``docs/bots.md`` documents it; a test compares the page with what is here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson

from games.engine.cards import Card, CardError, parse_card
from games.engine.state import Ruleset
from games.engine.view import View
from games.headers import Header
from games.protocol import MAX_FRAME, Ping
from games.refusals import Refused
from games.wire import dumps, view_json

_KEY = re.compile(r"[a-z0-9]{1,20}\Z")
MAX_TOKEN = 100
"""Characters of a token, at most."""


@dataclass(frozen=True, slots=True)
class ShowToken:
    """Says who connects, where no header did."""

    token: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """Takes a seat by an invitation, or goes back to the match with this public id."""

    invite: str
    match: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Cards in answer to the last question: to lay away ("discard") or the one to play ("play")."""

    kind: str
    cards: tuple[Card, ...]
    id: str = ""


ProgramCommand = ShowToken | Join | Answer | Ping


def parse(text: str) -> ProgramCommand:
    """Return what a program's message asks or answers.

    Raises:
        Refused: ``too_long``, ``malformed`` or ``unknown_type``; the detail says what was wrong.
    """
    if len(text.encode(errors="replace")) > MAX_FRAME:
        raise Refused("too_long", f"at most {MAX_FRAME} bytes")
    try:
        message = orjson.loads(text)
    except orjson.JSONDecodeError as cause:
        raise Refused("malformed", f"not JSON: {cause}") from cause
    if not isinstance(message, dict):
        raise Refused("malformed", "an object is expected")
    if "cards" in message:
        return Answer("discard", _cards(message["cards"]))
    if "card" in message:
        return Answer("play", _cards([message["card"]]))
    data = message.get("d", {})
    if not isinstance(data, dict):
        raise Refused("malformed", "d is an object")
    match message.get("t"):
        case "ping":
            return Ping()
        case "token":
            return ShowToken(_token(data.get("token")))
        case "join":
            return _join(data)
        case _:
            raise Refused("unknown_type", "t is token, join or ping; an answer has cards or card")


def _token(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TOKEN:
        raise Refused("malformed", "token is a text")
    return value


def _join(data: dict[str, Any]) -> Join:
    keys = [data.get("invite", ""), data.get("match", "")]
    given = [key for key in keys if isinstance(key, str) and _KEY.match(key)]
    if len(given) != 1 or sum(map(bool, keys)) != 1:
        raise Refused("malformed", "join has an invite or a match")
    return Join(*keys)


def _cards(names: object) -> tuple[Card, ...]:
    if not isinstance(names, list) or not 1 <= len(names) <= 2:
        raise Refused("malformed", "cards is a list of one or two")
    try:
        return tuple(parse_card(name) for name in names)
    except (CardError, TypeError, AttributeError) as cause:
        raise Refused("malformed", f"a card is a text such as 5H: {cause}") from cause


def ready(name: str, owner: str, seconds: float) -> str:
    """Return the message that a program has been let in, and how long it may think."""
    return dumps({"t": "ready", "d": {"name": name, "owner": owner, "seconds": seconds}})


def joined(header: Header, seat: int) -> str:
    """Return the message that a program sits at a table."""
    ruleset: Ruleset = header.ruleset
    data = {
        "match": header.public_id,
        "seat": seat,
        "ruleset": ruleset.to_dict(),
        "seats": [{"name": each.name or None, "kind": each.kind or None} for each in header.seats],
    }
    return dumps({"t": "joined", "d": data})


def question(view: View) -> str:
    """Return what is asked: the very line that a program of the arena reads."""
    return dumps({"t": view.legal.action, "view": view_json(view, log=True)})


def over(view: View) -> str:
    """Return how a match ended."""
    return dumps({"t": "over", "view": view_json(view, log=True)})
