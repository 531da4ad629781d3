"""The site behind nginx and Caddy, each started from its file in deploy/.

Two processes of a public site, one under Daphne and one under uvicorn, on PostgreSQL and Redis; in
front of them both proxies, with a certificate made for the test. Caddy gets its file as is; nginx
has no variables in its file, so names, ports and paths are replaced there (`Nginx.replaced`).
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import os
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import pytest

from scripts import proxies as programs
from tests.support.clients import Client
from tests.support.data_servers import HOST, Redis, Server, free_port
from tests.support.servers import PRODUCTION, ROOT, Site
from tests.support.tables import Table, make_tables
from tests.support.waiting import DEADLINE, wait_for

DEPLOY = ROOT / "deploy"
NAME = "localhost"

PUBLIC = {
    **PRODUCTION,
    "BEHIND_PROXY": "1",
    "COMPUTER_PAUSE_MS": "0",
    "SOCKET_RATE": "1000",
}
"""Settings of a public site, whose computers and clients play without a pause."""

SERVERS = ("daphne", "uvicorn")


def program(name: str) -> str:
    """Return the path of a program; without it fail in CI, and skip the test elsewhere."""
    path = programs.find(name)
    if path is None and os.environ.get("CI"):
        pytest.fail(f"{name} is not here: python -m scripts.proxies")
    if path is None:
        pytest.skip(f"{name} is not here: python -m scripts.proxies")
    return path


def compiler() -> None:
    """Do what `program` does for all that compiles a module for Python."""
    program("g++")
    if not programs.has_headers():
        absent = pytest.fail if os.environ.get("CI") else pytest.skip
        absent("Python's headers are not here: python -m scripts.proxies")


@dataclass(frozen=True)
class Certificate:
    """The files of a certificate for localhost and its key."""

    certificate: Path
    key: Path

    @property
    def trusted(self) -> ssl.SSLContext:
        """Return what a client needs that trusts this certificate and no other."""
        return ssl.create_default_context(cafile=self.certificate)


def make_certificate(folder: Path) -> Certificate:
    """Make a certificate that is signed with its own key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    today = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(NAME), x509.IPAddress(ipaddress.ip_address(HOST))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = Certificate(folder / "site.crt", folder / "site.key")
    files.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


class Proxy(Server):
    """A proxy; `port` is that of HTTPS."""

    def __init__(self, folder: Path, certificate: Certificate, processes: list[str]) -> None:
        super().__init__(folder)
        self.http_port = free_port()
        self.certificate = certificate
        self.processes = processes

    @property
    def url(self) -> str:
        """Return the address of the pages, without a trailing slash."""
        return f"https://{NAME}:{self.port}"

    @property
    def socket_url(self) -> str:
        """Return the same for websockets."""
        return f"wss://{NAME}:{self.port}"

    def kill(self) -> None:
        # nginx consists of several processes.
        if self.is_running():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, 9)
        super().kill()


class Nginx(Proxy):
    """nginx from deploy/nginx.conf."""

    def command(self) -> list[str]:
        return [program("nginx"), "-p", str(self.folder), "-c", str(self.write()), "-e", "stderr"]

    def write(self) -> Path:
        """Write the site's file, with replacements, and a main file that includes it."""
        text = (DEPLOY / "nginx.conf").read_text()
        for old, new in self.replaced().items():
            assert old in text, old
            text = text.replace(old, new)
        (self.folder / "site.conf").write_text(text)
        folders = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = " ".join(f"{name}_temp_path {self.folder}/{name};" for name in folders)
        main = self.folder / "nginx.conf"
        main.write_text(
            "daemon off; worker_processes 2; error_log stderr;\n"
            f"{'user root;' if os.geteuid() == 0 else ''} pid {self.folder}/nginx.pid;\n"
            "events { worker_connections 4096; }\n"
            f"http {{ access_log off; {temporary} include {self.folder}/site.conf; }}\n"
        )
        return main

    def replaced(self) -> Mapping[str, str]:
        """Return what is replaced in the file, and by what."""
        first, second = self.processes
        live = "/etc/letsencrypt/live/cribbage.example"
        return {
            "127.0.0.1:8001": first,
            "127.0.0.1:8002": second,
            "listen 80;": f"listen {HOST}:{self.http_port};",
            "listen 443 ": f"listen {HOST}:{self.port} ",
            f"{live}/fullchain.pem": str(self.certificate.certificate),
            f"{live}/privkey.pem": str(self.certificate.key),
            "cribbage.example": NAME,
        }


class Caddy(Proxy):
    """Caddy from deploy/Caddyfile; `variables` are further environment variables.

    Requests wait as long as any test does: five seconds would be a claim about speed.
    """

    variables: Mapping[str, str] = {"PATIENCE": f"{DEADLINE:.0f}s"}

    def command(self) -> list[str]:
        file = str(DEPLOY / "Caddyfile")
        return [program("caddy"), "run", "--config", file, "--adapter", "caddyfile"]

    def environment(self) -> Mapping[str, str]:
        return {
            **os.environ,
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
            "ADMIN": "off",
            "SITE": NAME,
            "LISTEN": HOST,
            "HTTP_PORT": str(self.http_port),
            "HTTPS_PORT": str(self.port),
            "PROCESSES": " ".join(self.processes),
            "TLS": f"tls {self.certificate.certificate} {self.certificate.key}",
            **self.variables,
        }


PROXIES: Mapping[str, type[Proxy]] = {"nginx": Nginx, "caddy": Caddy}


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
