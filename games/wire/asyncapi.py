"""The AsyncAPI 3.0 document of the websockets, generated from their contract."""

from __future__ import annotations

from functools import cache
from inspect import cleandoc
from typing import Any

import msgspec

from games.wire.contract import MESSAGES, PROGRAM_MESSAGES, Message, Socket
from games.wire.fields import Ident

Schema = dict[str, Any]

_REF = "#/components/schemas/"

_CHANNELS: dict[str, tuple[str, str, tuple[Socket, ...]]] = {
    "table": ("/ws/t/{match}/", "One match, for its players and watchers.", ("table", "both")),
    "lobby": ("/ws/lobby/", "The open tables, and friends' invitations.", ("lobby", "both")),
    "program": ("/ws/bot/", "People's own computer players.", ("program",)),
}
"""Channel name -> its address, its purpose, and the sockets whose messages it carries."""


@cache
def schemas() -> dict[str, Schema]:
    """Return the JSON schema (draft 7) of each class of the contract, by class name.

    A request's id is left out: in a message it stands next to the data.
    """
    kinds = list(dict.fromkeys(message.data for message in (*MESSAGES, *PROGRAM_MESSAGES)))
    _, found = msgspec.json.schema_components(kinds, ref_template=_REF + "{name}")
    made: dict[str, Schema] = {name: _draft_7(schema) for name, schema in found.items()}
    for message in (*MESSAGES, *PROGRAM_MESSAGES):
        if message.sender == "client":
            schema = made[message.data.__name__]
            schema["properties"].pop("id", None)
            schema["required"] = [name for name in schema["required"] if name != "id"]
    return made


def _draft_7(schema: Any) -> Any:
    """Convert a schema from msgspec's draft 2020-12, with Python patterns, to draft 7."""
    if isinstance(schema, list):
        return [_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _draft_7(part) for key, part in schema.items() if key != "discriminator"}
    if isinstance(made.get("description"), str):  # a docstring, indented before Python 3.13
        made["description"] = cleandoc(made["description"])
    if "prefixItems" in made:
        made["items"], made["additionalItems"] = made.pop("prefixItems"), False
    if isinstance(made.get("pattern"), str):
        made["pattern"] = made["pattern"].replace(r"\Z", "$")
    return made


def document() -> dict[str, Any]:
    """Return the AsyncAPI document."""
    messages = {_key(each): _message(each) for each in (*MESSAGES, *PROGRAM_MESSAGES)}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Cribbage",
            "version": "1",
            "description": "The websockets of tables, the lobby and programs. "
            "docs/protocol.md describes the order of messages.",
        },
        "defaultContentType": "application/json",
        "channels": {name: _channel(name) for name in _CHANNELS},
        "operations": {
            f"{name}.{sender}": _operation(name, sender)
            for name in _CHANNELS
            for sender in ("client", "server")
        },
        "components": {"messages": messages, "schemas": schemas()},
    }


def _key(message: Message) -> str:
    return f"{message.socket}.{message.sender}.{message.type}"


def _message(message: Message) -> dict[str, Any]:
    return {
        "name": message.type,
        "summary": message.about,
        "payload": payload(message),
        "x-max-bytes": message.budget,
    }


def payload(message: Message) -> Schema:
    """Return the schema of a message with its envelope."""
    name = message.data.__name__
    shape = schemas()[name]
    if not message.body:
        return {"$ref": _REF + name}
    fields: dict[str, Schema] = {"t": {"const": message.type}}
    required = ["t"]
    if shape["properties"]:
        fields[message.body] = {"$ref": _REF + name}
        if message.sender == "server" or shape["required"]:
            required.append(message.body)
    if message.id != "never":
        fields["id"] = _draft_7(msgspec.json.schema(Ident))
        if message.id == "always":
            required.append("id")
    return {"type": "object", "properties": fields, "required": required}


def _of(channel: str, sender: str | None = None) -> list[Message]:
    sockets = _CHANNELS[channel][2]
    return [
        each
        for each in (*MESSAGES, *PROGRAM_MESSAGES)
        if each.socket in sockets and sender in {None, each.sender}
    ]


def _channel(name: str) -> dict[str, Any]:
    address, about, _ = _CHANNELS[name]
    made: dict[str, Any] = {
        "address": address,
        "description": about,
        "messages": {
            _key(each): {"$ref": f"#/components/messages/{_key(each)}"} for each in _of(name)
        },
    }
    if "{match}" in address:
        made["parameters"] = {"match": {"description": "The public id of the match."}}
    return made


def _operation(channel: str, sender: str) -> dict[str, Any]:
    """Return an operation of the server: it receives what clients send, and sends the rest."""
    return {
        "action": "receive" if sender == "client" else "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [
            {"$ref": f"#/channels/{channel}/messages/{_key(each)}"} for each in _of(channel, sender)
        ],
    }
