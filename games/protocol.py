"""Messages of the websockets: JSON text in, typed commands out, and the table of all there are.

``docs/protocol.md`` shows an example of each; a test compares it with `MESSAGES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from games.engine.cards import Card, CardError, parse_card
from games.engine.moves import Claim, Decision, Discard, Muggins, Pass, Play, Resign
from games.refusals import Refused

MAX_FRAME = 4096
"""Bytes of one message from a client; a longer one is refused unread."""

MAX_ID = 40
_ID = re.compile(r"[A-Za-z0-9-]{1,40}\Z")
_LEVEL = re.compile(r"[a-z0-9_-]{1,40}\Z")
_PHRASE = re.compile(r"[a-z_]{1,16}\Z")
_PUBLIC_ID = re.compile(r"[a-z0-9]{1,10}\Z")


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: the client's last version of the match, None if it has none."""

    version: int | None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for a pong."""

    id: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """A move; the seat is the connection's, never the message's."""

    make: Callable[[int], Decision]
    id: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """Wants another match of the same people; with the same deals and the seats swapped or not."""

    id: str
    swap: bool = False


@dataclass(frozen=True, slots=True)
class StandIn:
    """Wants the computer to play on for an absent player."""

    seat: int
    id: str


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """Wants the win from an absent player."""

    seat: int
    id: str


@dataclass(frozen=True, slots=True)
class Return:
    """Takes the own seat back from the computer."""

    id: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Gives the own seat up."""

    id: str


@dataclass(frozen=True, slots=True)
class Fill:
    """Gives an empty seat to a computer."""

    seat: int
    level: str
    id: str


@dataclass(frozen=True, slots=True)
class AskHint:
    """Asks what the computer would do in one's place."""

    id: str


@dataclass(frozen=True, slots=True)
class Say:
    """Writes a line to the others at the table: a phrase of the list, or a text."""

    phrase: str
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class SwitchChat:
    """Switches the chat on or off for oneself, here and everywhere."""

    on: bool
    id: str


@dataclass(frozen=True, slots=True)
class MuteSeat:
    """Wants to read what the player of a seat writes, or not to."""

    seat: int
    on: bool
    id: str


@dataclass(frozen=True, slots=True)
class BlockSeat:
    """Wants nothing more to do with the player of a seat."""

    seat: int
    id: str


@dataclass(frozen=True, slots=True)
class AskFriends:
    """Asks which friends could be asked to this table."""

    id: str


@dataclass(frozen=True, slots=True)
class Invite:
    """Asks a friend to this table."""

    player: str
    id: str


@dataclass(frozen=True, slots=True)
class TurnDown:
    """In the lobby: cannot come to a friend's table."""

    match: str
    id: str


Talk = Say | SwitchChat | MuteSeat | BlockSeat | AskFriends | Invite
"""What concerns the people at a table, and not the game."""

Command = (
    Hello | Ping | Act | Rematch | StandIn | ClaimWin | Return | Leave | Fill | AskHint
    | Talk | TurnDown
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Message:
    """One type of message."""

    type: str
    socket: Literal["table", "lobby", "both"]
    sender: Literal["client", "server"]


def parse(text: str) -> Command:
    """Return the command that a client's text message is.

    Raises:
        Refused: ``too_long``, ``malformed`` or ``unknown_type``; the detail says what was wrong.
    """
    if len(text) > MAX_FRAME or (
        not text.isascii() and len(text.encode(errors="replace")) > MAX_FRAME
    ):
        raise Refused("too_long", f"at most {MAX_FRAME} bytes")
    try:
        message = orjson.loads(text)
    except orjson.JSONDecodeError as cause:
        raise Refused("malformed", f"not JSON: {cause}") from cause
    if not isinstance(message, dict):
        raise Refused("malformed", "an object is expected")
    kind, data, ident = message.get("t"), message.get("d", {}), message.get("id", "")
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise Refused("malformed", "t is text and d an object")
    parser = _PARSERS.get(kind)
    if parser is None:
        raise Refused("unknown_type", kind[:40])
    needs_id, read = parser
    if (ident != "" or needs_id) and not (isinstance(ident, str) and _ID.match(ident)):
        raise Refused("malformed", f"id is 1 to {MAX_ID} letters, digits and -")
    return read(data, ident)


def reply_id(text: str) -> str:
    """Return the id of a message that could not be taken, as far as it can be read; else ""."""
    if len(text) > MAX_FRAME:
        return ""
    try:
        ident = orjson.loads(text).get("id", "")
    except (orjson.JSONDecodeError, AttributeError):
        return ""
    return ident if isinstance(ident, str) and _ID.match(ident) else ""


def _hello(data: dict[str, Any], ident: str) -> Hello:
    version = data.get("v")
    return Hello(None if version is None else _number(data, "v", 0, 1_000_000), ident)


def _discard(data: dict[str, Any], ident: str) -> Act:
    names = data.get("cards")
    if not isinstance(names, list) or not 1 <= len(names) <= 2:
        raise Refused("malformed", "cards is a list of one or two")
    cards = tuple(_card(name) for name in names)
    return Act(lambda seat: Discard(seat, cards), ident)


def _play(data: dict[str, Any], ident: str) -> Act:
    card = _card(data.get("card"))
    claim = None if data.get("claim") is None else _number(data, "claim", 0, 99)
    return Act(lambda seat: Play(seat, card, claim), ident)


def _claim(data: dict[str, Any], ident: str) -> Act:
    points = _number(data, "points", 0, 99)
    return Act(lambda seat: Claim(seat, points), ident)


def _muggins(data: dict[str, Any], ident: str) -> Act:
    points = _number(data, "points", 0, 99)
    return Act(lambda seat: Muggins(seat, points), ident)


def _fill(data: dict[str, Any], ident: str) -> Fill:
    level = data.get("level")
    if not isinstance(level, str) or not _LEVEL.match(level):
        raise Refused("malformed", "level is a name")
    return Fill(_seat(data), level, ident)


def _rematch(data: dict[str, Any], ident: str) -> Rematch:
    return Rematch(ident, swap=_flag(data, "swap") if "swap" in data else False)


def _say(data: dict[str, Any], ident: str) -> Say:
    phrase, text = data.get("phrase"), data.get("text")
    if isinstance(phrase, str) and text is None and _PHRASE.match(phrase):
        return Say(phrase, "", ident)
    if isinstance(text, str) and phrase is None:
        return Say("", text, ident)
    raise Refused("malformed", "either phrase, the name of one, or text")


def _mute(data: dict[str, Any], ident: str) -> MuteSeat:
    return MuteSeat(_seat(data), _flag(data, "on"), ident)


def _invite(data: dict[str, Any], ident: str) -> Invite:
    player = data.get("player")
    if not isinstance(player, str) or not _PUBLIC_ID.match(player):
        raise Refused("malformed", "player is the id of one")
    return Invite(player, ident)


def _turn_down(data: dict[str, Any], ident: str) -> TurnDown:
    match = data.get("match")
    if not isinstance(match, str) or not _PUBLIC_ID.match(match):
        raise Refused("malformed", "match is the id of one")
    return TurnDown(match, ident)


def _flag(data: dict[str, Any], key: str) -> bool:
    value = data.get(key)
    if not isinstance(value, bool):
        raise Refused("malformed", f"{key} is true or false")
    return value


def _seat(data: dict[str, Any]) -> int:
    return _number(data, "seat", 0, 2)


def _number(data: dict[str, Any], key: str, low: int, high: int) -> int:
    value = data.get(key)
    if type(value) is not int or not low <= value <= high:
        raise Refused("malformed", f"{key} is a number from {low} to {high}")
    return value


def _card(name: object) -> Card:
    if not isinstance(name, str):
        raise Refused("malformed", "a card is a text such as 5H")
    try:
        return parse_card(name)
    except CardError as cause:
        raise Refused("malformed", str(cause)) from cause


_PARSERS: Mapping[str, tuple[bool, Callable[[dict[str, Any], str], Command]]] = {
    "hello": (False, _hello),
    "ping": (False, lambda _, ident: Ping(ident)),
    "discard": (True, _discard),
    "play": (True, _play),
    "claim": (True, _claim),
    "muggins": (True, _muggins),
    "pass": (True, lambda _, ident: Act(Pass, ident)),
    "resign": (True, lambda _, ident: Act(Resign, ident)),
    "rematch": (True, _rematch),
    "stand_in": (True, lambda data, ident: StandIn(_seat(data), ident)),
    "claim_win": (True, lambda data, ident: ClaimWin(_seat(data), ident)),
    "return": (True, lambda _, ident: Return(ident)),
    "leave": (True, lambda _, ident: Leave(ident)),
    "fill": (True, _fill),
    "hint": (True, lambda _, ident: AskHint(ident)),
    "say": (True, _say),
    "chat": (True, lambda data, ident: SwitchChat(_flag(data, "on"), ident)),
    "mute": (True, _mute),
    "block": (True, lambda data, ident: BlockSeat(_seat(data), ident)),
    "friends": (True, lambda _, ident: AskFriends(ident)),
    "invite": (True, _invite),
    "turn_down": (True, _turn_down),
}
"""Type -> (whether it needs an id, what reads its data)."""

_SOCKETS: Mapping[str, Literal["lobby", "both"]] = {"ping": "both", "turn_down": "lobby"}
"""Where those are taken that are not the table's alone."""

MESSAGES: tuple[Message, ...] = (
    *(Message(kind, _SOCKETS.get(kind, "table"), "client") for kind in _PARSERS),
    *(
        Message(kind, "table", "server")
        for kind in (
            "view",
            "steps",
            "table",
            "clock",
            "due",
            "ok",
            "hint",
            "chat",
            "said",
            "friends",
        )
    ),
    *(Message(kind, "lobby", "server") for kind in ("lobby", "asked")),
    *(Message(kind, "both", "server") for kind in ("error", "pong", "bye")),
)
"""All messages; there are no others."""
