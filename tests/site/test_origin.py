"""Only the site's own pages can open websockets."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django.fixtures import Settings

from cribbage_site.origin import OwnOriginOnly, is_own


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
