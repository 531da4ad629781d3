"""Health checks and metrics over HTTP: `/healthz` (alive), `/readyz` (ready) and `/metrics`.

They are answered before Django, on the event loop itself: without checks of host names, sessions
and log-in, and even while all threads are busy. The answers never quote error messages of a
database or server.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from hmac import compare_digest
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from cribbage_site import metrics
from cribbage_site.draining import draining
from cribbage_site.origin import Application
from games.doctor import missing_migrations
from games.live.runtime import Runtime, runtime
from games.log.batches import STUCK
from games.ops import daemons

logger = logging.getLogger(__name__)

PATIENCE = 3.0
"""Seconds to wait for the database."""

OK = "ok"
FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip"})

Answer = tuple[int, bytes, bytes]
"""Status code, content type and body."""

_thread = ThreadPoolExecutor(1, thread_name_prefix="probe")


class Probes:
    """ASGI middleware that answers these three paths, and passes everything else on."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Answer, or pass the request on."""
        probe = PROBES.get(scope["path"])
        if probe is None or scope["method"] not in {"GET", "HEAD"}:
            return await self.application(scope, receive, send)
        status, kind, text = await probe(scope)
        headers = [
            (b"content-type", kind),
            (b"content-length", str(len(text)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        body = b"" if scope["method"] == "HEAD" else text
        await send({"type": "http.response.body", "body": body})
        return None


async def alive(_scope: dict[str, Any]) -> Answer:
    """Answer 200: the event loop runs. Nothing else is checked. 503: the process is stopping."""
    if draining.leaving:
        return 503, b"text/plain; charset=utf-8", b"is shutting down\n"
    return 200, b"text/plain; charset=utf-8", b"ok\n"


async def ready(_scope: dict[str, Any]) -> Answer:
    """Return the state of each part that a process needs: 200 if all work, else 503."""
    parts = runtime()
    checks = {
        "process": "is shutting down" if draining.leaving else OK,
        **await _check_database(),
        "redis": _redis(parts),
        "writer": _writer(parts),
        "daemons": _daemons(),
    }
    fine = all(state == OK for state in checks.values())
    text = json.dumps({"ready": fine, "checks": checks}).encode() + b"\n"
    return (200 if fine else 503), b"application/json", text


async def numbers(scope: dict[str, Any]) -> Answer:
    """Return the metrics if the client may read them, else status 403."""
    if not may_read_metrics(scope):
        return 403, b"text/plain; charset=utf-8", b"You may not read the metrics.\n"
    loop = asyncio.get_running_loop()
    text = await loop.run_in_executor(_thread, metrics.exposition, runtime())
    return 200, metrics.CONTENT_TYPE.encode(), text


PROBES: dict[str, Callable[[dict[str, Any]], Awaitable[Answer]]] = {
    "/healthz": alive,
    "/readyz": ready,
    "/metrics": numbers,
}


def may_read_metrics(scope: dict[str, Any]) -> bool:
    """Return whether a request has METRICS_TOKEN, or comes from METRICS_ALLOW without a proxy.

    Forwarded requests come from the proxy's address, so their origin is unknown.
    """
    headers = dict(scope["headers"])
    shown = headers.get(b"authorization", b"")
    token = f"Bearer {settings.METRICS_TOKEN}".encode()
    if settings.METRICS_TOKEN and compare_digest(shown, token):
        return True
    if FORWARDED & headers.keys() or not scope.get("client"):
        return False
    try:
        address = ip_address(scope["client"][0])
    except ValueError:
        return False
    return any(address in ip_network(allowed) for allowed in settings.METRICS_ALLOW)


_asking: asyncio.Future[dict[str, str]] | None = None


async def _check_database() -> dict[str, str]:
    """Check the database in a separate thread, with at most one check at a time."""
    global _asking  # noqa: PLW0603 - one for each process
    loop = asyncio.get_running_loop()
    if _asking is None or _asking.done() or _asking.get_loop() is not loop:
        _asking = loop.run_in_executor(_thread, _look_at_database)
    try:
        return await asyncio.wait_for(asyncio.shield(_asking), PATIENCE)
    except TimeoutError:
        return {"database": f"does not answer within {PATIENCE:g} seconds"}


def _look_at_database() -> dict[str, str]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return {"database": OK, "migrations": _migrations()}
    except DatabaseError:
        logger.warning("the database cannot be reached", exc_info=True)
        return {"database": "cannot be reached"}
    finally:
        connection.close()


_migrated = False


def _migrations() -> str:
    """Return whether migrations are missing; once none are, the database is not asked again."""
    global _migrated  # noqa: PLW0603 - one for each process
    if not _migrated:
        missing = missing_migrations()
        if missing:
            return f"{missing} are missing: run manage.py migrate"
        _migrated = True
    return OK


def _redis(parts: Runtime) -> str:
    bus = parts.peers.bus
    if bus is None or bus.hearing_since is not None:
        return OK
    return "cannot be reached; this process goes on alone"


def _daemons() -> str:
    found = daemons.problems()
    return "; ".join(f"{name} {problem}" for name, problem in sorted(found.items())) or OK


def _writer(parts: Runtime) -> str:
    if parts.writer.stuck_since() is None:
        return OK
    return f"has been writing one batch for more than {STUCK:g} seconds"
