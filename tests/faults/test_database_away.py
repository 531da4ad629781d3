"""Pages and sockets while PostgreSQL is down: they say so at once, and come back with it."""

from __future__ import annotations

import asyncio
import http.client
import signal
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.support.clients import Client
from tests.support.data_servers import HOST, Postgres
from tests.support.servers import Site, StartSite
from tests.support.shared_postgres import EMPTY
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.slow

CSRF = "a" * 32

KNOWN = "the database cannot be reached"
BACK = "the database is back"
"""What the log says when a process learns that the database is away, and that it is back."""

AT_ONCE = "DatabaseAwayError"
"""The error of requests that did not wait for a connection."""


@dataclass(frozen=True)
class Answer:
    """A site's answer: its status, the seconds after which to try again, and its text."""

    status: int
    retry_after: str | None
    text: str


def ask(site: Site, method: str, path: str, cookie: str) -> Answer:
    """Send a request of a logged-in player."""
    connection = http.client.HTTPConnection(HOST, site.port, timeout=DEADLINE)
    headers = {
        "Cookie": f"sessionid={cookie}; csrftoken={CSRF}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    form = urlencode({"csrfmiddlewaretoken": CSRF})
    connection.request(method, path, form if method == "POST" else None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return Answer(answer.status, answer.headers["Retry-After"], text)


def ask_all(site: Site, cookie: str, requests: Iterable[tuple[str, str]]) -> dict[str, Answer]:
    """Send several requests at once; return the answers by path."""
    with ThreadPoolExecutor() as browsers:
        asked = {
            path: browsers.submit(ask, site, method, path, cookie) for method, path in requests
        }
        return {path: answer.result() for path, answer in asked.items()}


async def ask_socket(site: Site, match: str, cookie: str) -> dict[str, Any]:
    """Return the reason for which a table's socket is closed."""
    client = await Client(site.socket_url, match, cookie).connect(hello=False)
    return dict((await client.hear_until(lambda m: m["t"] == "bye"))["d"])


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_pages_say_that_the_database_is_down_and_work_when_it_is_back(
    start_site: StartSite, own_postgres: Postgres, server: str
) -> None:
    url = own_postgres.create_database("games", template=EMPTY)
    site = start_site(database_url=url, server=server)
    (table,) = make_tables(url, wish(join=False))
    cookie = table.cookies[0]
    pages = [("GET", "/ranked/"), ("GET", f"/t/{table.match}/")]
    forms = [
        ("POST", path)
        for path in ("/ranked/enter/", "/ranked/state/", "/open/", f"/join/{table.invite}/")
    ]
    own_postgres.stop(signal.SIGQUIT)
    try:
        answers = ask_all(site, cookie, [*pages, *forms, ("GET", "/api/v1/me")])
        bye = asyncio.run(ask_socket(site, table.match, cookie))
        wait_for(lambda: KNOWN in site.log.read_text())
        refused = len(site.log.read_text())
        assert ask(site, "GET", "/ranked/", cookie).status == 503
        assert AT_ONCE in site.log.read_text()[refused:]
    finally:
        own_postgres.start()
    wait_for(lambda: BACK in site.log.read_text())
    again = ask(site, "POST", "/ranked/enter/", cookie)
    assert (again.status, again.retry_after) == (302, None)
    assert bye["code"] == "busy"
    assert bye["retry"] >= 1
    log = site.log.read_text()
    assert log.count("Service Unavailable") == len(answers) + 1
    assert "Traceback" not in log
    assert {(answer.status, answer.retry_after) for answer in answers.values()} == {(503, "10")}
    assert '"unavailable"' in answers["/api/v1/me"].text
    for _, path in pages:
        assert '<a class="button" href="">Try again</a>' in answers[path].text
    for _, path in forms:
        assert "go back and send it again" in answers[path].text
        assert "Try again" not in answers[path].text
