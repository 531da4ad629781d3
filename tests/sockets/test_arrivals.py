"""Many connections at once, as after a restart: a busy process makes them wait, not fail."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import ExitStack

import pytest

from tests.support.data_servers import HOST
from tests.support.servers import StartSite

AT_ONCE = 300
REFUSED_S = 10.0
"""A connection that finds a place is made at once; without one it is tried until this."""


@pytest.mark.slow
@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_connections_wait_while_a_process_is_busy(server: str, start_site: StartSite) -> None:
    site = start_site(server=server)
    with ExitStack() as stack:
        os.kill(site.pid, signal.SIGSTOP)
        stack.callback(os.kill, site.pid, signal.SIGCONT)
        for _ in range(AT_ONCE):
            stack.enter_context(socket.create_connection((HOST, site.port), timeout=REFUSED_S))
