"""A form and a page while no process can take them: two stand-ins behind the real proxies."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cribbage_site.busy_page import busy_page
from tests.support.data_servers import HOST
from tests.support.proxied_site import Answer, Behind, Visitor
from tests.support.proxies import PROXIES, Caddy, Proxy, make_certificate, program
from tests.support.waiting import wait_for

FORM = "/form/"

REQUESTS = 40
"""Requests of a test, of which either stand-in gets about half."""


class StandIn(ThreadingHTTPServer):
    """A process that passes its health checks or not, and may die before it answers.

    Attributes:
        healthy: whether it passes its health checks.
        busy: whether forms get no turn, and so the page for that.
        checked: how many health checks it has answered.
        received: the methods of all requests for the form.
    """

    daemon_threads = True
    deaths = 0
    """How many more requests of all stand-ins kill the one that receives them."""

    def __init__(self) -> None:
        super().__init__((HOST, 0), Answering)
        self.healthy = True
        self.busy = False
        self.checked = 0
        self.received: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """Return host and port."""
        return f"{HOST}:{self.server_port}"


class Answering(BaseHTTPRequestHandler):
    """Answers one request of a stand-in."""

    server: StandIn

    def do_GET(self) -> None:
        if self.path == "/healthz":
            self.say(200 if self.server.healthy else 503)
            self.server.checked += 1
        elif self.path == FORM:
            self.take(200)
        else:
            self.say(200)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.take(302)

    def take(self, status: int) -> None:
        self.server.received.append(self.command)
        if StandIn.deaths:
            StandIn.deaths -= 1
            self.server.healthy = False
        elif self.server.busy:
            self.say_busy()
        else:
            self.say(status)

    def say_busy(self) -> None:
        start, body = busy()
        self.send_response(start["status"])
        for name, value in start["headers"]:
            self.send_header(name.decode(), value.decode())
        self.end_headers()
        self.wfile.write(body["body"])

    def say(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""


def busy() -> Iterator[dict[str, Any]]:
    """Return the site's own answer to a form that gets no turn: its start and its body."""
    return busy_page({"headers": [], "path": FORM, "method": "POST"})


@pytest.fixture(scope="module")
def stand_ins() -> Iterator[list[StandIn]]:
    """Run two stand-ins."""
    both = [StandIn(), StandIn()]
    yield both
    for one in both:
        one.shutdown()
        one.server_close()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, stand_ins: list[StandIn]) -> Iterator[Behind]:
    """Run both proxies in front of the stand-ins."""
    folder = tmp_path_factory.mktemp("waiting")
    certificate = make_certificate(folder)
    running: dict[str, Proxy] = {}
    try:
        for name, kind in PROXIES.items():
            program(name)
            (folder / name).mkdir()
            proxy = kind(folder / name, certificate, [one.address for one in stand_ins])
            running[name] = proxy.start()
        yield Behind([], running, certificate, {})
    finally:
        for proxy in running.values():
            proxy.kill()


@pytest.fixture
def behind(both: Behind, stand_ins: list[StandIn]) -> Behind:
    """Return the proxies, with both stand-ins well again."""
    StandIn.deaths = 0
    for one in stand_ins:
        one.healthy, one.busy = True, False
        one.received.clear()
    both.revive()
    return both


class Asking(threading.Thread):
    """A request that waits for its answer."""

    def __init__(self, behind: Behind, proxy: Proxy, method: str) -> None:
        super().__init__(daemon=True)
        self.visitor = Visitor(behind, proxy)
        self.method = method
        self.answer: Answer | None = None
        self.start()

    def run(self) -> None:
        body = "players=2" if self.method == "POST" else None
        self.answer = self.visitor.ask(self.method, FORM, body)

    def status(self) -> int:
        """Wait for the answer, and return its status."""
        self.join()
        assert self.answer is not None
        return self.answer.status


def checked(stand_ins: list[StandIn], more: int) -> Callable[[], bool]:
    """Return a condition: each stand-in has answered so many more health checks than now."""
    wanted = [one.checked + more for one in stand_ins]
    return lambda: all(one.checked >= n for one, n in zip(stand_ins, wanted, strict=True))


def wait_until_used(behind: Behind, proxy: Proxy, stand_ins: list[StandIn]) -> None:
    """Wait until the proxy sends pages to both stand-ins, and forget these pages.

    After a death, Caddy leaves a stand-in out for two seconds and until its next health check.
    """

    def used() -> bool:
        assert Asking(behind, proxy, "GET").status() == 200
        return all(one.received for one in stand_ins)

    wait_for(used)
    for one in stand_ins:
        one.received.clear()


def received(stand_ins: list[StandIn]) -> list[str]:
    """Return the methods of all requests for the form."""
    return [method for one in stand_ins for method in one.received]


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 302)])
def test_what_comes_while_no_process_is_healthy_is_answered(
    behind: Behind, proxy: Proxy, stand_ins: list[StandIn], method: str, status: int
) -> None:
    """Caddy before 2.7.5 refuses a form at once, unless its file says otherwise."""
    for one in stand_ins:
        one.healthy = False
    if isinstance(proxy, Caddy):
        # Pages and sockets are checked separately; the first check of each may have begun before.
        wait_for(checked(stand_ins, 4))
    once_more = checked(stand_ins, 1)
    asked = Asking(behind, proxy, method)
    wait_for(once_more)
    for one in stand_ins:
        one.healthy = True
    assert asked.status() == status
    assert received(stand_ins) == [method]


def test_a_form_that_a_process_may_have_received_is_not_sent_again(
    behind: Behind, proxy: Proxy, stand_ins: list[StandIn]
) -> None:
    StandIn.deaths = 1
    assert Asking(behind, proxy, "POST").status() in {502, 503}
    assert received(stand_ins) == ["POST"]


def test_a_page_that_a_process_may_have_received_is_asked_for_again(
    behind: Behind, proxy: Proxy, stand_ins: list[StandIn]
) -> None:
    StandIn.deaths = 1
    assert Asking(behind, proxy, "GET").status() == 200
    assert received(stand_ins) == ["GET", "GET"]


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 302)])
def test_the_page_of_a_busy_process_arrives_as_it_is_and_the_process_stays_in_use(
    behind: Behind, proxy: Proxy, stand_ins: list[StandIn], method: str, status: int
) -> None:
    """If a refusal counted as a failure, the busy process would get nothing more for a while."""
    start, body = busy()
    one, other = stand_ins
    wait_until_used(behind, proxy, stand_ins)
    one.busy = True
    refused = 0
    for sent in range(1, REQUESTS + 1):
        asked = Asking(behind, proxy, method)
        assert asked.status() in {status, start["status"]}
        assert received(stand_ins) == [method] * sent, "nothing is sent twice"
        if asked.status() == status:
            continue
        refused += 1
        assert asked.answer is not None
        assert asked.answer.text == body["body"].decode()
        for name, value in start["headers"]:
            assert asked.answer.headers[name.decode()] == value.decode()
    assert refused == len(one.received) > REQUESTS // 8
    assert len(other.received) > REQUESTS // 8
