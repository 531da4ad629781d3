"""Settings from the environment: booleans."""

from __future__ import annotations

import pytest

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
