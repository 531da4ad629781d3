"""Settings and fixtures for all tests."""

import inspect
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings

from tests.servers import Postgres, Redis, StartSite, manage, sites, sqlite_url

LOCAL = Path(__file__).resolve().parent.parent / ".local"
_numbers = itertools.count()


def pytest_configure() -> None:
    """Give this run a database file of its own, so that two runs do not meet."""
    LOCAL.mkdir(exist_ok=True)
    for left_over in LOCAL.glob("test-*.sqlite3*"):
        pid = left_over.name.split("-")[1].split(".")[0]
        if not _runs(int(pid)):
            left_over.unlink(missing_ok=True)
    default = settings.DATABASES["default"]
    if default["ENGINE"].endswith("sqlite3"):
        # A file, and not SQLite's memory: several threads write to it, as in the real site.
        default["TEST"] = {**default.get("TEST", {}), "NAME": LOCAL / f"test-{os.getpid()}.sqlite3"}
    # Nobody waits here for computers to get ready.
    settings.COMPUTERS_WARM = False
    # The real hasher takes 0.2 s for each of the many players that tests make.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what its folder and fixtures tell, and run the quick tests first."""
    for item in items:
        if "browser" in item.path.relative_to(Path(__file__).parent).parts[:-1]:
            item.add_marker("browser")
        if {"postgres", "redis_url", "start_site"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("servers")
    items.sort(key=_cost)


def _cost(item: pytest.Item) -> int:
    """Return 0 for a quick test, more for one that needs servers, time or a browser."""
    return next(
        (
            3 - n
            for n, name in enumerate(("browser", "servers", "slow"))
            if item.get_closest_marker(name)
        ),
        0,
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test as Django's own test case does.

    Synchronous database work then comes back to this thread, and so into the test's
    transaction; an event loop by itself would send it to another thread.
    """
    function = pyfuncitem.obj
    if not inspect.iscoroutinefunction(function):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    async_to_sync(function)(**{name: pyfuncitem.funcargs[name] for name in names})
    return True


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Start each test with no rate limit used up."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated SQLite file without a row; copy it, do not write to it."""
    folder = tmp_path_factory.mktemp("empty")
    manage(sqlite_url(folder, "empty.sqlite3"), "migrate", "-v", "0")
    assert not list(folder.glob("*-wal")), "the file must be whole by itself to be copied"
    return folder / "empty.sqlite3"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """Run one PostgreSQL server, with a migrated database named `empty` to copy."""
    with Postgres(tmp_path_factory.mktemp("postgres")) as server:
        # No pool: a connection left open would forbid the copying.
        manage(server.create_database("empty"), "migrate", "-v", "0")
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """Return the address of a migrated PostgreSQL database that only this test uses."""
    return postgres.create_database(f"test_{next(_numbers)}", template="empty")


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
    """Give the function that starts server processes of the site: see `tests.servers.sites`."""
    with sites(tmp_path_factory.mktemp("sites"), empty_database=empty_database) as start:
        yield start
