"""The line below a websocket: whether it takes more, how much comes in, and how it is cut.

ASGI has no word for any of them. uvicorn lets a send wait while its buffer is full. Daphne takes
what it is given, without end, but its transport tells a producer when to pause. What comes in each
server reads as fast as it can, and answers pings by itself. Both are reached through the `send`
that the server gives, which is all that an application has of it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

READ = 4096
"""Bytes read at once: some hundred of the smallest frames, so that others soon have their turn."""


class _Producer:
    """What Twisted calls an IPushProducer: told when a transport's buffer is full, and empty."""

    def __init__(self, transport: Any, full: Callable[[], None], empty: Callable[[], None]) -> None:
        self._transport = transport
        self._full = full
        self._empty = empty

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Hear that the buffer is full."""
        self._full()

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Hear that it is empty again."""
        self._empty()
        if self._transport.disconnecting:
            # A transport with a producer waits for more of it before it closes.
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Hear that the connection is lost, as the socket does by itself."""


def watch(send: Any, *, full: Callable[[], None], empty: Callable[[], None]) -> None:
    """Have it told when the line is full, and when it is empty again, where a send does not wait.

    Args:
        send: the ASGI server's own.
        full: called when what waits in the server has passed its bound.
        empty: called when all of that has gone out.
    """
    transport = _transport(send)
    if hasattr(transport, "registerProducer"):
        # Until now it was the page's: the websocket began as one.
        transport.unregisterProducer()
        transport.registerProducer(_Producer(transport, full, empty), streaming=True)


class Intake:
    """What comes in over a line: so many bytes for long, more at once, and then nothing more.

    It counts what the application never sees, too: pings, and the parts of a message without end.

    Args:
        send: the ASGI server's own.
        pace: bytes a second, for long.
        most: bytes at once.
        over: called once, when more than that has come.
    """

    __slots__ = ("_left", "_most", "_open", "_over", "_pace", "_read", "_take", "_transport")

    def __init__(self, send: Any, *, pace: float, most: float, over: Callable[[], None]) -> None:
        self._pace = pace
        self._most = self._left = most
        self._read = monotonic()
        self._over = over
        self._open = True
        self._transport = _transport(send)
        self._enter(_protocol(send))

    def _enter(self, protocol: Any) -> None:
        """Stand between the transport and the server's protocol."""
        for size in ("bufferSize", "max_size"):
            if hasattr(self._transport, size):
                setattr(self._transport, size, READ)
        for name in ("dataReceived", "data_received"):
            if hasattr(protocol, name):
                self._take = getattr(protocol, name)
                setattr(protocol, name, self._received)
        if hasattr(self._transport, "set_protocol"):
            # uvloop looks the protocol's methods up here alone.
            self._transport.set_protocol(protocol)

    def _received(self, data: bytes) -> None:
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._read) * self._pace) - len(data)
        self._read = now
        if not self._open:
            self._pause()  # uvicorn goes on reading once it has sent its close
        elif self._left < 0:
            self.stop()
            self._over()
        else:
            self._take(data)

    def stop(self) -> None:
        """Take nothing more: what the client sends waits at his end, and is never looked at."""
        self._open = False
        self._pause()

    def _pause(self) -> None:
        pause = getattr(self._transport, "pauseProducing", None) or getattr(
            self._transport, "pause_reading", None
        )
        if pause is not None:
            with contextlib.suppress(RuntimeError):  # a line that has gone
                pause()


def cut(send: Any) -> bool:
    """Close the connection at once, with all that waits; return whether that could be done."""
    transport = _transport(send)
    hang_up = getattr(transport, "abortConnection", None) or getattr(transport, "abort", None)
    if hang_up is None:
        return False
    hang_up()
    return True


def _protocol(send: Any) -> Any:
    """Return the protocol: Daphne's send is bound to it, uvicorn's is a method of it."""
    return send.args[0] if isinstance(send, partial) else getattr(send, "__self__", None)


def _transport(send: Any) -> Any:
    return getattr(_protocol(send), "transport", None)
