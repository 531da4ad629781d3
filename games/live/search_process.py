"""The search process: the strongest computers decide beside the sockets' interpreter.

A process of the site starts it where COMPUTER_PROCESS is set, at a low priority. It imports neither
Django nor the settings, and gets views by its input. While it starts, after it has ended, and when
it cannot tell, decisions are made in threads of the site's process instead, so no game waits for
it. It ends once its input is closed, as it is when the site's process ends in any way.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE
from collections import deque
from dataclasses import replace

from games.engine.cards import Card
from games.engine.view import View
from games.live import jit_warmup
from games.live.searching import READY
from games.ops import daemons

NAME = "search"
"""The name of the search process among the daemons."""

NICENESS = 5
"""Below the site's process, but above its worker: people wait for these decisions, not for jobs."""

AT_ONCE = 2
"""Decisions that the process is given at once, so that it need not wait for the next one."""

HANGS_AFTER = 10.0
"""Seconds without an answer after which the process is killed; a decision takes 0.1 at most."""

LOOK_EVERY = 1.0
"""Seconds between two looks whether kernels are being compiled, which need not happen twice."""


class SearchProcess:
    """The search process of this process of the site.

    Attributes:
        process: the process, while it takes decisions.
    """

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._asked: deque[asyncio.Future[tuple[Card, ...]]] = deque()

    async def choose(self, level: str, view: View) -> tuple[Card, ...]:
        """Return the cards that a computer would discard or play; none if it cannot tell."""
        async with self._turns:
            if self.process is None or self.process.stdin is None:
                return ()
            if self.process.stdin.is_closing():
                _kill(self.process)
                return ()
            question = pickle.dumps((level, _needed(view)), pickle.HIGHEST_PROTOCOL)
            answer: asyncio.Future[tuple[Card, ...]] = asyncio.get_running_loop().create_future()
            self._asked.append(answer)
            self.process.stdin.write(question)
            try:
                async with asyncio.timeout(HANGS_AFTER):
                    return await answer
            except TimeoutError:
                _kill(self.process)
                return ()

    async def run(self) -> None:
        """Keep the process running until cancelled."""
        daemon = daemons.Daemon(NAME)
        try:
            while True:
                while jit_warmup.is_running():  # noqa: ASYNC110 - a thread warms up
                    await asyncio.sleep(LOOK_EVERY)
                try:
                    await self._serve(daemon)
                except (OSError, EOFError):
                    wait = daemon.failed()
                await asyncio.sleep(wait)
        finally:
            daemon.stop()

    async def _serve(self, daemon: daemons.Daemon) -> None:
        """Start the process, and pass its answers on.

        Raises:
            OSError: if it cannot be started, takes too long to load, or says what it should not.
            EOFError: once it has ended.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "games.live.searching", str(NICENESS),
            cwd=jit_warmup.ROOT, stdin=PIPE, stdout=PIPE, start_new_session=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            async with asyncio.timeout(jit_warmup.COMPILE_SECONDS):
                said = await process.stdout.readexactly(1)
            if said != READY:
                raise OSError(f"the search process began with {said!r}")
            daemon.worked()
            self.process = process
            while True:
                (number,) = await process.stdout.readexactly(1)
                cards = tuple(await process.stdout.readexactly(number))
                if not self._asked:
                    raise OSError("the search process gave an answer that was not asked for")
                answer = self._asked.popleft()
                if not answer.done():
                    answer.set_result(cards)
        finally:
            self.process = None
            for answer in self._asked:
                if not answer.done():
                    answer.set_result(())
            self._asked.clear()
            _kill(process)
            await _ended(process)


def _kill(process: asyncio.subprocess.Process | None) -> None:
    """Kill a process, unless its end is known.

    Its own method would first look whether it has ended, and so might take its exit status, which
    asyncio is waiting for in a thread, and misses with a warning.
    """
    with contextlib.suppress(ProcessLookupError):
        if process is not None and process.returncode is None:
            os.kill(process.pid, signal.SIGKILL)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait for the end of a killed process, also when cancelled: its pipes are closed only then."""
    ending = asyncio.ensure_future(process.wait())
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        await ending
        raise


def _needed(view: View) -> View:
    """Return a view without what computers do not read: pickling it costs a third then.

    With three seats they judge the opponents by the hands before this one.
    """
    return replace(view, history=()) if view.ruleset.players == 2 else view
