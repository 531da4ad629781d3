"""A local site answers only to this machine's own host names."""

import pytest

from cribbage_site import local


def test_a_loopback_site_allows_loopback_names() -> None:
    assert local.allowed_hosts("127.0.0.1") == ["localhost", "127.0.0.1", "[::1]"]


def test_a_network_site_allows_its_network_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "network_address", lambda: "192.0.2.10")
    monkeypatch.setattr("cribbage_site.local.socket.gethostname", lambda: "Parlour")
    hosts = local.allowed_hosts("0.0.0.0")
    assert {"localhost", "192.0.2.10", "parlour", "parlour.local"} <= set(hosts)
    assert "*" not in hosts


def test_without_a_network_localhost_is_still_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "network_address", lambda: None)
    assert "localhost" in local.allowed_hosts("0.0.0.0")
    assert "" not in local.allowed_hosts("0.0.0.0")


def test_a_single_bind_address_is_allowed() -> None:
    assert local.allowed_hosts("192.0.2.7")[-1] == "192.0.2.7"
