"""Only the site's own pages can open websockets."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django.fixtures import Settings

from cribbage_site.origin import OwnOriginOnly, is_own, is_secure


@pytest.fixture(autouse=True)
def hosts(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["cribbage.example", "localhost", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://club.example"]


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://cribbage.example", "cribbage.example"),
        ("http://localhost:8000", "localhost:8000"),
        ("http://LOCALHOST:8000", "localhost:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("http://[::1]", "[::1]"),
        ("https://club.example", "cribbage.example"),
    ],
)
def test_pages_of_the_site_may_open_a_socket(origin: str, host: str) -> None:
    assert is_own(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://evil.example", "cribbage.example"),
        ("https://cribbage.example.evil.example", "cribbage.example"),
        ("http://localhost:9000", "localhost:8000"),
        ("https://evil.example", "evil.example"),
        ("null", "cribbage.example"),
        ("", "cribbage.example"),
        ("cribbage.example", "cribbage.example"),
        ("file://", "cribbage.example"),
        ("http://[", "cribbage.example"),
        ("https://cribbage.example", ""),
        ("https://user@cribbage.example", "cribbage.example"),
    ],
)
def test_pages_of_other_sites_may_not_open_a_socket(origin: str, host: str) -> None:
    assert not is_own(origin, host)


def test_a_page_without_https_may_not_open_a_socket_of_a_site_with_it() -> None:
    assert not is_own("http://cribbage.example", "cribbage.example", secure=True)
    assert is_own("https://cribbage.example", "cribbage.example", secure=True)
    assert is_own("https://club.example", "cribbage.example", secure=True)


@pytest.mark.parametrize(
    ("forwarded", "scheme", "cookies", "expected"),
    [
        ("https", "ws", False, True),
        ("http", "ws", False, False),
        ("", "wss", False, True),
        ("", "ws", False, False),
        ("http", "ws", True, True),
    ],
)
def test_a_connection_shows_whether_the_site_has_https(
    settings: Settings, forwarded: str, scheme: str, cookies: bool, expected: bool
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SESSION_COOKIE_SECURE = cookies
    headers = [(b"x-forwarded-proto", forwarded.encode())] if forwarded else []
    assert is_secure({"scheme": scheme, "headers": headers}) is expected
    settings.SECURE_PROXY_SSL_HEADER = None
    trusted = scheme == "wss" or cookies
    assert is_secure({"scheme": scheme, "headers": headers}) is trusted


async def test_a_foreign_page_without_https_is_rejected(settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    for scheme, expected in (("http", False), ("https", True)):
        origin = f"{scheme}://cribbage.example".encode()
        headers = [(b"origin", origin), (b"host", b"cribbage.example")]
        socket = WebsocketCommunicator(OwnOriginOnly(accepting), "/", headers=headers)
        connected, _code = await socket.connect()
        assert connected is expected


async def accepting(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([(b"origin", b"http://localhost"), (b"host", b"localhost")], True),
        ([(b"origin", b"https://evil.example"), (b"host", b"localhost")], False),
        ([(b"host", b"localhost")], False),
        ([(b"origin", b"http://localhost")], False),
        (
            [
                (b"origin", b"http://localhost"),
                (b"origin", b"https://evil.example"),
                (b"host", b"localhost"),
            ],
            False,
        ),
        ([(b"origin", b"http://localhost\xff"), (b"host", b"localhost")], False),
    ],
)
async def test_a_foreign_origin_is_rejected_before_any_consumer(
    headers: list[tuple[bytes, bytes]], expected: bool
) -> None:
    socket = WebsocketCommunicator(OwnOriginOnly(accepting), "/", headers=headers)
    connected, _code = await socket.connect()
    assert connected is expected
