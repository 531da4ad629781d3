"""Two processes of a public site behind nginx and Caddy, shared by the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.data_servers import Postgres
from tests.support.proxied_site import Behind, site_for_file
from tests.support.proxies import PROXIES, Proxy


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
    extra = getattr(request.module, "EXTRA", None)
    with site_for_file(
        tmp_path_factory.mktemp("behind"), postgres, hashed_static, extra
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
