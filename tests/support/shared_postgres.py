"""A PostgreSQL server shared by the processes of one test run.

The first process that needs it starts it, the others find it by the files in its folder, and the
process that began the run stops it.
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.support import migrated
from tests.support.data_servers import STOP_SECONDS, Postgres
from tests.support.servers import manage

EMPTY = "empty"
"""The migrated, empty database, which is copied for each test."""


def start(folder: Path) -> Postgres:
    """Start a server in `folder`, with the database `EMPTY`."""
    server = Postgres(folder, durable=False).start()
    url = server.create_database(EMPTY)
    kept = migrated.place(".sql")
    if kept.exists():
        restore(server, url, kept.read_bytes())
    else:
        # No pool: an open connection would prevent copying.
        manage(url, "migrate", "-v", "0")
        made = folder / "empty.sql"
        made.write_bytes(dump(server, url))
        migrated.keep(made, kept)
    (folder / "migrated").touch()
    return server


def start_copy(folder: Path, shared: Postgres) -> Postgres:
    """Start a durable server in `folder`, with a copy of the database `EMPTY` of a shared one."""
    server = Postgres(folder).start()
    restore(server, server.create_database(EMPTY), dump(shared, shared.database_url(EMPTY)))
    return server


def dump(server: Postgres, url: str) -> bytes:
    """Return the statements that make the database at ``url``, with its rows."""
    command = [str(server.programs / "pg_dump"), url]
    return subprocess.run(command, check=True, capture_output=True).stdout


def restore(server: Postgres, url: str, statements: bytes) -> None:
    """Make the tables and rows of a dump in the empty database at ``url``."""
    command = [str(server.programs / "psql"), "-Xqv", "ON_ERROR_STOP=1", url]
    subprocess.run(command, check=True, capture_output=True, input=statements)


def find(folder: Path) -> Postgres | None:
    """Return the server that another process has started in `folder`, or None."""
    if not (folder / "migrated").exists():
        return None
    server = Postgres(folder)
    server.port = int(_pid_file_lines(server)[3])
    return server


def stop(folder: Path) -> None:
    """Stop the server that another process has started in `folder`, if there is one."""
    server = Postgres(folder)
    if not _pid_file(server).exists():
        return
    os.kill(int(_pid_file_lines(server)[0]), signal.SIGINT)
    end = time.monotonic() + STOP_SECONDS
    while _pid_file(server).exists() and time.monotonic() < end:
        time.sleep(0.02)


def _pid_file(server: Postgres) -> Path:
    return server.data / "postmaster.pid"


def _pid_file_lines(server: Postgres) -> list[str]:
    """Return the lines of a running server's pid file: 0 is its pid, 3 its port."""
    return _pid_file(server).read_text().splitlines()
