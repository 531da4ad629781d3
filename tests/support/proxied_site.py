"""Two processes of a public site behind nginx and Caddy, and clients that connect through these.

One process runs under Daphne and one under uvicorn, on PostgreSQL and Redis; in front of them
stand both proxies.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from tests.support import shared_postgres
from tests.support.clients import Client
from tests.support.data_servers import HOST, Postgres, Redis
from tests.support.proxies import NAME, PROXIES, Certificate, Proxy, make_certificate, program
from tests.support.servers import PRODUCTION, Site
from tests.support.tables import Table, make_tables
from tests.support.waiting import DEADLINE, wait_for

PUBLIC = {
    **PRODUCTION,
    "BEHIND_PROXY": "1",
    "COMPUTER_PAUSE_MS": "0",
    "SOCKET_RATE": "1000",
}
"""Settings of a public site, whose computers and clients play without a pause."""

SERVERS = ("daphne", "uvicorn")

_numbers = itertools.count()


class PublicSite(Site):
    """A process of a public site, which is started when it is ready."""

    def ready(self) -> bool:
        return self.asked("/readyz") == 200

    def send_signal(self, number: int) -> None:
        """Send this process a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def asked(self, path: str) -> int:
        """Return the status of a page of this process, without a proxy; 0 without an answer."""
        line = HTTPConnection(HOST, self.port, timeout=DEADLINE)
        try:
            line.request("GET", path)
            return line.getresponse().status
        except OSError:
            return 0
        finally:
            line.close()

    def metrics(self) -> dict[str, float]:
        """Return this process's metrics by name and labels."""
        line = HTTPConnection(HOST, self.port, timeout=DEADLINE)
        line.request("GET", "/metrics")
        text = line.getresponse().read().decode()
        line.close()
        pairs = (one.rpartition(" ") for one in text.splitlines() if not one.startswith("#"))
        return {name: float(value) for name, _, value in pairs}


@dataclass
class Behind:
    """Two processes and the proxies in front of them."""

    sites: list[PublicSite]
    proxies: dict[str, Proxy]
    certificate: Certificate
    settings: Mapping[str, str]
    tls: ssl.SSLContext = field(init=False)

    def __post_init__(self) -> None:
        self.tls = self.certificate.trusted

    @property
    def database_url(self) -> str:
        """Return the address of the database of both processes."""
        return self.sites[0].database_url

    def revive(self) -> None:
        """Start what an earlier test has stopped, and wait until the proxies use both again."""
        for site in self.sites:
            if not site.is_running():
                site.start()
        for proxy in self.proxies.values():
            visitor = Visitor(self, proxy)
            wait_for(lambda visitor=visitor: visitor.get("/rules/").status == 200)

    def make_tables(self, *wishes: dict[str, object]) -> list[Table]:
        """Create matches in the database, with the sessions of their players."""
        return make_tables(
            self.database_url, *wishes, redis_url=self.sites[0].redis_url, extra=self.settings
        )

    def players(self, proxy: Proxy, table: Table, *, seed: int = 0) -> list[SecureClient]:
        """Return the clients of a table, not connected yet."""
        return [
            SecureClient(self, proxy, table.match, cookie, seed=seed + seat)
            for seat, cookie in enumerate(table.cookies)
        ]


class SecureClient(Client):
    """A client that connects through a proxy."""

    cookie_name = "__Host-session"

    def __init__(
        self, behind: Behind, proxy: Proxy, match: str, cookie: str | None, *, seed: int = 0
    ) -> None:
        super().__init__(proxy.socket_url, match, cookie, seed=seed)
        self.tls = behind.tls


@dataclass(frozen=True)
class Answer:
    """The answer to a request, without following redirects."""

    status: int
    headers: Mapping[str, str]
    text: str

    @classmethod
    def of(cls, answer: HTTPResponse) -> Answer:
        """Read an answer to its end."""
        text = answer.read().decode(errors="replace")
        return cls(answer.status, {n.lower(): v for n, v in answer.getheaders()}, text)


class Visitor:
    """A browser without a window: it keeps cookies, and posts forms as the pages do."""

    def __init__(self, behind: Behind, proxy: Proxy, *, address: str = HOST) -> None:
        self.behind = behind
        self.proxy = proxy
        self.address = address
        self.cookies = SimpleCookie()

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for a page."""
        return self.ask("GET", path, headers=headers)

    def post(
        self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Post a form with the token of the pages, which a page is asked for first if needed."""
        if "__Host-csrf" not in self.cookies:
            self.get("/")
        token = self.cookies["__Host-csrf"].value
        return self.ask(
            "POST",
            path,
            urlencode({**fields, "csrfmiddlewaretoken": token}),
            {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})},
        )

    def ask(
        self,
        method: str,
        path: str,
        body: str | bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request over a new connection."""
        line = HTTPSConnection(
            NAME,
            self.proxy.port,
            timeout=DEADLINE,
            context=self.behind.tls,
            source_address=(self.address, 0),
        )
        sent = "; ".join(f"{name}={one.value}" for name, one in self.cookies.items())
        try:
            # A large body may be refused before it is sent.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                line.request(
                    method,
                    path,
                    body,
                    {"Cookie": sent, "Origin": self.proxy.url, **(headers or {})},
                )
            answer = line.getresponse()
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    self.cookies.load(value)
            return Answer.of(answer)
        finally:
            line.close()

    @property
    def session(self) -> str:
        """Return the session cookie."""
        return str(self.cookies["__Host-session"].value)


@contextlib.contextmanager
def behind_proxies(
    folder: Path, *, database_url: str, static: Path, extra: Mapping[str, str] | None = None
) -> Iterator[Behind]:
    """Run Redis, two processes and both proxies; all of them are killed at the end."""
    settings = {**PUBLIC, "STATIC_ROOT": str(static), **(extra or {})}
    certificate = make_certificate(folder)
    with contextlib.ExitStack() as stack:
        redis = Redis(folder)
        stack.callback(redis.kill)
        redis.start()
        sites: list[PublicSite] = []
        for server in SERVERS:
            site = PublicSite(
                folder,
                database_url=database_url,
                redis_url=redis.url,
                server=server,
                extra=settings,
            )
            stack.callback(site.kill)
            sites.append(site.start())
        found: dict[str, Proxy] = {}
        for name, kind in PROXIES.items():
            place = folder / name
            place.mkdir()
            proxy = kind(place, certificate, [f"{HOST}:{site.port}" for site in sites])
            stack.callback(proxy.kill)
            found[name] = proxy.start()
        yield Behind(sites, found, certificate, settings)


@contextlib.contextmanager
def site_for_file(
    folder: Path, postgres: Postgres, static: Path, extra: Mapping[str, str] | None = None
) -> Iterator[Behind]:
    """Run a public site for a file of tests, on a new copy of the run's migrated database."""
    for name in PROXIES:
        program(name)
    url = postgres.create_database(
        f"behind_{os.getpid()}_{next(_numbers)}", template=shared_postgres.EMPTY
    )
    with behind_proxies(folder, database_url=url, static=static, extra=extra) as running:
        yield running
