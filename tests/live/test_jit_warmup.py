"""Kernels are warmed up in the background, once, and never when that is switched off."""

import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from games.analysis.kernels import built
from games.bots import levels, warmup
from games.live import jit_warmup
from tests.support.waiting import DEADLINE

COMPILING_WITHIN = 600
"""Seconds for a warm-up that compiles everything, on a busy machine."""


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

    monkeypatch.setattr(subprocess, "Popen", refuse)
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
    assert ran == [[sys.executable, "-m", "games.live.compiling", "10"]]
    assert caplog.messages == ["the computers could not be compiled in advance"]


COMPILING = """
import threading, time
from games.live.compiling import end_with_parent
threading.Thread(target=end_with_parent, daemon=True).start()
print("compiling", flush=True)
time.sleep(600)
"""
SITE = """
import sys
from games.live import jit_warmup
sys.executable = sys.argv[1]
jit_warmup._compile()
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_the_compiling_process_ends_with_the_one_that_started_it(
    how: signal.Signals, tmp_path: Path
) -> None:
    command = tmp_path / "python"
    command.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{COMPILING}'\n")
    command.chmod(0o700)
    site = subprocess.Popen(
        [sys.executable, "-c", SITE, str(command)],
        cwd=jit_warmup.ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "cribbage_site.settings"},
        stdout=subprocess.PIPE,
    )
    assert site.stdout is not None
    assert site.stdout.readline() == b"compiling\n"
    site.send_signal(how)
    site.wait(DEADLINE)
    open_still, _, _ = select.select([site.stdout], [], [], DEADLINE)
    assert open_still and site.stdout.read() == b"", "both ends have closed it"
    site.stdout.close()


def test_an_attached_process_ends_well_with_its_input_open() -> None:
    command = [sys.executable, "-m", "games.live.compiling", "10"]
    with subprocess.Popen(command, cwd=jit_warmup.ROOT, stdin=subprocess.PIPE) as process:
        assert process.wait(COMPILING_WITHIN) == 0


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
