"""The computers are made ready in the background, once, and never where it is switched off."""

import subprocess
import sys
import threading
from typing import Any

import pytest
from django.test import override_settings

from games import warming


@pytest.fixture(autouse=True)
def _not_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_started", threading.Event())


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the commands that were run, each refused as on a machine that is out of memory."""
    commands: list[list[str]] = []

    def refuse(command: list[str], **_: Any) -> None:
        commands.append(command)
        raise OSError("no memory")

    monkeypatch.setattr(subprocess, "run", refuse)
    return commands


def _wait() -> None:
    for thread in threading.enumerate():
        if thread.name == "warming":
            thread.join(10)


@override_settings(COMPUTERS_WARM=True)
def test_a_process_gets_ready_once_and_a_refusal_harms_nobody(ran: list[list[str]]) -> None:
    warming.start()
    warming.start()
    _wait()
    assert ran == [[sys.executable, "-m", "games.bots.warm", "10"]]


@override_settings(COMPUTERS_WARM=False)
def test_switched_off_it_does_nothing(ran: list[list[str]]) -> None:
    warming.start()
    _wait()
    assert ran == []
