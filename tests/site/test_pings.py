"""The servers' pings drop connections that have died, and no others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
from daphne import ws_protocol
from daphne.server import Server
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock

from cribbage_site.serve import PING_INTERVAL, PING_TIMEOUT
from tests.support.servers import ROOT

TEXTS = ("deploy/systemd/cribbage@.service", "deploy/Dockerfile", "docs/deployment.md")
"""Where Daphne's command stands."""

LOOKS_EVERY = 2
"""Seconds between two looks of Daphne at its connections."""

MESSAGE, PING, PONG = 0x1, 0x9, 0xA
"""Kinds of websocket frames."""

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def test_every_command_sends_the_same_pings() -> None:
    for path in TEXTS:
        words = re.findall(r"[-\w]+", (ROOT / path).read_text())
        asked = [words[words.index(f"--ping-{what}") + 1] for what in ("interval", "timeout")]
        assert asked == [str(PING_INTERVAL), str(PING_TIMEOUT)], path


def test_dead_connections_are_dropped_as_soon_as_the_docs_promise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (ROOT / "docs/deployment.md").read_text()
    (promised,) = re.findall(r"dead connections within (\d+) seconds", text)
    connection = Connection(monkeypatch, PING_INTERVAL, PING_TIMEOUT)
    connection.wait(int(promised))
    assert connection.dropped


@pytest.mark.parametrize("kind", [PONG, MESSAGE])
def test_a_client_that_answers_pings_late_but_in_time_stays_connected(
    monkeypatch: pytest.MonkeyPatch, kind: int
) -> None:
    connection = Connection(monkeypatch, PING_INTERVAL, PING_TIMEOUT)
    for _ in range(20):
        ping = connection.wait_for_ping()
        connection.wait(PING_TIMEOUT - 1)
        connection.answer(kind, ping if kind == PONG else b"{}")
        assert not connection.dropped


def test_daphne_forgets_the_time_limit_of_a_ping_when_it_sends_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Why the interval must be longer than the limit. If this fails, it need not be any more."""
    connection = Connection(monkeypatch, interval=10, timeout=15)
    connection.wait_for_ping()
    connection.wait(13)
    connection.answer(MESSAGE, b"{}")
    connection.wait(3)
    assert connection.dropped


def test_twisteds_test_framework_is_not_imported() -> None:
    """With it, pytest looks for Twisted's version before each test of the process (0.5 ms)."""
    assert "twisted.trial.unittest" not in sys.modules


class Wire:
    """A transport that keeps what is written. Twisted's own one brings its test framework."""

    disconnecting = False

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.written = b""

    def value(self) -> bytes:
        return self.written

    def write(self, data: bytes) -> None:
        self.written += data

    def writeSequence(self, parts: Iterable[bytes]) -> None:  # noqa: N802 - names are Twisted's
        self.write(b"".join(parts))

    def loseConnection(self) -> None:  # noqa: N802
        self.disconnecting = True

    abortConnection = loseConnection  # noqa: N815

    def getHost(self) -> IPv4Address:  # noqa: N802
        return IPv4Address("TCP", "127.0.0.1", 1)

    getPeer = getHost  # noqa: N815

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: N802
        pass

    def unregisterProducer(self) -> None:  # noqa: N802
        pass


class Connection:
    """An open connection to Daphne, on a clock that stands still until a test moves it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, interval: int, timeout: int) -> None:
        self.clock = Clock()
        monkeypatch.setattr(ws_protocol, "time", SimpleNamespace(time=self.clock.seconds))
        server: Any = Server(None, ["tcp:0"], ping_interval=interval, ping_timeout=timeout)
        server.connections = {}
        server.create_application = lambda *_: SimpleQueue()
        factory: Any = ws_protocol.WebSocketFactory(server, server="test")
        factory.setProtocolOptions(autoPingTimeout=timeout, openHandshakeTimeout=0)
        factory._batched_timer = SimpleNamespace(call_later=self.clock.callLater)
        self.protocol: Any = factory.buildProtocol(None)
        self.wire = Wire()
        self.protocol._raw_query_string = b""
        self.protocol.makeConnection(self.wire)
        self.protocol.dataReceived(HANDSHAKE)
        self.protocol.serverAccept()
        self.wire.clear()

    @property
    def dropped(self) -> bool:
        return bool(self.wire.disconnecting)

    def wait(self, seconds: int) -> None:
        """Let time pass; Daphne looks at its connections every two seconds."""
        for _ in range(seconds):
            self.clock.advance(1)
            if self.clock.seconds() % LOOKS_EVERY == 0:
                self.protocol.check_timeouts()

    def wait_for_ping(self) -> bytes:
        """Let time pass until a ping is sent, but no longer than a minute; return its payload."""
        self.wire.clear()
        for _ in range(60):
            if frame := self.wire.value():
                assert frame[0] == 0x80 | PING
                return bytes(frame[2:])
            self.wait(1)
            assert not self.dropped
        raise AssertionError("no ping")

    def answer(self, kind: int, payload: bytes) -> None:
        """Send a frame of a client, masked with zeros."""
        self.protocol.dataReceived(bytes([0x80 | kind, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
