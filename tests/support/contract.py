"""Checks of messages against the declared websocket contract."""

from __future__ import annotations

import json

import msgspec

from games.wire.contract import MESSAGES, PROGRAM_MESSAGES, Message

TABLE = {message.type: message for message in MESSAGES if message.sender == "server"}
PROGRAM = {message.type: message for message in PROGRAM_MESSAGES if message.sender == "server"}


def check_message(text: str, declared: dict[str, Message] = TABLE) -> Message:
    """Check a server message's fields, id and size against its declaration; return that.

    Raises:
        AssertionError: if it differs, with the type and what is wrong.
    """
    message = json.loads(text)
    kind = declared[message["t"]]
    data = message.pop(kind.body, {})
    try:
        msgspec.convert(data, kind.data)
    except msgspec.ValidationError as wrong:
        raise AssertionError(f"{kind.type}: {wrong}") from wrong
    ident = message.pop("id", None)
    assert message == {"t": kind.type}, f"{kind.type}: {message} is not declared"
    assert (ident is not None) <= (kind.id != "never"), f"{kind.type}: has an id"
    assert (ident is not None) >= (kind.id == "always"), f"{kind.type}: has no id"
    assert len(text.encode()) <= kind.budget, f"{kind.type}: {len(text.encode())} bytes"
    return kind
