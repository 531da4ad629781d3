"""Private library interfaces used by the site exist in the pinned versions."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
import tomllib
import warnings
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import pytest
import redis.asyncio
import uvicorn
from autobahn.websocket import protocol as autobahn_protocol
from daphne import server as daphne_server
from daphne.ws_protocol import WebSocketProtocol
from django.contrib.sessions.backends.db import SessionStore as SessionBase
from django.db.backends.postgresql.base import DatabaseWrapper as PostgresWrapper
from django_tasks_db.models import DBTaskResult
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from cribbage_site.draining import uvicorn_stopper
from games.sockets import transport_limits
from tests.support.servers import ROOT

PINNED = {
    "daphne": "4.2.3",
    "django-tasks-db": "0.13.0",
    "numba": "0.68.1",
    "redis": "8.1.0",
    "uvicorn": "0.54.0",
}

CHANGED = "{} has changed an interface that the site uses: look at {} before pinning a new version"


@pytest.mark.parametrize(("library", "pinned"), PINNED.items())
def test_a_library_with_a_private_interface_is_pinned_and_installed(
    library: str, pinned: str
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    wanted = [*project["project"]["dependencies"], *groups["numba"], *groups["dev"]]
    names = {re.split(r"[\[<>=~]", each)[0]: each for each in wanted if isinstance(each, str)}
    assert names[library].endswith(f"=={pinned}"), f"pin {library}=={pinned} in pyproject.toml"
    assert version(library) == pinned, f"{library} {version(library)} is not {pinned}: make lock"


def test_a_redis_connection_exposes_its_reader_and_writer() -> None:
    connection: Any = redis.asyncio.Connection()
    assert hasattr(connection, "_reader"), CHANGED.format("redis", "games.cluster.bus.Bus._listen")
    assert hasattr(connection, "_writer"), CHANGED.format("redis", "games.cluster.bus._cut")


def test_djangos_pools_are_kept_by_alias() -> None:
    pools = getattr(PostgresWrapper, "_connection_pools", None)
    assert isinstance(pools, dict), CHANGED.format("django", "games.ops.availability._close_pool")


def test_django_reads_sessions_and_makes_objects_where_prepared_queries_come_in() -> None:
    """`tests/models/test_prepared.py` compares what they return with Django's own."""
    assert "_get_session_from_db" in inspect.getsource(SessionBase.load), CHANGED.format(
        "django", "cribbage_site.session_store"
    )
    changed = CHANGED.format("django", "games.models.prepared")
    query: Any = importlib.import_module("django.db.models.query")
    assert "_prefetched_objects_cache" in inspect.getsource(query.prefetch_one_level), changed
    made = inspect.getsource(query.ModelIterable.__iter__)
    assert "get_related_populators(klass_info, select, db)" in made, changed


def test_a_job_has_the_columns_that_the_queue_writes() -> None:
    """`games.jobs` settles rows itself: the library's worker loses the jobs of killed ones."""
    columns = {field.name for field in DBTaskResult._meta.fields}
    used = {
        "args_kwargs", "backend_name", "enqueued_at", "exception_class_path", "finished_at", "id",
        "priority", "queue_name", "run_after", "started_at", "status", "task_path", "traceback",
        "worker_ids",
    }  # fmt: skip
    assert used <= columns, CHANGED.format("django-tasks-db", "games.jobs.queue")


class Protocol:
    """The part of a protocol that `games.sockets.transport_limits` needs."""

    transport = object()


def test_numbas_compiler_ahead_of_time_takes_its_flags_where_they_are_replaced() -> None:
    """`tests/analysis/test_built.py` holds that the GIL is released by what it makes."""
    changed = CHANGED.format("numba", "scripts/kernels.py")
    with warnings.catch_warnings(action="ignore"):  # its deprecation is pending
        pycc_compiler: Any = importlib.import_module("numba.pycc.compiler")
    source = inspect.getsource(pycc_compiler.ModuleCompiler._cull_exports)
    assert "flags = Flags()" in source, changed
    assert hasattr(pycc_compiler.Flags, "release_gil"), changed


def test_daphne_binds_its_send_to_the_protocol() -> None:
    """A protocol has a transport, and receives data through `dataReceived`."""
    protocol = Protocol()
    sends: list[Any] = []

    async def application(**given: Any) -> None:
        sends.append(given["send"])

    async def session() -> None:
        server = daphne_server.Server(application=application, endpoints=["tcp:0"])
        server.connections = {protocol: {}}
        server.create_application(protocol, {})
        await server.connections[protocol]["application_instance"]

    asyncio.run(session())
    changed = CHANGED.format("daphne", "games.sockets.transport_limits")
    assert transport_limits._protocol(sends[0]) is protocol, changed
    assert transport_limits._transport(sends[0]) is protocol.transport, changed
    assert hasattr(WebSocketProtocol, "dataReceived"), changed
    assert hasattr(daphne_server, "twisted_loop"), CHANGED.format(
        "daphne", "cribbage_site.starting"
    )
    assert hasattr(daphne_server, "reactor"), CHANGED.format("daphne", "cribbage_site.draining")


def test_uvicorn_passes_a_protocol_method_as_send() -> None:
    changed = CHANGED.format("uvicorn", "games.sockets.transport_limits")
    assert AutoWebSocketsProtocol is not None, changed
    kind: Any = AutoWebSocketsProtocol
    protocol = kind.__new__(kind)
    send = getattr(protocol, "asgi_send", None) or getattr(protocol, "send", None)
    assert transport_limits._protocol(send) is protocol, changed
    assert hasattr(protocol, "data_received"), changed


def test_the_servers_let_the_site_come_between_transport_and_protocol() -> None:
    """Daphne's factory builds Twisted's protocol, and uvicorn finds its own in the settings."""
    changed = CHANGED.format("{}", "cribbage_site.arrivals")
    protocol = daphne_server.HTTPFactory(SimpleNamespace(verbosity=0)).buildProtocol(None)
    assert hasattr(protocol, "_channel"), changed.format("twisted")
    assert hasattr(protocol, "dataReceived"), changed.format("twisted")
    assert hasattr(autobahn_protocol, "pformat"), changed.format("autobahn")
    source = inspect.getsource(uvicorn.Server.startup)
    assert "config.http_protocol_class(" in source, changed.format("uvicorn")


def test_uvicorn_handles_signals_by_a_method_of_its_server() -> None:
    """It has the server's signals while the application starts, and keeps its listeners."""
    changed = CHANGED.format("uvicorn", "cribbage_site.draining.uvicorn_stopper")
    server = uvicorn.Server(uvicorn.Config("no:application"))
    closed: list[str] = []
    server.servers = [SimpleNamespace(close=lambda: closed.append("one"))]  # type: ignore[list-item]
    with server.capture_signals():
        stop = uvicorn_stopper()
    stop()
    assert closed == ["one"], changed
