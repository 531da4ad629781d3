"""Cheap websocket client for load tests, and measurement of a server's CPU time.

Clients are closed loops: each room sends a message, waits until all its sockets have received the
answer, and sends the next. They run in this process; only the server's process is measured.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

CPU_CLOCK = 2  # Linux: the clock of what a process has used is (~pid << 3) | 2


class Socket(asyncio.Protocol):
    """A connection; `heard` is called with each text message, `lost` once it has ended."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._data = bytearray()
        self._open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self.heard: Callable[[bytes], None] = lambda _: None
        self.lost: Callable[[], object] = lambda: None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Open the websocket."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed."""
        self.closed = True
        if not self._open.done():
            self._open.set_exception(ConnectionError("closed while opening"))
        self.lost()

    def data_received(self, data: bytes) -> None:
        """Extract messages from the received data."""
        self._data += data
        if not self._open.done():
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._data.startswith(b"HTTP/1.1 101"):
                self._open.set_exception(ConnectionError(bytes(self._data[:end]).decode()))
                return
            del self._data[: end + 4]
            self._open.set_result(None)
        while self._take_frame():
            pass

    async def opened(self) -> None:
        """Wait until the websocket is open."""
        await self._open

    def send(self, payload: bytes) -> None:
        """Send a text message, masked with zeros."""
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        cast(asyncio.Transport, self._transport).write(head + b"\0\0\0\0" + payload)

    def leave(self) -> None:
        """Close the connection as a browser does that goes to another page."""
        if self._transport is not None:
            self._transport.write(b"\x88\x82\0\0\0\0\x03\xe9")
            self._transport.close()

    def close(self) -> None:
        """Abort the connection."""
        if self._transport is not None:
            self._transport.abort()

    def _take_frame(self) -> bool:
        data = self._data
        if len(data) < 2:
            return False
        size, start = data[1] & 0x7F, 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10], "big"), 10
        if len(data) < start + size or len(data) < start:
            return False
        payload = bytes(data[start : start + size])
        kind = data[0] & 0x0F
        del data[: start + size]
        if kind == 1:
            self.heard(payload)
        elif kind == 9 and self._transport is not None:
            self._transport.write(bytes([0x8A, 0x80 | len(payload)]) + b"\0\0\0\0" + payload)
        return True


async def connect(
    port: int, path: str, cookie: str = "", heard: Callable[[bytes], None] = lambda _: None
) -> Socket:
    """Open a websocket on the loopback address; ``heard`` gets even a text sent at once."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        *([f"Cookie: sessionid={cookie}"] if cookie else []),
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    request = "\r\n".join([*lines, "", ""]).encode()
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(request), "127.0.0.1", port)
    socket.heard = heard
    await socket.opened()
    return socket


def cpu_seconds(pid: int) -> float:
    """Return a process's user and system time so far, including that of ended threads.

    Raises:
        ProcessLookupError: if the process has ended.
    """
    try:
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    except OSError as error:
        raise ProcessLookupError(pid) from error


def since(pid: int, before: float) -> float:
    """Return the CPU time that a process has used since; 0 if it has ended.

    PostgreSQL ends a connection's process when the connection closes.
    """
    try:
        return cpu_seconds(pid) - before
    except ProcessLookupError:
        return 0.0


def tree(pid: int) -> list[int]:
    """Return the ids of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


@dataclass(frozen=True)
class Run:
    """Result of a run: moves, seconds, CPU time by process group, waits."""

    moves: int
    seconds: float
    cpu: tuple[float, ...]
    waits: tuple[float, ...]

    def per_move(self, group: int = 0) -> float:
        """Return the CPU time per move, microseconds."""
        return self.cpu[group] / max(1, self.moves) * 1e6

    @property
    def median_wait(self) -> float:
        """The median time from sending until the last socket has received, milliseconds."""
        return statistics.median(self.waits) * 1e3 if self.waits else 0.0


class Room:
    """Sockets that all receive what one of them sends."""

    def __init__(self, sockets: Sequence[Socket], message: Callable[[int], bytes]) -> None:
        self.sockets = sockets
        self.waits: list[float] = []
        self._message = message
        self._missing = 0
        self._sent = 0.0
        self._turn = 0
        self._running = False
        self._gap = 0.0
        for socket in sockets:
            socket.heard = self._heard

    def start(self, gap: float = 0.0) -> None:
        """Start; ``gap`` is the minimum number of seconds between two messages."""
        self.waits = []
        self._running, self._gap = True, gap
        self._send()

    def stop(self) -> None:
        """Send nothing more."""
        self._running = False

    def _send(self) -> None:
        if not self._running:
            return
        self._missing = len(self.sockets)
        self._sent = time.perf_counter()
        self._turn += 1
        self.sockets[self._turn % len(self.sockets)].send(self._message(self._turn))

    def _heard(self, _: bytes) -> None:
        self._missing -= 1
        if self._missing:
            return
        wait = time.perf_counter() - self._sent
        self.waits.append(wait)
        if self._gap > wait:
            asyncio.get_running_loop().call_later(self._gap - wait, self._send)
        else:
            self._send()


ENOUGH = 50
"""Minimum number of moves in a run; a slow rival gets up to five times as long."""

Processes = Callable[[], Sequence[int]]
"""Returns process ids when called, since a database starts a process per connection."""


async def measure(
    rooms: Sequence[Room], groups: Sequence[Processes], seconds: float, *, rate: float = 0.0
) -> Run:
    """Run rooms for a while; ``rate`` is messages per second in all, 0 for no limit.

    With a rate they begin at random times, as people do: rooms in step would wait for each other.
    """
    gap = len(rooms) / rate if rate else 0.0
    loop, times = asyncio.get_running_loop(), random.Random(1)
    for room in rooms:
        loop.call_later(gap * times.random(), room.start, gap)
    await asyncio.sleep(gap + 0.3)
    for room in rooms:
        room.waits = []
    before = [{pid: cpu_seconds(pid) for pid in group()} for group in groups]
    started = time.perf_counter()
    await asyncio.sleep(seconds)
    while time.perf_counter() - started < 5 * seconds:
        if sum(len(room.waits) for room in rooms) >= ENOUGH:
            break
        await asyncio.sleep(seconds / 4)
    took = time.perf_counter() - started
    spent = tuple(sum(since(pid, then) for pid, then in group.items()) for group in before)
    waits = tuple(wait for room in rooms for wait in room.waits)
    for room in rooms:
        room.stop()
    await asyncio.sleep(0.1)
    return Run(len(waits), took, spent, waits)


async def gather_some(work: Sequence[Callable[[], Awaitable[Any]]], at_once: int = 50) -> list[Any]:
    """Await many tasks, some at a time; return their results in order."""
    done: list[Any] = []
    for start in range(0, len(work), at_once):
        done += await asyncio.gather(*(each() for each in work[start : start + at_once]))
    return done
