"""Settings and fixtures for all tests.

A test run is one call of pytest: one process, or several workers of pytest-xdist with the process
that started them. Each run has its own folder, in which its workers share what is made once: the
process launcher, a migrated database to copy, a PostgreSQL server. Concurrent runs share nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import inspect
import itertools
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests.support import (
    flushing,
    folders,
    hashed,
    launcher,
    log_ins,
    migrated,
    on_postgres,
    order,
    page_contexts,
    shared_postgres,
)
from tests.support.data_servers import Postgres, Redis
from tests.support.servers import StartSite, site_environment, sites, sqlite_url
from tests.support.stored import fix_cards

if TYPE_CHECKING:
    from django.test import Client

    from games.models import Player

RUN = "CRIBBAGE_TEST_RUN"
"""The environment variable with the folder of the run; its workers inherit it."""

STARTS_SERVERS = {
    "database_url", "own_postgres", "postgres", "redis_server", "start_file_site", "start_site",
}  # fmt: skip
"""The fixtures that start real servers; tests that use one are marked `servers`."""

RARELY = (20_000, 20, 20)
"""Thresholds of the garbage collector, which pages and queries would start all the time."""

START_KEYS = "INSERT INTO sqlite_sequence (name, seq) VALUES (?, 1000)"
"""Makes a table's keys large: small ones are one object in Python, which hides an ``is``."""

_numbers = itertools.count()
_run = contextlib.ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """Start the run, and set this process's settings for tests."""
    gc.disable()  # what is imported until the tests have been collected stays
    # A process that does not cache its bytecode spends two thirds of its start-up on compiling.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not hasattr(config, "workerinput"):
        _begin_run()
    # Tests need no warm-up of the computer players.
    settings.COMPUTERS_WARM = False
    # The real hasher takes 0.2 s for each of the many players that tests make.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # A slow machine fails no test: examples have no deadline, and may take long to make.
    hypothesis_settings.register_profile(
        "no_deadline", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    hypothesis_settings.load_profile("no_deadline")


def _begin_run() -> None:
    """Make this run's folder and start the launcher; both are removed when this process ends."""
    folders.keep_in_memory()
    folder = Path(tempfile.mkdtemp(prefix="cribbage-tests-"))
    folder.chmod(0o711)  # PostgreSQL may run as another user
    os.environ[RUN] = str(folder)
    _run.callback(os.environ.pop, RUN, None)
    if os.environ.get(migrated.GIVEN):
        _run.callback(shutil.rmtree, folder, ignore_errors=True)
        return
    environment = site_environment(sqlite_url(folder, "none.sqlite3"))
    _run.enter_context(launcher.running(folder, environment))


def pytest_unconfigure() -> None:
    _run.close()


def _run_folder() -> Path:
    return Path(os.environ[RUN])


@contextlib.contextmanager
def _one_at_a_time(name: str) -> Iterator[None]:
    """Lock out the run's other workers while something shared is made."""
    with (_run_folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by their folder and fixtures, and put them in the order of their start."""
    _refuse_one_id_twice(items)
    for item in items:
        if "browser" in item.path.relative_to(Path(__file__).parent).parts[:-1]:
            item.add_marker("browser")
        if STARTS_SERVERS & set(getattr(item, "fixturenames", ())):
            item.add_marker("servers")
    if not config.pluginmanager.hasplugin("randomly"):
        items[:] = order.interleaved(items)


def _refuse_one_id_twice(items: list[pytest.Item]) -> None:
    """Refuse tests with one id: parallel workers run only one of them."""
    twice = [name for name, number in Counter(item.nodeid for item in items).items() if number > 1]
    if twice:
        raise pytest.UsageError(f"Tests with one id, of which only one would run: {twice}")


def pytest_collection_finish() -> None:
    """Keep what was imported out of the garbage collector, which would search it in every test."""
    gc.freeze()
    gc.set_threshold(*RARELY)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test as Django's own test case does.

    Synchronous database work then runs in this thread, inside the test's transaction; a plain
    event loop would send it to another thread.
    """
    function = pyfuncitem.obj
    if not inspect.iscoroutinefunction(function):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    async_to_sync(function)(**{name: pyfuncitem.funcargs[name] for name in names})
    return True


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Clear the cache before each test, so that no rate limit is used up."""
    from django.core.cache import cache

    from cribbage_site.cache import forget_counts

    cache.clear()
    forget_counts()


@pytest.fixture(autouse=True)
def limit_clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Freeze the clock of the rate limits; the only element is the current time in seconds.

    A window starts at a multiple of its length, so a running clock could turn over to the next
    window in the middle of a test.
    """
    from games.people import limits

    now = [time.time()]
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: now[0]))
    return now


@pytest.fixture
def midday(monkeypatch: pytest.MonkeyPatch) -> None:
    """Move Django's clock to noon (UTC) of today, so that the date does not change in a test."""
    from django.utils import timezone

    real = timezone.now
    started = real()
    ahead = started.replace(hour=12, minute=0, second=0, microsecond=0) - started
    monkeypatch.setattr(timezone, "now", lambda: real() + ahead)


@pytest.fixture
def player(client: Client) -> Player:
    """Return a guest who is logged in to `client`."""
    from games.people.accounts import create_guest

    guest = create_guest(name="Margery")
    client.force_login(guest)
    return guest


@pytest.fixture
def requested_reviews(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record which matches are to be reviewed; a worker would not see the test's transaction."""
    from games.learn import review_jobs

    matches: list[int] = []

    def request_review(match: int) -> bool:
        matches.append(match)
        return True

    monkeypatch.setattr(review_jobs, "request_review", request_review)
    return matches


@pytest.fixture
def fixed_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards, and draw the same pairs, in every run of the test."""
    fix_cards(monkeypatch)


@pytest.fixture(scope="session")
def empty_database() -> Path:
    """Return a migrated, empty SQLite file; copy it, do not write to it."""
    file = _run_folder() / "empty.sqlite3"
    with _one_at_a_time("empty"):
        if not file.exists():
            migrated.make(file)
    return file


@pytest.fixture(scope="session")
def hashed_static() -> Path:
    """Return the static files of a public site, as `collectstatic` writes them; read only."""
    folder = _run_folder() / "static"
    with _one_at_a_time("static"):
        if not folder.exists():
            hashed.make(folder)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _permissions_stay() -> Iterator[None]:
    """Leave content types and permissions alone when a test's rows are deleted."""
    with pytest.MonkeyPatch.context() as patched:
        flushing.leave_permissions(patched)
        yield


@pytest.fixture(scope="session", autouse=True)
def _contexts_of_pages(django_test_environment: None) -> Iterator[None]:
    """Keep the context of each page for the test, and not those of its parts."""
    with pytest.MonkeyPatch.context() as patched:
        page_contexts.keep_of_pages(patched)
        yield


@pytest.fixture(scope="session", autouse=True)
def _log_ins_are_stored_once() -> Iterator[None]:
    """Store the session of a test client's log-in once."""
    with pytest.MonkeyPatch.context() as patched:
        log_ins.store_once(patched)
        yield


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Make Django use the existing database: a copy of the migrated one."""
    return True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest, worker_id: str) -> None:
    """Give this worker its own copy of the migrated database."""
    default = settings.DATABASES["default"]
    if default["ENGINE"].endswith("sqlite3"):
        # A file, not an in-memory database: several threads write to it, as in the real site.
        file = _run_folder() / f"test-{worker_id}.sqlite3"
        shutil.copyfile(request.getfixturevalue("empty_database"), file)
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            database.executemany(START_KEYS, [("games_player",), ("games_match",)])
        default["TEST"] = {**default.get("TEST", {}), "NAME": file}
    else:
        name = f"test_{os.getpid()}"
        default["TEST"] = {**default["TEST"], "NAME": name, "TEMPLATE": shared_postgres.EMPTY}


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """Return the run's PostgreSQL server, with a migrated database named `empty` to copy.

    All workers share it: a test that stops its server uses `own_postgres` instead.
    """
    folder = Path(os.environ.get(on_postgres.FOLDER) or _run_folder())
    with _one_at_a_time("postgres"):
        return shared_postgres.find(folder) or shared_postgres.start(folder)


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """Give the address of a migrated PostgreSQL database that only this test uses.

    It is dropped at once: a run would wait minutes for the disk if all were deleted at its end.
    """
    name = f"test_{os.getpid()}_{next(_numbers)}"
    yield postgres.create_database(name, template=shared_postgres.EMPTY)
    postgres.drop_database(name)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> str:
    """Return the address of a migrated database of this test, which runs with each kind."""
    if request.param == "postgres":
        url: str = request.getfixturevalue("postgres_url")
        return url
    shutil.copy(empty_database, tmp_path / "site.sqlite3")
    return sqlite_url(tmp_path)


@pytest.fixture
def own_postgres(postgres: Postgres) -> Iterator[Postgres]:
    """Run a PostgreSQL server that only this test uses, with a migrated database `empty`."""
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=_run_folder()))
    folder.chmod(0o711)
    server = shared_postgres.start_copy(folder, postgres)
    yield server
    server.stop()
    shutil.rmtree(folder)


@pytest.fixture
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """Run a Redis server that only this test uses."""
    with Redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: Redis) -> str:
    """Return the address of a Redis server that only this test uses."""
    return redis_server.url


@pytest.fixture
def start_site(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Iterator[StartSite]:
    """Give the function that starts site processes: see `tests.support.servers.sites`."""
    with sites(tmp_path_factory.mktemp("sites"), empty_database=empty_database) as start:
        yield start


@pytest.fixture(scope="module")
def start_file_site(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Iterator[StartSite]:
    """Like `start_site`, for a site that all tests of a file share and none of them stops."""
    with sites(tmp_path_factory.mktemp("sites"), empty_database=empty_database) as start:
        yield start
