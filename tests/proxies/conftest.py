"""Two processes of a public site behind nginx and Caddy, shared by the tests of a file."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import shared_postgres
from tests.support.data_servers import Postgres
from tests.support.proxies import PROXIES, Behind, Proxy, behind_proxies, program

_numbers = itertools.count()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("servers")
            item.add_marker("slow")


@pytest.fixture(scope="module")
def both(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres: Postgres,
    hashed_static: Path,
) -> Iterator[Behind]:
    """Run the site behind both proxies; `EXTRA` of the file are further settings."""
    for name in PROXIES:
        program(name)
    with behind_proxies(
        tmp_path_factory.mktemp("behind"),
        database_url=postgres.create_database(
            f"behind_{os.getpid()}_{next(_numbers)}", template=shared_postgres.EMPTY
        ),
        static=hashed_static,
        extra=getattr(request.module, "EXTRA", None),
    ) as running:
        yield running


@pytest.fixture
def behind(both: Behind) -> Behind:
    """Return the running site, with whatever an earlier test has stopped started again."""
    both.revive()
    return both


@pytest.fixture(params=list(PROXIES))
def proxy(request: pytest.FixtureRequest, behind: Behind) -> Proxy:
    """Return one of the proxies."""
    return behind.proxies[request.param]
