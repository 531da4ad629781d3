"""Memory of sockets whose clients have left."""

from __future__ import annotations

import os

import pytest

from tests.support.launcher import Script


@pytest.mark.parametrize("server", ["uvicorn", "daphne"])
def test_a_socket_that_its_client_has_left_needs_no_garbage_collection(server: str) -> None:
    """Else thousands of them, each with its table, wait for a collection of everything.

    The same holds for what the server keeps of a connection: 15 KB under Daphne. There, a client
    that gives up before its socket is accepted comes first.
    """
    script = Script(["-m", "tests.support.left_sockets", server], os.environ)
    assert script.finish() == "20 ended, 0 in memory, 0 more of the server's\n"
