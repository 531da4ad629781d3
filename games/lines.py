"""The line below a websocket: whether it takes more, and how it is cut.

ASGI has no word for either. uvicorn lets a send wait while its buffer is full. Daphne takes what it
is given, without end, but its transport tells a producer when to pause. Both are reached through
the `send` that the server gives, which is all that an application has of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any


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


def cut(send: Any) -> bool:
    """Close the connection at once, with all that waits; return whether that could be done."""
    transport = _transport(send)
    hang_up = getattr(transport, "abortConnection", None) or getattr(transport, "abort", None)
    if hang_up is None:
        return False
    hang_up()
    return True


def _transport(send: Any) -> Any:
    """Return the transport: Daphne's send is bound to a protocol, uvicorn's is a method of one."""
    protocol = send.args[0] if isinstance(send, partial) else getattr(send, "__self__", None)
    return getattr(protocol, "transport", None)
