"""Kernels are warmed up in the background, once, and never when that is switched off."""

import subprocess
import sys
import threading
from typing import Any

import pytest
from django.test import override_settings

from games.analysis.kernels import built
from games.bots import levels, warmup
from games.live import jit_warmup
from tests.support.waiting import DEADLINE


@pytest.fixture(autouse=True)
def _not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit_warmup, "_started", threading.Event())
    monkeypatch.setattr(jit_warmup, "_ready", set())


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Record the commands run; each fails as on a machine without free memory."""
    commands: list[list[str]] = []

    def refuse(command: list[str], **_: Any) -> None:
        commands.append(command)
        raise OSError("no memory")

    monkeypatch.setattr(subprocess, "run", refuse)
    return commands


def _start(times: int) -> None:
    """Start the warm-up several times, and wait for every thread that it began."""
    before = set(threading.enumerate())
    for _ in range(times):
        jit_warmup.start()
    for thread in set(threading.enumerate()) - before:
        thread.join(DEADLINE)
        assert not thread.is_alive()


@override_settings(COMPUTERS_WARM=True)
def test_a_process_warms_up_once_and_survives_a_failure(
    ran: list[list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    _start(2)
    assert ran == [[sys.executable, "-m", "games.bots.warmup", "10"]]
    assert caplog.messages == ["the computers could not be compiled in advance"]


@override_settings(COMPUTERS_WARM=True)
def test_without_numba_nothing_is_compiled(
    ran: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    warmed: list[bool] = []
    monkeypatch.setattr(built, "HAS_NUMBA", False)
    monkeypatch.setattr(warmup, "warm_up", lambda: warmed.append(True))
    _start(1)
    assert (ran, warmed) == ([], [True])
    assert not jit_warmup.is_preparing("ada")


@override_settings(COMPUTERS_WARM=True)
def test_computers_that_cannot_play_are_an_error_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> None:
        raise built.NotBuilt("build the kernels")

    monkeypatch.setattr(built, "HAS_NUMBA", False)
    monkeypatch.setattr(warmup, "warm_up", refuse)
    _start(1)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "build the kernels" in caplog.text
    assert jit_warmup.is_preparing("ada")


@override_settings(COMPUTERS_WARM=False)
def test_nothing_is_warmed_up_when_switched_off(ran: list[list[str]]) -> None:
    _start(2)
    assert ran == []


def test_only_compiled_computers_prepare_and_only_until_the_strongest_has_moved() -> None:
    preparing = [level.name for level in levels() if jit_warmup.is_preparing(level.name)]
    assert preparing == ["grace", "ada"]
    jit_warmup.moved("grace")
    assert jit_warmup.is_preparing("ada") and not jit_warmup.is_preparing("grace")
    jit_warmup.moved("ada")
    assert not any(jit_warmup.is_preparing(level.name) for level in levels())
