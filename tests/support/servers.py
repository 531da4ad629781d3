"""The site as real processes, on a database of its own."""

import contextlib
import os
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from tests.support import launcher
from tests.support.data_servers import (
    HOST,
    Server,
    listens,
)

ROOT = Path(__file__).resolve().parents[2]


class Site(Server):
    """One site process under Daphne or uvicorn."""

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
        """Return the address of the pages, without a trailing slash."""
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
            "-e", f"tcp:port={self.port}:interface={HOST}:backlog=2048", "-v", "0",
            "--websocket_connect_timeout", "20",
            *self.arguments, application,
        ]  # fmt: skip

    def environment(self) -> Mapping[str, str]:
        return {**site_environment(self.database_url, self.redis_url), **self.extra}

    def launch(self, log: IO[bytes]) -> launcher.Process:
        return launcher.launch(self.command()[1:], self.environment(), stdout=log, stderr=log)

    def ready(self) -> bool:
        if not listens(self.port):
            return False
        try:
            urllib.request.urlopen(f"{self.url}/static/css/site.css", timeout=90).close()
        except urllib.error.HTTPError:
            return True  # it answers; the status does not matter here
        except OSError:
            return False
        return True


PRODUCTION = {
    "SITE_MODE": "production",
    "SECRET_KEY": "a-key-of-the-tests-alone-that-is-long-enough-to-please-the-check-0123456789",
    "ALLOWED_HOSTS": "localhost,127.0.0.1",
}
"""The least that a public site needs."""


def site_environment(database_url: str, redis_url: str = "") -> dict[str, str]:
    """Return the environment of a local site with that database."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return {
        **kept,
        "SITE_MODE": "local",
        "BIND": HOST,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        # As on a public site: a table then takes ten requests instead of eighty.
        "BUNDLES": "1",
        # Tests start many processes, and few of them need compiled computer players.
        "COMPUTERS_WARM": "0",
        "COMPUTER_PROCESS": "0",
        # And few need a worker with an interpreter of its own.
        "EMBEDDED_WORKER": "thread",
        # All visitors of all tests come from one address.
        "GUESTS_PER_HOUR": "0",
        "MATCHES_PER_HOUR": "0",
        "SOCKETS_PER_ADDRESS": "0",
        "DJANGO_SETTINGS_MODULE": "cribbage_site.settings",
    }


def manage(
    database_url: str,
    *arguments: str,
    redis_url: str = "",
    extra: Mapping[str, str] | None = None,
) -> str:
    """Run a management command on that database and return its output."""
    return launcher.Script(
        ["manage.py", *arguments],
        {**site_environment(database_url, redis_url), **(extra or {})},
    ).finish()


def sqlite_url(folder: Path, name: str = "site.sqlite3") -> str:
    """Return the address of a database file in `folder`."""
    return f"sqlite:///{folder / name}"


StartSite = Callable[..., Site]


@contextlib.contextmanager
def sites(folder: Path, *, empty_database: Path) -> Iterator[StartSite]:
    """Give a function that starts sites; all of them are killed at the end.

    `start(database_url=..., redis_url="", server="daphne", extra={...}, arguments=[...])`. A given
    database must be migrated; without one the site gets a copy of the file `empty_database`.
    `extra` are environment variables, `arguments` command-line arguments of the server.
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
        # Their data is no longer needed, and a graceful stop would take a second each.
        for site in reversed(started):
            site.kill()
