"""nginx and Caddy, each started from its file in deploy/, with a certificate made for the test.

Caddy gets its file as is; nginx has no variables in its file, so names, ports and paths are
replaced there (`Nginx.replaced`).
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts import proxies as programs
from tests.support.data_servers import HOST, Server, free_port
from tests.support.servers import ROOT
from tests.support.waiting import DEADLINE

DEPLOY = ROOT / "deploy"
NAME = "localhost"


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
