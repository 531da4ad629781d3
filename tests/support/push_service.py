"""A fake push service that checks signatures, and a fake browser that decrypts messages."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils


def text(data: bytes) -> str:
    """Return bytes as base64url."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(coded: str) -> bytes:
    """Return the bytes encoded as base64url."""
    return base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4))


class Browser:
    """A browser's push subscription: an address at a push service, and secret keys."""

    def __init__(self, origin: str, name: str = "b") -> None:
        self.endpoint = f"{origin}/{name}"
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    def subscription(self) -> dict[str, Any]:
        """Return what the browser's push manager gives to a page."""
        point = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": text(point), "auth": text(self.auth)}
        return {"endpoint": self.endpoint, "keys": keys, "expirationTime": None}

    def read(self, body: bytes) -> dict[str, str]:
        """Return the content of a message encrypted for this browser (RFC 8291)."""
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth)
        said: dict[str, str] = json.loads(plain)
        return said


class PushService:
    """Received requests, and the answer to them.

    Attributes:
        origin: the service's address.
        came: path, headers and body of each request with a valid signature.
        unsigned: the number of requests without a valid signature.
        answer: the status code for valid requests.
    """

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.unsigned = 0
        self.answer = 201

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Record a request; return the status code of the answer."""
        claims = signed_claims(headers.get("authorization", ""))
        if claims is None or claims["aud"] != self.origin:
            self.unsigned += 1
            return 403
        self.came.append((path, headers | {"x-sub": claims["sub"]}, body))
        return self.answer


def signed_claims(header: str) -> dict[str, Any] | None:
    """Return the claims of a VAPID header (RFC 8292), or None if its signature is invalid."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
    if scheme != "vapid" or not {"t", "k"} <= parts.keys():
        return None
    signed, _, signature = parts["t"].rpartition(".")
    raw = data(signature)
    numbers = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(parts["k"]))
    try:
        key.verify(utils.encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return None
    claims: dict[str, Any] = json.loads(data(signed.split(".")[1]))
    return claims


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service on a free port of the loopback address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = service.take(self.path, headers, body)
            self.send_response(status)
            if status == 307:
                self.send_header("Location", f"{service.origin}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Be quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(server.server_port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
