"""A search process that says what it should not is killed and replaced; no answer is shifted."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import uvloop

from games.engine.view import View, view_for
from games.live import computers, search_process, searching
from games.live.search_process import SearchProcess
from games.ops import metrics
from tests.support.positions import TWO as RULESET
from tests.support.positions import random_match
from tests.support.servers import ROOT
from tests.support.waiting import DEADLINE, wait_until

ADA = computers.SEARCHING

PRINTING = """
from games.live import computers, searching

def load():
    print("a library has something to say")

def choose(level, view):
    print("and again", flush=True)
    return (5,)

searching.load_players = load
computers.choose = choose
searching.main()
"""
"""A search process in which a library prints."""

SAYING = """
import os, sys, time
os.write(1, {said!r})
os.close(0)
while True:
    time.sleep(60)
"""
"""A process that says something, and reads nothing."""

Said = Callable[[bytes], list[asyncio.subprocess.Process]]


@pytest.fixture
def saying(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Return a function that makes search processes say something; it returns a list of them."""
    start = asyncio.create_subprocess_exec

    def replace(said: bytes) -> list[asyncio.subprocess.Process]:
        started: list[asyncio.subprocess.Process] = []

        async def instead(*_args: str, **more: Any) -> asyncio.subprocess.Process:
            code = SAYING.format(said=said)
            started.append(await start(sys.executable, "-c", code, **more))
            return started[-1]

        monkeypatch.setattr(asyncio, "create_subprocess_exec", instead)
        return started

    return replace


def a_view() -> View:
    """Return what the first player to decide in a match sees."""
    return view_for(next(random_match(RULESET, 1)).state, 0)


async def stopped(task: asyncio.Task[None]) -> None:
    """Cancel what keeps a search process running; it must not have ended before."""
    assert not task.done()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_what_a_library_prints_does_not_shift_the_answers() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PRINTING, "0"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(pickle.dumps((ADA, a_view())) * 2)
        process.stdin.flush()
        assert process.stdout.read(5) == searching.READY + b"\1\5\1\5"
        assert process.stderr.readline() == b"a library has something to say\n"
        process.stdin.close()
        assert process.wait(DEADLINE) == 0


@pytest.mark.parametrize("said", [b"a line", searching.READY + b"\1\5"])
def test_a_process_that_says_what_it_should_not_is_replaced(
    saying: Said, said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def session() -> None:
        started, failures = saying(said), metrics.DAEMON_FAILURES["search"]
        process = SearchProcess()
        task = asyncio.create_task(process.run())
        await wait_until(lambda: len(started) == 2)
        assert started[0].returncode is not None
        assert metrics.DAEMON_FAILURES["search"] > failures
        await stopped(task)

    asyncio.run(session())
    assert "the search process" in caplog.text


def test_the_end_of_a_process_is_awaited_by_who_is_cancelled_meanwhile(
    saying: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise its pipes would stay open as the event loop ends."""
    kill, killed = search_process._kill, asyncio.Event()

    def kill_later(process: asyncio.subprocess.Process | None) -> None:
        killed.set()
        asyncio.get_running_loop().call_later(0.1, kill, process)

    async def session() -> None:
        started = saying(b"a line")
        monkeypatch.setattr(search_process, "_kill", kill_later)
        task = asyncio.create_task(SearchProcess().run())
        await killed.wait()
        await stopped(task)
        assert started[0].returncode is not None

    asyncio.run(session())


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_process_whose_input_is_closed_is_replaced(
    saying: Said, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    """When something is written there, uvloop raises an error; asyncio waits for an answer."""

    async def session() -> None:
        started = saying(searching.READY)
        process = SearchProcess()
        task = asyncio.create_task(process.run())
        await wait_until(lambda: process.process is not None)
        first = process.process
        assert first is not None and first.stdin is not None
        first.stdin.close()
        await first.stdin.wait_closed()
        assert await process.choose(ADA, a_view()) == ()
        await wait_until(lambda: len(started) == 2)
        assert first.returncode is not None
        await stopped(task)

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(session())


def test_an_answer_that_no_byte_holds_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "choose", lambda _level, _view: (None,))
    assert searching.answer(ADA, a_view()) == b"\0"
