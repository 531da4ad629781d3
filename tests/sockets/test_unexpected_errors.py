"""Errors that nobody expected: the client gets an answer, and the connection goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError

from games.ops.availability import DatabaseAwayError
from games.sockets.connection import AFTER_OUTAGE, Socket
from games.wire import protocol
from games.wire.protocol import Command


class Faulty(Socket[Command]):
    """A socket on which every command fails."""

    kind = "table"

    def read(self, text: str) -> Command:
        return protocol.parse(text)

    async def command(self, command: Command) -> None:
        raise ZeroDivisionError


class Cut(Faulty):
    """A socket whose commands do not reach the database."""

    async def command(self, command: Command) -> None:
        raise DatabaseAwayError


class Homeless(Faulty):
    """A socket whose table cannot be read."""

    async def opened(self) -> None:
        raise OperationalError


def serve(*texts: str, kind: type[Faulty] = Faulty) -> list[dict[str, Any]]:
    """Return what a faulty socket sends to a client that sends these texts and leaves."""
    arriving: Iterator[dict[str, Any]] = iter(
        [
            {"type": "websocket.connect"},
            *({"type": "websocket.receive", "text": text} for text in texts),
            {"type": "websocket.disconnect", "code": 1000},
        ]
    )
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(arriving)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def connection() -> None:
        await kind({}, receive, send).run()

    asyncio.run(connection())
    return sent


def test_an_unexpected_error_is_answered_and_keeps_the_socket(
    caplog: pytest.LogCaptureFixture,
) -> None:
    accepted, *answers = serve(
        '{"t":"play","d":{"card":"5H"},"id":"a-1"}', '{"t":"leave","id":"a-2"}', '{"t":"ping"}'
    )
    assert accepted["type"] == "websocket.accept"
    error, other, pong = (json.loads(answer["text"]) for answer in answers)
    assert (error["t"], error["id"], error["d"]["code"]) == ("error", "a-1", "failed")
    assert (other["id"], other["d"]["code"]) == ("a-2", "failed")
    assert pong == {"t": "pong"}, "the socket goes on"
    assert "ZeroDivisionError" in caplog.text


def test_a_command_that_misses_the_database_may_be_sent_again() -> None:
    _, answer = serve('{"t":"play","d":{"card":"5H"},"id":"a-1"}', kind=Cut)
    error = json.loads(answer["text"])
    assert (error["id"], error["d"]["code"]) == ("a-1", "unavailable")


def test_a_socket_that_opens_without_the_database_is_told_when_to_come_again() -> None:
    accepted, bye, closed = serve(kind=Homeless)
    assert accepted["type"] == "websocket.accept"
    said = json.loads(bye["text"])["d"]
    assert (said["code"], said["retry"]) == ("busy", AFTER_OUTAGE)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4503)
