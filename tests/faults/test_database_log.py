"""What PostgreSQL writes into its own log when statements fail: no card, once it is set up.

The site binds values on its side, so the text of a statement that writes moves has their cards, and
the details of an error may quote rows and statements. Operators read that log during a game.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from typing import cast

import psycopg
import pytest
from django.utils import timezone
from psycopg.abc import Query

from games.log import store
from games.log.store import Entry
from tests.support.data_servers import Postgres
from tests.support.servers import ROOT, manage
from tests.support.shared_postgres import EMPTY
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

RUNNING = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE %s"


def text(line: psycopg.Connection, sequence: int | None, cards: str) -> bytes:
    """Return the text of a statement that writes a deal, as the site sends it."""
    entry = Entry(1, cast(int, sequence), None, f"- deal {cards}", "", timezone.now())
    sql, values = store.appending([entry], [], [])
    return psycopg.ClientCursor(line).mogrify(cast(Query, sql), values).encode()


def refused_row(url: str, cards: str) -> None:
    """Write a row that a constraint refuses; the error quotes it."""
    with psycopg.connect(url) as line, pytest.raises(psycopg.errors.NotNullViolation):
        line.execute(text(line, None, cards))


def lock_timeout(url: str, cards: str) -> None:
    """Wait in vain for a lock."""
    with psycopg.connect(url) as holder, psycopg.connect(url) as line:
        holder.execute("LOCK TABLE games_move")
        line.execute("SET lock_timeout = '50ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            line.execute(text(line, 0, cards))


def deadlock(url: str, cards: str) -> None:
    """Let two transactions wait for each other; the error quotes the statements of both."""
    with psycopg.connect(url) as one, psycopg.connect(url) as two:
        one.execute("SELECT pg_advisory_xact_lock(1)")
        two.execute("SELECT pg_advisory_xact_lock(2)")
        waits = f"SELECT pg_advisory_xact_lock(%s), '- deal {cards}'".encode()

        def wait() -> None:
            with contextlib.suppress(psycopg.errors.DeadlockDetected):
                one.execute(waits, [2])

        waiting = threading.Thread(target=wait)
        waiting.start()
        with contextlib.suppress(psycopg.errors.DeadlockDetected):
            two.execute(waits, [1])
            two.rollback()
        waiting.join()


@contextlib.contextmanager
def running(url: str, cards: str) -> Iterator[int]:
    """Run a statement with these cards that takes long; yield its process on the server."""

    def run() -> None:
        with psycopg.connect(url) as line, contextlib.suppress(psycopg.OperationalError):
            line.execute(f"SELECT '- deal {cards}', pg_sleep(600)".encode())

    thread = threading.Thread(target=run)
    thread.start()
    with psycopg.connect(url, autocommit=True) as other:
        found: list[tuple[int]] = []
        wait_for(lambda: found.extend(other.execute(RUNNING, [f"%{cards}%sleep%"])) or found)
    yield found[0][0]
    thread.join()


def ended(url: str, cards: str) -> None:
    """End a connection whose statement runs, as a shutdown does."""
    with running(url, cards) as pid, psycopg.connect(url) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])


def killed(url: str, cards: str) -> None:
    """Kill the server's process of a statement, as the system does when memory runs out."""
    with running(url, cards) as pid:
        os.kill(pid, signal.SIGKILL)


FAILURES: dict[str, Callable[[str, str], None]] = {
    "5H 5D": refused_row,
    "5C JS": lock_timeout,
    "AC AD": deadlock,
    "KH KD": ended,
    "QC QS": killed,
}
"""What fails, by the cards in its statement."""


def quoted(server: Postgres, url: str) -> set[str]:
    """Let each kind of statement fail; return the cards that the server's log quotes."""
    start = server.log.stat().st_size
    for cards, fail in FAILURES.items():
        fail(url, cards)
    wait_for(server.ready)
    said = server.log.read_bytes()[start:].decode()
    assert "ERROR" in said
    return {cards for cards in FAILURES if cards in said}


def test_the_log_of_a_server_set_up_as_described_names_no_card(own_postgres: Postgres) -> None:
    url = own_postgres.database_url(EMPTY)
    assert quoted(own_postgres, url) == set(FAILURES), "by default it quotes each of them"
    assert "may quote cards" in manage(url, "doctor", "--before-start")
    page = (ROOT / "docs/deployment.md").read_text()
    described = re.findall(
        r"^(ALTER SYSTEM SET log\w+ = \w+;|SELECT pg_reload_conf.*;)$", page, re.MULTILINE
    )
    assert len(described) == 3
    with psycopg.connect(url, autocommit=True) as line:
        for statement in described:
            line.execute(statement)
        wait_for(lambda: line.execute("SHOW log_error_verbosity").fetchone() == ("terse",))
    assert quoted(own_postgres, url) == set()
    assert "may quote cards" not in manage(url, "doctor", "--before-start")
    composed = (ROOT / "deploy/docker-compose.yml").read_text()
    for statement in described[:2]:
        setting = statement.removeprefix("ALTER SYSTEM SET ").removesuffix(";").replace(" = ", "=")
        assert setting in composed
