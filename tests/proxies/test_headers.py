"""Forged headers and inner addresses: what a client says about itself is not believed."""

from __future__ import annotations

import asyncio
import itertools
import time
from http.client import HTTPConnection

import pytest
from websockets.exceptions import InvalidStatus

from cribbage_site.health import PROBES
from tests.support.data_servers import HOST
from tests.support.proxied_site import Behind, SecureClient, Visitor
from tests.support.proxies import NAME, Proxy
from tests.support.tables import wish

GUESTS = 3
EXTRA = {"GUESTS_PER_HOUR": str(GUESTS)}

FORM = {"players": "2", "target": "121", "games": "1"}

# Loopback addresses that only this file's visitors have, since guests are counted by address.
ADDRESSES = {"nginx": "127.0.3.{}", "caddy": "127.0.4.{}"}
HOUR_S = 3600


def forged(number: int) -> dict[str, str]:
    """Return headers by which a client claims another address."""
    address = f"203.0.113.{number}"
    return {
        "X-Forwarded-For": address,
        "X_Forwarded_For": address,
        "X-Real-IP": address,
        "Forwarded": f"for={address};proto=http",
        "Via": "1.1 elsewhere",
    }


@pytest.mark.parametrize("name", list(ADDRESSES))
def test_a_visitor_is_known_by_the_real_address(behind: Behind, name: str) -> None:
    """Guests are counted by address: claiming others gains none, and costs others none."""
    proxy = behind.proxies[name]
    addresses = map(ADDRESSES[name].format, itertools.count(1))
    begun, statuses = -1.0, []
    while time.time() // HOUR_S != begun:  # the site counts from one whole hour to the next
        begun, one = time.time() // HOUR_S, next(addresses)
        statuses = [
            Visitor(behind, proxy, address=one).post("/play/", FORM, forged(number)).status
            for number in range(GUESTS + 1)
        ]
    assert statuses == [302] * GUESTS + [429]
    assert Visitor(behind, proxy, address=next(addresses)).post("/play/", FORM).status == 302


def test_the_redirect_to_tls_leads_to_the_site_alone(behind: Behind, proxy: Proxy) -> None:
    line = HTTPConnection(HOST, proxy.http_port, timeout=60)
    line.request("GET", "/rules/?a=b", headers={"Host": "elsewhere.example"})
    answer = line.getresponse()
    line.close()
    assert answer.status in {301, 308}
    assert answer.getheader("Location") == f"https://{NAME}/rules/?a=b"


def test_a_visitor_cannot_claim_to_come_without_or_with_tls(behind: Behind, proxy: Proxy) -> None:
    over_tls = Visitor(behind, proxy).get("/rules/", {"X-Forwarded-Proto": "http"})
    assert over_tls.status == 200, "a redirect to HTTPS would mean that it was believed"
    line = HTTPConnection(HOST, proxy.http_port, timeout=60)
    line.request("GET", "/rules/?a=b", headers={"Host": NAME, "X-Forwarded-Proto": "https"})
    answer = line.getresponse()
    assert answer.status in {301, 308}
    assert str(answer.headers["Location"]).startswith(f"https://{NAME}")
    assert str(answer.headers["Location"]).endswith("/rules/?a=b")
    line.close()


def test_another_host_name_is_refused(behind: Behind, proxy: Proxy) -> None:
    for headers in ({"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example"}):
        answer = Visitor(behind, proxy).get("/accounts/password/reset/", headers)
        assert "evil" not in answer.text
        # Caddy knows no such site, and answers with nothing.
        assert answer.status == 400 or not answer.text or "Host" not in headers


@pytest.mark.parametrize("path", PROBES)
def test_inner_addresses_are_hidden(behind: Behind, proxy: Proxy, path: str) -> None:
    visitor = Visitor(behind, proxy)
    ways = (path, f"{path}?a", f"/{path}", f"/rules/..{path}", f"/%{ord(path[1]):x}{path[2:]}")
    assert [visitor.get(way).status for way in ways] == [404] * len(ways)
    assert visitor.get("/_probe").status == 404


def test_a_page_of_another_site_opens_no_socket(behind: Behind, proxy: Proxy) -> None:
    (table,) = behind.make_tables(wish())
    person = SecureClient(behind, proxy, table.match, table.cookies[0])
    person.origin = "https://evil.example"
    with pytest.raises(InvalidStatus) as refusal:
        asyncio.run(person.connect())
    assert refusal.value.response.status_code == 403


def test_the_answers_have_the_sites_security_headers(behind: Behind, proxy: Proxy) -> None:
    headers = Visitor(behind, proxy).get("/").headers
    # For this host alone: subdomains and preloading are asked for by a setting.
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert "camera=()" in headers["permissions-policy"]
    assert "default-src 'self'" in headers["content-security-policy"]
