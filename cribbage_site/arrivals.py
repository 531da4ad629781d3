"""Arrivals: new sockets whose request the server has received, but not read yet.

After a restart the requests of thousands of sockets arrive together. The event loop would read all
of them in one turn, and every move would wait for that. So requests for sockets wait in line, as
bytes, and a few are read in each turn while there is room for more sockets to open
(`cribbage_site.admission`). Pages and health checks are read at once.

ASGI knows connections only once their request has been read, so this is done below it: between the
transport and the protocol of uvicorn or Daphne.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from cribbage_site.admission import AT_ONCE, admission
from cribbage_site.draining import daphne_ports

ACCEPTED = 50
"""Connections that Daphne accepts in a turn; it would take hundreds. uvicorn's loop takes one."""

READ = 4
"""Requests for sockets that are read in a turn."""

LOOK_EVERY = 0.01
"""Seconds after which a line that had no room looks again."""

LONGEST = 6.0
"""Seconds that a request waits in line; then it waits for its admission, which ends sooner or later
with a `bye` that says when to come again."""

MOST = 16 * 1024
"""Bytes of a request that are kept in line; a longer one is read at once, and refused."""

SOCKETS = b"GET /ws/"


class Arrivals:
    """The line of this process's new sockets.

    Args:
        has_room: returns whether one more may come in.
    """

    def __init__(self, has_room: Callable[[], bool]) -> None:
        self._has_room = has_room
        self._line: deque[_Arrival] = deque()
        self._working = False

    @property
    def waiting(self) -> int:
        """The number of sockets in line."""
        return len(self._line)

    def guard(self, protocol: Any, name: str) -> None:
        """Let the first request of a new connection wait in line, if it is for a socket.

        Args:
            protocol: the server's protocol for the connection.
            name: its method that receives data.
        """
        setattr(protocol, name, _Arrival(self, protocol, name))

    def add(self, arrival: _Arrival) -> None:
        """Add a socket at the end of the line."""
        self._line.append(arrival)
        if not self._working:
            self._working = True
            asyncio.get_running_loop().call_soon(self._work)

    def _work(self) -> None:
        """Let a few sockets in, and go on in another turn."""
        loop = asyncio.get_running_loop()
        for _ in range(READ):
            if not self._lets_in(loop.time()):
                break
            self._line.popleft().enter()
        self._working = bool(self._line)
        if self._lets_in(loop.time()):
            loop.call_soon(self._work)
        elif self._line:
            loop.call_later(LOOK_EVERY, self._work)

    def _lets_in(self, now: float) -> bool:
        """Return whether the first in line may come in: there is room, or it has waited enough."""
        return bool(self._line) and (self._has_room() or self._line[0].since + LONGEST <= now)


class _Arrival:
    """The receiver of one connection's data.

    Attributes:
        since: when it joined the line, by the loop's clock.
    """

    __slots__ = ("_arrivals", "_held", "_name", "_protocol", "_read", "_take", "since")

    def __init__(self, arrivals: Arrivals, protocol: Any, name: str) -> None:
        self._arrivals, self._protocol, self._name = arrivals, protocol, name
        self._take: Callable[[bytes], object] = getattr(protocol, name)
        self._held = b""
        self._read = False
        self.since = 0.0

    def __call__(self, data: bytes) -> None:
        """Receive data."""
        if self._read:
            self._take(data)
        elif self._held:
            self._held += data
            if len(self._held) > MOST:
                self.enter()
        elif data.startswith(SOCKETS):
            self._held = data
            self.since = asyncio.get_running_loop().time()
            self._arrivals.add(self)
        else:
            self._step_aside()
            self._take(data)

    def enter(self) -> None:
        """Pass on what has been received, unless the client has left, and all that follows."""
        held, self._held = self._held, b""
        self._step_aside()
        if held and not _has_left(self._protocol):
            self._take(held)

    def _step_aside(self) -> None:
        """Let the protocol receive data itself, where its transport asks it again.

        uvloop's transports keep what received the first data. A protocol that refers to this object
        would stay in memory with it until the garbage collector looks for cycles.
        """
        if not self._read:
            self._read = True
            vars(self._protocol).pop(self._name, None)


def _has_left(protocol: Any) -> bool:
    """Return whether the connection of a protocol has ended, under uvicorn or Daphne."""
    transport = getattr(protocol, "_channel", protocol).transport  # of Twisted's proxy for HTTP
    closing = getattr(transport, "is_closing", None)
    return bool(closing()) if closing is not None else not transport.connected


def watch_daphne() -> None:
    """Let new sockets of this process's Daphne wait in line; call this once it listens."""
    for port in daphne_ports():
        accept_few(port)
        guard_factory(port.factory)
    skip_formatting()


def accept_few(port: Any) -> None:
    """Limit what a listening socket of Twisted accepts in a turn."""
    accept = port.doRead

    def limited() -> None:
        port.numberAccepts = ACCEPTED  # it grows with each turn that accepts as many
        accept()

    port.doRead = limited


def guard_factory(factory: Any) -> None:
    """Let the new sockets of a factory of Twisted wait in line."""
    build = factory.buildProtocol

    def guarded(address: Any) -> Any:
        protocol = build(address)
        arrivals.guard(protocol, "dataReceived")
        return protocol

    factory.buildProtocol = guarded


def skip_formatting() -> None:
    """Keep autobahn from formatting its settings anew for each socket, only for lines of debugging.

    That took a tenth of what it costs to open a socket under Daphne.
    """
    from autobahn.websocket import protocol

    module: Any = protocol
    module.pformat = lambda _: ""


def watch_uvicorn(server: Any) -> None:
    """Let new sockets of uvicorn's server wait in line; call this while it starts."""
    config = getattr(server, "config", None)
    if config is None:
        return
    build = config.http_protocol_class

    def guarded(*args: Any, **named: Any) -> Any:
        protocol = build(*args, **named)
        arrivals.guard(protocol, "data_received")
        return protocol

    config.http_protocol_class = guarded


arrivals = Arrivals(lambda: admission.waiting < AT_ONCE)
"""The line of this process."""
