"""The protocol of programs' sockets: the arena's lines, and messages for joining tables.

`games.wire.contract` declares the messages. ``docs/bots.md`` documents them; a test compares that
page with this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.engine.cards import Card
from games.engine.state import Ruleset
from games.engine.view import View
from games.log.match_meta import MatchMeta
from games.wire.commands import AnswerDiscard, AnswerPlay, Join, Ping, ShowToken
from games.wire.contract import PROGRAM_MESSAGES
from games.wire.fields import CARDS
from games.wire.protocol import read, read_object
from games.wire.refusals import Refused
from games.wire.serializers import dumps, view_json

__all__ = [
    "Answer",
    "Join",
    "ProgramCommand",
    "ShowToken",
    "joined",
    "over",
    "parse",
    "question",
    "ready",
]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the last question: the cards to discard, or the one card to play."""

    kind: Literal["discard", "play"]
    cards: tuple[Card, ...]
    id: str = ""


ProgramCommand = ShowToken | Join | Answer | Ping

_COMMANDS = {
    message.type: message.data
    for message in PROGRAM_MESSAGES
    if message.sender == "client" and message.body
}


def parse(text: str) -> ProgramCommand:
    """Parse a program's message.

    Raises:
        Refused: ``too_long``, ``malformed`` or ``unknown_type``; the detail says what was wrong.
    """
    message = read_object(text)
    if "cards" in message:
        cards = read(message, AnswerDiscard).cards
        return Answer("discard", tuple(CARDS[card] for card in cards))
    if "card" in message:
        return Answer("play", (CARDS[read(message, AnswerPlay).card],))
    kind, data = message.get("t"), message.get("d", {})
    if not isinstance(data, dict):
        raise Refused("malformed", "d must be an object")
    command = _COMMANDS.get(kind) if isinstance(kind, str) else None
    if command is None:
        raise Refused("unknown_type", "t must be token, join or ping; an answer has cards or card")
    data.pop("id", None)
    found: ProgramCommand = read(data, command)
    return found


def ready(name: str, owner: str, seconds: float) -> str:
    """Return the `ready` message: the token was accepted; ``seconds`` for each decision."""
    return dumps({"t": "ready", "d": {"name": name, "owner": owner, "seconds": seconds}})


def joined(meta: MatchMeta, seat: int) -> str:
    """Return the `joined` message: the program has a seat at a table."""
    ruleset: Ruleset = meta.ruleset
    data = {
        "match": meta.public_id,
        "seat": seat,
        "ruleset": ruleset.public_dict(),
        "seats": [{"name": each.name or None, "kind": each.kind or None} for each in meta.seats],
    }
    return dumps({"t": "joined", "d": data})


def question(view: View) -> str:
    """Return a question (`discard` or `play`): the same line that a program of the arena reads."""
    return dumps({"t": view.legal.action, "view": view_json(view, log=True)})


def over(view: View) -> str:
    """Return the `over` message: how a match ended."""
    return dumps({"t": "over", "view": view_json(view, log=True)})
