"""Back up and restore the database of DATABASE_URL.

    python deploy/backup.py save FOLDER          write a new file in FOLDER and print its path
    python deploy/backup.py restore FILE         restore into DATABASE_URL, which must be empty

PostgreSQL is saved with pg_dump in its custom format and restored with pg_restore; both must be on
the PATH and not older than the server. SQLite is saved with its backup API, even while the site
runs. After restoring, check the result with `manage.py migrate` and `manage.py verify_matches`.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

BASE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BASE))

from django.core.exceptions import ImproperlyConfigured  # noqa: E402

from cribbage_site import env  # noqa: E402


class BackupError(Exception):
    """The reason why nothing was saved or restored, in one line without passwords."""


def save(database: dict[str, Any], folder: Path) -> Path:
    """Write the whole database to a new file; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = "sqlite3" if _is_sqlite(database) else "pgdump"
    file = folder / f"cribbage-{datetime.now(UTC):%Y%m%d-%H%M%S}.{kind}"
    unfinished = file.with_suffix(".part")
    # Not for other users of this machine: it holds addresses, sessions and hashes of passwords.
    unfinished.touch(mode=0o600)
    try:
        if _is_sqlite(database):
            _copy_sqlite(Path(database["NAME"]), unfinished)
        else:
            _run(["pg_dump", "--format=custom", "--no-owner", f"--file={unfinished}"], database)
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file


def restore(database: dict[str, Any], file: Path) -> None:
    """Restore a file into an empty database."""
    if not file.is_file():
        raise BackupError(f"{file} is not there")
    if (file.suffix == ".sqlite3") != _is_sqlite(database):
        raise BackupError(f"{file.name} is from another kind of database than DATABASE_URL")
    if _is_sqlite(database):
        target = Path(database["NAME"])
        if target.exists():
            raise BackupError(f"{target} is there already; move it away")
        try:
            _copy_sqlite(file, target)
        except BackupError:
            target.unlink(missing_ok=True)
            raise
        return
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    found = _run(["psql", "--no-psqlrc", "-tAc", tables], database)
    if found.strip() != "0":
        raise BackupError(f"the database has {found.strip()} tables; restore into an empty one")
    options = ["--no-owner", "--exit-on-error", "--single-transaction"]
    _run(["pg_restore", *options, f"--dbname={database['NAME']}", str(file)], database)


def _is_sqlite(database: dict[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def _copy_sqlite(source: Path, target: Path) -> None:
    if not source.is_file():
        raise BackupError(f"{source} is not there")
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            if not new.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise BackupError(f"{source} has no tables")
            if new.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise BackupError(f"the copy of {source} is damaged")
    except sqlite3.Error as error:
        raise BackupError(f"{source} cannot be copied to {target}: {error}") from error


def _run(command: list[str], database: dict[str, Any]) -> str:
    """Run a PostgreSQL program, with the password in its environment so that `ps` hides it."""
    said = {
        "PGHOST": database["HOST"],
        "PGPORT": database["PORT"],
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
        "PGDATABASE": database["NAME"],
    }
    environment = {**os.environ, **{name: value for name, value in said.items() if value}}
    try:
        done = subprocess.run(  # noqa: S603 - the programs are named above
            command, env=environment, check=True, capture_output=True, text=True
        )
    except FileNotFoundError as error:
        raise BackupError(f"{command[0]} is not on the PATH") from error
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{command[0]}: {error.stderr.strip()}") from error
    return done.stdout


def main(arguments: list[str]) -> int:
    """Run the command line; return the exit status."""
    match arguments:
        case ["save" | "restore" as what, path]:
            pass
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    url = env.text("DATABASE_URL", "sqlite:///db.sqlite3")
    try:
        database = env.database(url, base=BASE, pool_size=0)
        if what == "save":
            print(save(database, Path(path)))
        else:
            restore(database, Path(path))
    except (BackupError, ImproperlyConfigured, OSError) as error:
        print(f"backup: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
