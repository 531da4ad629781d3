"""Health and readiness probes, and access to the metrics."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from cribbage_site import health
from cribbage_site.draining import draining
from cribbage_site.health import Probes, may_read_metrics
from games.live.runtime import runtime, shut_down
from games.log.batches import STUCK
from tests.support.waiting import DEADLINE

pytestmark = pytest.mark.django_db(transaction=True)


async def other(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b"the site"})


def ask(path: str, *, method: str = "GET", prepare: Any = None) -> tuple[int, bytes]:
    """Return an answer's status and body, using a separate event loop."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def nothing_more() -> dict[str, Any]:
        return {}

    async def session() -> None:
        if prepare is not None:
            prepare()
        scope = {"path": path, "method": method, "headers": [], "client": ("127.0.0.1", 1)}
        try:
            await Probes(other)(scope, nothing_more, send)
        finally:
            await shut_down()

    asyncio.run(session())
    return sent[0]["status"], sent[1]["body"]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset cached results and the draining flag."""
    monkeypatch.setattr(health, "_migrated", False)
    yield
    draining.leaving = False


def checks(body: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(body)["checks"]
    return found


def test_a_process_is_alive_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_look_at_database", None)
    assert ask("/healthz") == (200, b"ok\n")
    assert ask("/healthz", method="HEAD") == (200, b"")


def test_all_other_requests_go_to_the_site() -> None:
    assert ask("/")[0] == 299
    assert ask("/readyz/more")[0] == 299
    assert ask("/metrics", method="POST")[0] == 299


def test_a_process_is_ready_when_all_parts_work() -> None:
    status, body = ask("/readyz")
    assert status == 200
    assert set(checks(body)) == {"process", "database", "migrations", "redis", "writer", "daemons"}
    assert set(checks(body).values()) == {"ok"}


def test_a_database_error_is_reported_without_its_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from django.db import OperationalError, connections

    def fail(*_: Any) -> None:
        raise OperationalError("password geheim for user cribbage")

    monkeypatch.setattr(type(connections["default"]), "cursor", fail)
    status, body = ask("/readyz")
    assert status == 503
    assert checks(body)["database"] == "cannot be reached"
    assert b"geheim" not in body


def test_an_unresponsive_database_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.01)
    may_answer = Event()

    def look() -> dict[str, str]:
        may_answer.wait(DEADLINE)
        return {}

    monkeypatch.setattr(health, "_look_at_database", look)
    status, body = ask("/readyz")
    may_answer.set()
    assert status == 503
    assert "does not answer within" in checks(body)["database"]


def test_missing_migrations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.doctor.MigrationExecutor.migration_plan", lambda *_: [1, 2])
    status, body = ask("/readyz")
    assert status == 503
    assert checks(body)["migrations"] == "2 are missing: run manage.py migrate"


def test_a_stuck_writer_is_reported() -> None:
    def stick() -> None:
        runtime().writer.busy_since = time.monotonic() - STUCK - 1

    status, body = ask("/readyz", prepare=stick)
    assert status == 503
    assert "writing one batch" in checks(body)["writer"]


def test_unreachable_redis_is_reported(settings: Settings) -> None:
    settings.REDIS_URL = "redis://:geheim@127.0.0.1:1/0"
    status, body = ask("/readyz")
    assert status == 503
    assert checks(body)["redis"] == "cannot be reached; this process goes on alone"
    assert b"geheim" not in body


def test_a_draining_process_tells_proxies_to_look_elsewhere() -> None:
    draining.leaving = True
    assert ask("/readyz")[0] == 503
    assert ask("/healthz")[0] == 503


@pytest.mark.parametrize(
    ("client", "headers", "allowed"),
    [
        (("127.0.0.1", 1), {}, True),
        (("10.1.2.3", 1), {}, True),
        (("192.0.2.1", 1), {}, False),
        (("::2", 1), {}, False),
        (("unknown", 1), {}, False),
        (None, {}, False),
        (("127.0.0.1", 1), {"x-forwarded-for": "192.0.2.1"}, False),
        (("127.0.0.1", 1), {"forwarded": "for=192.0.2.1"}, False),
        (("192.0.2.1", 1), {"authorization": "Bearer a-token"}, True),
        (("192.0.2.1", 1), {"authorization": "Bearer a-toke"}, False),
        (("192.0.2.1", 1), {"authorization": "Bearer "}, False),
        (("127.0.0.1", 1), {"authorization": "Bearer b", "x-forwarded-for": "::1"}, False),
    ],
)
def test_metrics_need_an_allowed_address_or_the_token(
    settings: Settings, client: Any, headers: dict[str, str], *, allowed: bool
) -> None:
    settings.METRICS_ALLOW = ["127.0.0.1", "10.0.0.0/8"]
    settings.METRICS_TOKEN = "a-token"
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert may_read_metrics({"client": client, "headers": pairs}) is allowed


def test_without_a_configured_token_an_empty_one_is_refused(settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    headers = [(b"authorization", b"Bearer ")]
    assert not may_read_metrics({"client": ("192.0.2.1", 1), "headers": headers})
