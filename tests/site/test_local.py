"""A local site answers to this machine's own names, and to no others."""

import pytest

from cribbage_site import local


def test_alone_it_answers_to_itself() -> None:
    assert local.allowed_hosts("127.0.0.1") == ["localhost", "127.0.0.1", "[::1]"]


def test_on_the_network_it_answers_to_its_address_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "network_address", lambda: "192.0.2.10")
    monkeypatch.setattr(local.socket, "gethostname", lambda: "Parlour")
    hosts = local.allowed_hosts("0.0.0.0")
    assert {"localhost", "192.0.2.10", "parlour", "parlour.local"} <= set(hosts)
    assert "*" not in hosts


def test_without_a_network_it_still_answers_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "network_address", lambda: None)
    assert "localhost" in local.allowed_hosts("0.0.0.0")
    assert "" not in local.allowed_hosts("0.0.0.0")


def test_one_address_is_enough() -> None:
    assert local.allowed_hosts("192.0.2.7")[-1] == "192.0.2.7"
