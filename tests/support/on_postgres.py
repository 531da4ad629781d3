"""Run pytest with PostgreSQL as the test database.

    python -m tests.support.on_postgres [pytest's arguments]

The server is started for this run only, and stopped at its end.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import shared_postgres

FOLDER = "CRIBBAGE_TEST_POSTGRES"
"""The environment variable with the server's folder."""


def main(arguments: list[str]) -> int:
    """Run pytest with these arguments; return its exit status."""
    folder = Path(tempfile.mkdtemp(prefix="cribbage-postgres-"))
    folder.chmod(0o711)
    server = None
    try:
        server = shared_postgres.start(folder)
        environment = {
            **os.environ,
            FOLDER: str(folder),
            "DATABASE_URL": server.url,
            "DATABASE_POOL": "0",
        }
        command = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
