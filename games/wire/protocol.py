"""The parser of clients' messages: JSON text in, a typed command or a refusal out."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import orjson

from games.wire.commands import (
    Act,
    AskFriends,
    AskHint,
    AskHistory,
    BlockSeat,
    ClaimWin,
    Command,
    Fill,
    Hello,
    Invite,
    Leave,
    MuteSeat,
    Ping,
    Rematch,
    Return,
    Say,
    See,
    SocialCommand,
    StandIn,
    SwitchChat,
    TurnDown,
)
from games.wire.contract import COMMANDS, MAX_FRAME, MESSAGES, Message
from games.wire.refusals import Refused

__all__ = [
    "MAX_FRAME", "MESSAGES", "Act", "AskFriends", "AskHint", "AskHistory", "BlockSeat", "ClaimWin",
    "Command", "Fill", "Hello", "Invite", "Leave", "Message", "MuteSeat", "Ping", "Rematch",
    "Return", "Say", "See", "SocialCommand", "StandIn", "SwitchChat", "TurnDown", "parse",
    "reply_id",
]  # fmt: skip

_COMMANDS: dict[str, Any] = {message.type: message.data for message in COMMANDS}
_ID = re.compile(r"[A-Za-z0-9-]{1,40}\Z")


def parse(text: str) -> Command:
    """Parse a client's message.

    Raises:
        Refused: ``too_long``, ``malformed`` or ``unknown_type``; the detail says what was wrong.
    """
    message = read_object(text)
    kind, data, ident = message.get("t"), message.get("d", {}), message.get("id", "")
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise Refused("malformed", "t must be text and d an object")
    command = _COMMANDS.get(kind)
    if command is None:
        raise Refused("unknown_type", kind[:40])
    # The id is next to the data; an id inside the data is ignored.
    if ident != "":
        data["id"] = ident
    elif "id" in data:
        del data["id"]
    try:
        found: Command = msgspec.convert(data, command)
    except msgspec.ValidationError as cause:
        raise Refused("malformed", str(cause)) from cause
    return found


def read_object(text: str) -> dict[str, Any]:
    """Parse a message as a JSON object.

    Raises:
        Refused: ``too_long`` or ``malformed``.
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
        raise Refused("malformed", "expected an object")
    return message


def read(data: dict[str, Any], kind: Any) -> Any:
    """Convert fields to an instance of ``kind``, a class of `games.wire.commands`.

    Raises:
        Refused: ``malformed``; the detail names the field and what was expected.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as cause:
        raise Refused("malformed", str(cause)) from cause


def reply_id(text: str) -> str:
    """Return the id of a refused message; "" if it has none or cannot be read."""
    if len(text) > MAX_FRAME:
        return ""
    try:
        ident = orjson.loads(text).get("id", "")
    except (orjson.JSONDecodeError, AttributeError):
        return ""
    return ident if isinstance(ident, str) and _ID.match(ident) else ""
