"""Clients that stay at their tables as browsers do, whatever happens to the processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Self

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from tests.support.proxied_site import Behind, SecureClient, Visitor
from tests.support.proxies import Proxy
from tests.support.tables import Table
from tests.support.waiting import wait_until

PING_S, DEAD_S, BACKOFF_S, LONGEST_S = 2.5, 9.0, 0.5, 8.0
"""The times of static/js/net/socket.js."""

PAGE_S = 0.1
"""Seconds between two rounds of a reader."""

MOVE_S = 0.1
"""Seconds between two moves, so that the games last."""


class Resident(SecureClient):
    """One person at a table, who plays or only looks on.

    Attributes:
        arrived: when it had a connection and saw the table over it, each time, by `time.monotonic`.
        left: when such a connection ended.
        moved_at: when its last move was acknowledged.
        refusals: HTTP statuses of refused handshakes.
        doing: what it is doing now, for the message of a test that waits for it in vain.
    """

    def __init__(
        self,
        behind: Behind,
        proxy: Proxy,
        match: str,
        cookie: str,
        *,
        seed: int = 0,
        plays: bool = False,
        patience: float = DEAD_S,
    ) -> None:
        super().__init__(behind, proxy, match, cookie, seed=seed)
        self.plays = plays
        self.patience = patience
        self.failed: Exception | None = None
        self._here = False
        self.arrived: list[float] = []
        self.left: list[float] = []
        self.moved_at = 0.0
        self.refusals: list[int] = []
        self.doing = ""
        self._chance = random.Random(seed)
        self._failures = 0

    @property
    def present(self) -> bool:
        """Whether the table was seen over an open connection, or the match is over.

        Raises what went wrong.
        """
        if self.failed is not None:
            raise self.failed
        return self._here or self.over

    def story(self) -> str:
        """Return what has happened to it, and when."""
        now = time.monotonic()
        arrived, left, moved = (
            ", ".join(f"{now - at:.0f}" for at in times[-3:]) or "never"
            for times in (self.arrived, self.left, [self.moved_at] if self.moved_at else [])
        )
        heard = [json.loads(text)["t"] for text in self.heard[-3:]]
        return (
            f"{self.name} at {self.match} is {self.doing}, at version {self.version}. Seconds ago:"
            f" arrived {arrived}; left {left}; moved {moved}. Refused with {self.refusals[-3:]},"
            f" last heard {heard}, waits for {self._waiting_for}, errors {self.refused[-3:]}"
        )

    async def stay(self) -> None:
        """Connect, and reconnect when the connection ends, until the match is over."""
        try:
            await self._stay()
        except Exception as error:
            self.failed = error

    async def _stay(self) -> None:
        while not self.over:
            wait = BACKOFF_S
            try:
                self.doing = "connecting"
                await self.connect()
                self.doing = "greeting"
                await self._resend()
                await self.hear_view(within=self.patience)
                self._failures = 0
                self._here, self.doing = True, "there"
                self.arrived.append(time.monotonic())
                await self._be_there()
                wait = 0.0
            except InvalidStatus as refusal:
                self.refusals.append(refusal.response.status_code)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                pass
            if self._here:
                self.left.append(time.monotonic())
            self._here, self.doing = False, "pausing"
            wait = min(LONGEST_S, wait * 2**self._failures)
            self._failures += 1
            await asyncio.sleep(wait * self._chance.uniform(0.5, 1))

    async def _be_there(self) -> None:
        """Play or listen until the server says goodbye; an end without one is raised."""
        pinging = asyncio.create_task(self._ping())
        try:
            while not self.over:
                if self.plays:
                    await asyncio.sleep(MOVE_S)
                    await self._offer()
                message = await self.hear(within=self.patience)
                if message["t"] == "ok":
                    self.moved_at = time.monotonic()
                elif message["t"] == "bye":
                    return
        finally:
            pinging.cancel()
            # A browser does not wait for the other side either.
            closing = asyncio.create_task(self.close())
            closing.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _ping(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(PING_S)
                await self.send("ping")


async def until_all(
    groups: Sequence[Sequence[Resident]],
    condition: Callable[[Sequence[Resident]], bool],
    *,
    within: float,
) -> None:
    """Wait until a condition is true of each group; on a timeout fail with the others' stories."""
    try:
        await wait_until(lambda: all(condition(group) for group in groups), within=within)
    except TimeoutError:
        missing = [one.story() for group in groups if not condition(group) for one in group]
        pytest.fail("Waited in vain for:\n" + "\n".join(missing))


def are_there(group: Sequence[Resident]) -> bool:
    """Return whether everybody of a group sees their table."""
    return all(one.present for one in group)


@contextlib.asynccontextmanager
async def at_tables(
    behind: Behind,
    proxy: Proxy,
    tables: Sequence[Table],
    *,
    playing: int,
    patience: float = DEAD_S,
) -> AsyncIterator[list[list[Resident]]]:
    """Seat everybody at these tables, the first `playing` of which are played.

    A player who hears nothing for `patience` seconds reconnects.
    """
    seated = [
        [
            Resident(
                behind,
                proxy,
                table.match,
                cookie,
                seed=2 * at + seat,
                plays=at < playing,
                patience=patience,
            )
            for seat, cookie in enumerate(table.cookies)
        ]
        for at, table in enumerate(tables)
    ]
    staying = [asyncio.create_task(one.stay()) for pair in seated for one in pair]
    try:
        yield seated
    finally:
        # A closing socket may swallow a cancellation.
        while pending := [task for task in staying if not task.done()]:
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=1)


class Reader(threading.Thread):
    """A visitor who opens pages and makes challenges without a pause, and notes the answers.

    A challenge is new each time that this form arrives, since no page's key is sent with it.
    """

    def __init__(self, behind: Behind, proxy: Proxy) -> None:
        super().__init__(daemon=True)
        self.visitor = Visitor(behind, proxy)
        self.pages: list[int] = []
        self.posts: list[int] = []
        self.slowest = 0.0
        self._end = threading.Event()

    def run(self) -> None:
        self._post()
        while not self._end.is_set():
            for path in ("/", "/rules/"):
                self._note(self.pages, lambda path=path: self.visitor.get(path).status)
            self._post()
            self._end.wait(PAGE_S)

    def _post(self) -> None:
        self._note(self.posts, lambda: self.visitor.post("/challenge/make/", {}).status)

    def _note(self, answers: list[int], ask: Callable[[], int]) -> None:
        begun = time.monotonic()
        try:
            answers.append(ask())
        except OSError:
            answers.append(0)
        self.slowest = max(self.slowest, time.monotonic() - begun)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self.join()
