"""Settings from the environment: what is allowed, and what is said about the rest."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from cribbage_site import env

NAME = "CRIBBAGE_TEST_NUMBER"


@pytest.mark.parametrize(("value", "found"), [("", 5), ("1", 1), (" 10 ", 10)])
def test_a_number_within_its_limits(
    value: str, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, value)
    assert env.number(NAME, 5, within=(1, 10)) == found


@pytest.mark.parametrize("value", ["0", "11", "-3", "40000"])
def test_a_number_beyond_its_limits_is_refused_with_them(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}='{value}': set 1 to 10"):
        env.number(NAME, 5, within=(1, 10))


def test_a_ranked_clock_that_the_database_cannot_store_is_refused_at_the_start() -> None:
    called = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env={**os.environ, "RANKED_CLOCK_SECONDS": "40000"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert called.returncode != 0
    assert "RANKED_CLOCK_SECONDS='40000': set 1 to 3600." in called.stderr
