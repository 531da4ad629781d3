"""Measuring with both databases: a benchmark's module is run for a new SQLite file and PostgreSQL.

The module's own ``here`` fills and measures the database of DATABASE_URL.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.data_servers import Postgres
from tests.support.servers import manage, site_environment, sqlite_url


def measure_both(name: str) -> int:
    """Run ``benchmarks.<name> here`` for each database in its own process; 0 if the goal is met."""
    with tempfile.TemporaryDirectory() as folder, Postgres(Path(folder)) as server:
        codes = [
            _in_process(name, "SQLite", sqlite_url(Path(folder), f"{name}.sqlite3")),
            _in_process(name, "PostgreSQL", server.create_database(name)),
        ]
    return max(codes)


def _in_process(name: str, database: str, url: str) -> int:
    manage(url, "migrate", "--verbosity", "0")
    print(f"== {database}", flush=True)
    return subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", "here"],
        env=site_environment(url),
        check=False,
    ).returncode


def set_up() -> None:
    """Prepare Django for requests of its test client."""
    import django
    from django.conf import settings

    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]


def analyse() -> None:
    """Have the database look at its rows, as autovacuum and SQLite's optimiser do over time."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
