"""How many new connections a turn of the event loop accepts.

Connections that wait to be accepted wait in the operating system, and cost nothing there. Once they
are accepted, the loop reads all their requests in its next turn, and the moves of those who sit
already wait until it has gone through them. uvicorn's loop (uvloop) accepts one per turn. Daphne's
accepts a hundred, and twenty more each time there were as many.
"""

from __future__ import annotations

import sys
from typing import Any

PER_TURN = 4
"""Connections that are accepted in one turn."""


def daphne_ports() -> list[Any]:
    """Return the listening sockets of this process's Daphne."""
    from twisted.internet.tcp import Port

    readers = sys.modules["daphne.server"].reactor.getReaders()
    return [reader for reader in readers if isinstance(reader, Port)]


def accept_few_under_daphne() -> None:
    """Limit what Daphne accepts in a turn; call this once it listens."""
    for port in daphne_ports():
        accept_few(port)


def accept_few(port: Any) -> None:
    """Limit what a listening socket of Twisted accepts in a turn."""
    accept = port.doRead

    def limited() -> None:
        port.numberAccepts = PER_TURN  # it grows with each turn that accepts as many
        accept()

    port.doRead = limited
