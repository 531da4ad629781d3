"""A thread that does whatever is pending at once, for callers on event loops.

While one batch is at the database the next one gathers by itself: the busier, the larger the
batches, and nobody waits for a batch to fill.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

from games import meters

logger = logging.getLogger(__name__)

Request = TypeVar("Request")
Answer = TypeVar("Answer")

MAX_BATCH = 500
"""Requests in one batch: 500 entries are 3,000 values of one statement, SQLite allows 32,766."""

PATIENCE = 3.0
"""Seconds for which work is tried again when the database cannot be reached."""

IDLE_SECONDS = 30.0
"""After so long without work the thread closes its connection and ends; the next work starts it."""


class Batcher(ABC, Generic[Request, Answer]):
    """Takes requests on any event loop, answers them in batches from one thread.

    The thread has a database connection of its own and starts with the first request.

    Attributes:
        batches, requests: how many were taken up so far.
        busy_since: when the batch that is being worked on was begun, by `time.monotonic`; None
            while there is none.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._sizes, self._times = meters.of_batches(name)
        self._queue: SimpleQueue[_Pending[Request, Answer] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.batches = 0
        self.requests = 0
        self.busy_since: float | None = None

    @abstractmethod
    def work(self, batch: Sequence[Request]) -> Sequence[Answer]:
        """Do a whole batch, in the thread; return one answer for each request.

        Raises:
            django.db.Error: when the database refuses; each request is then tried alone.
        """

    def submit(self, request: Request) -> asyncio.Future[Answer]:
        """Return a future of the running loop that gets the answer, or the database's refusal."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        with self._lock:
            self._queue.put(_Pending(request, future, loop))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        return future

    def close(self) -> None:
        """Finish what is pending, close the connection, end the thread. It may be used again."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        try:
            while True:
                batch = self._gather()
                if batch is None:
                    return
                if batch:
                    self._measured(batch)
        finally:
            connection.close()

    def _gather(self) -> list[_Pending[Request, Answer]] | None:
        """Wait for work and return all of it (up to MAX_BATCH); None when the thread is to end."""
        try:
            first = self._queue.get(timeout=IDLE_SECONDS)
        except Empty:
            with self._lock:
                if self._queue.empty() and self._thread is threading.current_thread():
                    self._thread = None
                    return None
            return []
        if first is None:
            return None
        batch = [first]
        while len(batch) < MAX_BATCH:
            try:
                item = self._queue.get_nowait()
            except Empty:
                break
            if item is None:
                self._queue.put(None)
                break
            batch.append(item)
        return batch

    @property
    def waiting(self) -> int:
        """About how many requests wait for the batch before them."""
        return self._queue.qsize()

    def _measured(self, batch: list[_Pending[Request, Answer]]) -> None:
        self.busy_since = time.monotonic()
        self._sizes.observe(len(batch))
        try:
            with self._times.time():
                self._answer(batch)
        finally:
            self.busy_since = None

    def _answer(self, batch: list[_Pending[Request, Answer]]) -> None:
        self.batches += 1
        self.requests += len(batch)
        try:
            answers = self._persistently([pending.request for pending in batch])
        except DatabaseError as error:
            bare = without_values(error)
            if len(batch) == 1:
                # The traceback would quote the row.
                logger.error("%s: the database refuses: %s", self._name, bare)  # noqa: TRY400
                self._settle([(batch[0], bare)])
                return
            logger.warning("%s: %d failed together, now alone: %s", self._name, len(batch), bare)
            for pending in batch:
                self._answer([pending])
            return
        except Exception as error:  # the thread must live: everybody's moves go through it
            logger.exception("%s: a batch of %d failed", self._name, len(batch))
            self._settle([(pending, error) for pending in batch])
            return
        self._settle(list(zip(batch, answers, strict=True)))

    def _persistently(self, requests: list[Request]) -> Sequence[Answer]:
        """Do the work; where the connection was lost, again over a new one, for a while."""
        end = time.monotonic() + PATIENCE
        pause = 0.0
        while True:
            try:
                return self.work(requests)
            except (OperationalError, InterfaceError) as error:
                connection.close()
                if time.monotonic() + pause > end:
                    raise
                logger.warning("%s: once more, over a new connection: %s", self._name, error)
            time.sleep(pause)
            pause = min(2 * pause + 0.05, 0.5)

    @staticmethod
    def _settle(
        settled: Sequence[tuple[_Pending[Request, Answer], Answer | Exception]],
    ) -> None:
        """Hand the answers to their loops: one wake-up for each loop."""
        by_loop: dict[asyncio.AbstractEventLoop, list[Callable[[], None]]] = {}
        for pending, answer in settled:
            by_loop.setdefault(pending.loop, []).append(pending.settler(answer))
        for loop, settlers in by_loop.items():
            try:
                loop.call_soon_threadsafe(_all, settlers)
            except RuntimeError:
                logger.info("the loop that asked has ended")


class _Pending(Generic[Request, Answer]):
    """A request, and where its answer goes."""

    __slots__ = ("future", "loop", "request")

    def __init__(
        self, request: Request, future: asyncio.Future[Answer], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.request = request
        self.future = future
        self.loop = loop

    def settler(self, answer: Answer | Exception) -> Callable[[], None]:
        """Return what settles the future, to be called on its loop."""

        def settle() -> None:
            if self.future.done():
                return
            if isinstance(answer, Exception):
                self.future.set_exception(answer)
            else:
                self.future.set_result(answer)

        return settle


def without_values(error: DatabaseError) -> DatabaseError:
    """Return the refusal with its code for a text.

    What a database says of a row that it refuses may quote it, and an entry of the log names cards:
    neither a log line nor who waits for the answer gets to read it.
    """
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return type(error)(f"{type(error).__name__} {code or 'without a code'}")


def _all(settlers: list[Callable[[], None]]) -> None:
    for settle in settlers:
        settle()
