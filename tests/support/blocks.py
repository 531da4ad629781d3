"""A block that is stored by one process while another one seats the two players."""

from __future__ import annotations

import urllib.parse
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.support.at_once import LOCK_WAITS
from tests.support.logs import asking, query
from tests.support.servers import Site
from tests.support.waiting import DEADLINE, wait_for

TOKEN = "a" * 32

WITH_ACCOUNTS = "UPDATE games_player SET kind = 'person', name_skeleton = public_id"
"""Turns the guests of a table into people with accounts, who can block each other."""


def post(site: Site, path: str, cookie: str) -> str:
    """Send a form; return the answer's text."""
    fields = urllib.parse.urlencode({"seats": 2, "csrfmiddlewaretoken": TOKEN}).encode()
    headers = {"Cookie": f"sessionid={cookie}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}
    request = urllib.request.Request(f"{site.url}{path}", fields, headers)
    with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
        return str(answer.read().decode())


def block_while_seating(
    postgres_url: str, *, lock: str, seat: Callable[[], object], block: Callable[[], object]
) -> None:
    """Seat two players, and block one of them as soon as the seating has read the blocks.

    Args:
        postgres_url: the database.
        lock: a statement that takes a lock for which the seating waits once it has read them.
        seat: seats the players.
        block: stores the block; it must wait until they are seated.
    """
    with ThreadPoolExecutor(2) as pages:
        with psycopg.connect(postgres_url) as connection, asking(postgres_url) as ask:
            connection.execute(lock)
            seating = pages.submit(seat)
            wait_for(lambda: ask(LOCK_WAITS)[0][0] >= 1)
            blocking = pages.submit(block)
            wait_for(lambda: blocking.done() or ask(LOCK_WAITS)[0][0] >= 2)
            assert not blocking.done()
        seating.result(DEADLINE)
        blocking.result(DEADLINE)
    assert query(postgres_url, "SELECT count(*) FROM games_block") == [(1,)]
