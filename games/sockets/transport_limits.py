"""Limits on the transport below a websocket: backpressure, incoming bytes, and hard closing.

ASGI offers none of these. In uvicorn a send waits while the buffer is full. Daphne buffers without
limit, but its transport tells a producer when to pause. Both servers read as fast as data arrives,
and answer pings themselves. The transport is reached through the server's `send` callable, since an
application has no other reference to it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

READ = 4096
"""Bytes read at once: some hundreds of the smallest frames, so that others need not wait long."""


class _Producer:
    """A Twisted IPushProducer, which reports when a transport's buffer is full or empty."""

    def __init__(self, transport: Any, full: Callable[[], None], empty: Callable[[], None]) -> None:
        self._transport = transport
        self._full = full
        self._empty = empty

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Report that the buffer is full."""
        self._full()

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Report that the buffer is empty again."""
        self._empty()
        if self._transport.disconnecting:
            # A transport with a producer waits for more data before it closes.
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Do nothing: the socket notices a lost connection itself."""


def watch(send: Any, *, full: Callable[[], None], empty: Callable[[], None]) -> None:
    """Report a full and an emptied buffer, for servers whose send does not wait.

    Args:
        send: the ASGI server's send callable.
        full: called when the buffered data has passed its limit.
        empty: called when all of it has been sent.
    """
    transport = _transport(send)
    if hasattr(transport, "registerProducer"):
        # The websocket began as an HTTP request, which has registered its own producer.
        upgraded = transport.producer
        transport.unregisterProducer()
        transport.registerProducer(_Producer(transport, full, empty), streaming=True)
        _break_cycles(upgraded, _protocol(send))


def _break_cycles(upgraded: Any, protocol: Any) -> None:
    """Break the reference cycles of a connection under Daphne, so that its end frees its memory.

    Otherwise some 15 KB of each connection wait for a full run of the garbage collector, which on
    a busy server comes after an hour or later.

    Args:
        upgraded: the HTTP channel of the request that became a websocket. Channel and request
            refer to each other, and nothing uses them any more. None if the client has already
            left.
        protocol: the websocket's protocol. When it closes, `is_closed` gets the protocol itself as
            its result.
    """
    if upgraded is not None:
        upgraded.requests.clear()
    protocol.is_closed.addCallback(_forget)


def _forget(_protocol: Any) -> None:
    """Return None as the result of a closed connection, in place of its protocol."""


class Intake:
    """A rate limit on a connection's incoming bytes; beyond it, reading stops.

    It also counts what the application never sees: pings, and fragments of an unfinished message.

    Args:
        send: the ASGI server's send callable.
        pace: long-term limit in bytes per second.
        most: largest burst, in bytes.
        over: called once, when the limit is exceeded.
    """

    __slots__ = ("_left", "_most", "_open", "_over", "_pace", "_read", "_take", "_transport")

    def __init__(self, send: Any, *, pace: float, most: float, over: Callable[[], None]) -> None:
        self._pace = pace
        self._most = self._left = most
        self._read = monotonic()
        self._over = over
        self._open = True
        self._transport = _transport(send)
        self._intercept(_protocol(send))

    def _intercept(self, protocol: Any) -> None:
        """Intercept the data on its way from the transport to the server's protocol."""
        for size in ("bufferSize", "max_size"):
            if hasattr(self._transport, size):
                setattr(self._transport, size, READ)
        for name in ("dataReceived", "data_received"):
            if hasattr(protocol, name):
                self._take = getattr(protocol, name)
                setattr(protocol, name, self._received)
        if hasattr(self._transport, "set_protocol"):
            # uvloop looks up the protocol's methods only here.
            self._transport.set_protocol(protocol)

    def _received(self, data: bytes) -> None:
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._read) * self._pace) - len(data)
        self._read = now
        if not self._open:
            self._pause()  # uvicorn resumes reading once it has sent its close
        elif self._left < 0:
            self.stop()
            self._over()
        else:
            self._take(data)

    def release(self, *, gone: bool) -> None:
        """Forget the connection's owner, and also the connection if the client has left.

        The server's protocol holds this object, so references back would keep all of them alive,
        with the table that they lead to, until the garbage collector looks for cycles.
        """
        self._over = _nothing
        if gone:
            self._open = False
            self._take = _ignore
            self._transport = None

    def stop(self) -> None:
        """Stop reading; what the client still sends is never processed."""
        self._open = False
        self._pause()

    def _pause(self) -> None:
        pause = getattr(self._transport, "pauseProducing", None) or getattr(
            self._transport, "pause_reading", None
        )
        if pause is not None:
            with contextlib.suppress(RuntimeError):  # the connection is already lost
                pause()


def _nothing() -> None:
    """Do nothing."""


def _ignore(data: bytes) -> None:
    """Ignore what arrives after the end."""


def cut(send: Any) -> bool:
    """Abort the connection and discard buffered data; return whether the server allows this."""
    transport = _transport(send)
    hang_up = getattr(transport, "abortConnection", None) or getattr(transport, "abort", None)
    if hang_up is None:
        return False
    hang_up()
    return True


def _protocol(send: Any) -> Any:
    """Return the server's protocol: Daphne's send is a partial with it, uvicorn's its method."""
    return send.args[0] if isinstance(send, partial) else getattr(send, "__self__", None)


def _transport(send: Any) -> Any:
    return getattr(_protocol(send), "transport", None)
