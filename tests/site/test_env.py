"""Settings from the environment: booleans, a site's own key, and the options of connections."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured

from cribbage_site import env


@pytest.mark.parametrize("default", [True, False])
@pytest.mark.parametrize(
    ("value", "found"),
    [("1", True), ("Yes", True), ("0", False), (" off ", False), ("", None), (" ", None)],
)
def test_an_empty_boolean_counts_as_unset(
    monkeypatch: pytest.MonkeyPatch, value: str, found: bool | None, default: bool
) -> None:
    monkeypatch.setenv("SSL_REDIRECT", value)
    assert env.flag("SSL_REDIRECT", default=default) == (default if found is None else found)


def test_the_key_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret_key"
    key = env.secret_key_file(path)
    assert len(key) > 50
    assert env.secret_key_file(path) == key
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_that_cannot_be_kept_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=r"secret_key.*Set SECRET_KEY"):
        env.secret_key_file(tmp_path / "file" / "secret_key")


def test_a_half_open_connection_to_postgresql_ends_within_seconds(
    postgres_url: str, tmp_path: Path
) -> None:
    """Only a network that drops packets shows the effect; here the system is asked."""
    found = env.database(postgres_url, base=tmp_path, pool_size=0)
    options = (socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE, socket.TCP_KEEPCNT)
    with (
        psycopg.connect(postgres_url, **found["OPTIONS"]) as opened,
        socket.socket(fileno=os.dup(opened.fileno())) as wire,
    ):
        tcp = [wire.getsockopt(socket.IPPROTO_TCP, option) for option in options]
    assert tcp == [10_000, 5, 3]
