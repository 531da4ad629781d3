"""HEAD on a real server: headers alone, so that the connection can be used again."""

from __future__ import annotations

import socket

import pytest
from django.test import Client

from tests.support.data_servers import HOST
from tests.support.servers import StartSite
from tests.support.waiting import DEADLINE

ASKED = (
    "HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    "GET /nothing/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
)


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_the_next_answer_follows_the_headers_at_once(start_site: StartSite, server: str) -> None:
    site = start_site(server=server)
    for path in ("/rules/", "/healthz", "/static/css/site.css"):
        with socket.create_connection((HOST, site.port), timeout=DEADLINE) as line:
            line.sendall(ASKED.format(path=path).encode())
            heard = b"".join(iter(lambda: line.recv(65536), b""))
        head, _, rest = heard.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), (path, head)
        assert rest.startswith(b"HTTP/1.1 404"), (path, rest[:200])


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/rules/", "/lobby/", "/accounts/login/"])
def test_the_length_is_that_of_the_page_which_get_returns(client: Client, path: str) -> None:
    page = client.get(path)
    assert client.head(path).headers["Content-Length"] == page.headers["Content-Length"]
