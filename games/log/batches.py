"""Batching: a worker thread that processes pending requests of event loops in batches.

While the database handles one batch, the next one accumulates. So batches grow with the load, and
no request waits for a batch to fill.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeAlias, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

from games.ops import metrics, true_time
from games.ops.availability import availability, is_outage

logger = logging.getLogger(__name__)

Request = TypeVar("Request")
Answer = TypeVar("Answer")
_Queue: TypeAlias = "SimpleQueue[_Pending[Request, Answer] | None]"

MAX_BATCH = 500
"""Maximum requests in a batch: 500 entries bind 3,000 values; SQLite allows 32,766."""

RETRY_SECONDS = 3.0
"""Seconds for which work is retried if the database is unreachable."""

STUCK = 10.0
"""Seconds after which a batcher counts as stuck in a batch."""

IDLE_SECONDS = 30.0
"""Seconds without work after which the thread ends; the next request starts a new one."""


class Batcher(ABC, Generic[Request, Answer]):
    """A queue of requests from any event loop, answered in batches by one thread.

    The thread has its own database connection and starts with the first request.

    Attributes:
        waits_to_the_end: whether a task that awaits an answer is cancelled only once it is there.
        batches, requests: numbers processed so far.
        busy_since: start of the current batch by `time.monotonic`; None while idle.
    """

    waits_to_the_end = False

    def __init__(self, name: str) -> None:
        self._name = name
        self._sizes, self._times = metrics.BATCH_SIZE[name], metrics.BATCH_TIME[name]
        self._queue: _Queue[Request, Answer] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.batches = 0
        self.requests = 0
        self.busy_since: float | None = None

    @abstractmethod
    def work(self, batch: Sequence[Request]) -> Sequence[Answer]:
        """Process a batch in the thread; return one answer for each request.

        If it raises anything, nothing of the batch may be done; its halves are then tried, so that
        one bad request fails alone. Only if the database cannot be reached do all fail at once.
        """

    def submit(self, request: Request) -> asyncio.Future[Answer]:
        """Queue a request; return a future for its answer, or for the database error."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer]
        future = Lasting(loop=loop) if self.waits_to_the_end else loop.create_future()
        with self._lock:
            self._queue.put(_Pending(request, future, loop))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, args=(self._queue,), name=self._name, daemon=True
                )
                self._thread.start()
        return future

    def close(self) -> None:
        """Finish pending requests and end the thread; the batcher can be used again.

        A request from now on starts a thread with a queue of its own, which would otherwise take
        the mark that ends this one.
        """
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
                self._queue = SimpleQueue()
        if thread is not None:
            thread.join()

    def _run(self, queue: _Queue[Request, Answer]) -> None:
        try:
            while True:
                batch = self._gather(queue)
                if batch is None:
                    return
                if batch:
                    self._measured(batch)
        finally:
            connection.close()

    def _gather(self, queue: _Queue[Request, Answer]) -> list[_Pending[Request, Answer]] | None:
        """Wait for requests and return all of them (up to MAX_BATCH); None to end the thread."""
        try:
            first = queue.get(timeout=IDLE_SECONDS)
        except Empty:
            with self._lock:
                if queue.empty() and self._thread is threading.current_thread():
                    self._thread = None
                    return None
            return []
        if first is None:
            return None
        batch = [first]
        while len(batch) < MAX_BATCH:
            try:
                item = queue.get_nowait()
            except Empty:
                break
            if item is None:
                queue.put(None)
                break
            batch.append(item)
        return batch

    @property
    def waiting(self) -> int:
        """The approximate number of requests in the queue."""
        return self._queue.qsize()

    def stuck_since(self) -> datetime | None:
        """Return since when the database has not answered the current batch; None if it is fine."""
        since = self.busy_since
        took = 0.0 if since is None else time.monotonic() - since
        return true_time.now() - timedelta(seconds=took) if took >= STUCK else None

    def _measured(self, batch: list[_Pending[Request, Answer]]) -> None:
        self.busy_since = time.monotonic()
        self._sizes.observe(len(batch))
        try:
            with self._times.time():
                self._answer(batch, until=time.monotonic() + RETRY_SECONDS)
        finally:
            self.busy_since = None

    def _answer(self, batch: list[_Pending[Request, Answer]], *, until: float) -> None:
        """Answer a batch; the thread survives any error, since all moves go through it.

        ``until``: when to stop waiting for a database that is unreachable, by `time.monotonic`.
        """
        self.batches += 1
        self.requests += len(batch)
        try:
            answers = self._work_with_retries([one.request for one in batch], until)
            settled = list(zip(batch, answers, strict=True))
        except Exception as error:
            self._isolate(batch, error, until)
        else:
            self._settle(settled)

    def _isolate(
        self, batch: list[_Pending[Request, Answer]], error: Exception, until: float
    ) -> None:
        """Try the halves of a failed batch, down to the requests that fail alone."""
        outage = is_outage(error)
        if isinstance(error, DatabaseError):
            error = without_values(error)
        if outage:
            # Each half would wait for a connection again, one after the other.
            logger.error("%s: no database for %d requests: %r", self._name, len(batch), error)
            self._settle([(one, type(error)(*error.args)) for one in batch])
            return
        if len(batch) > 1:
            logger.warning("%s: batch of %d failed: %r", self._name, len(batch), error)
            half = len(batch) // 2
            self._answer(batch[:half], until=until)
            self._answer(batch[half:], until=until)
            return
        # A database error's traceback would quote the row.
        traceback = None if isinstance(error, DatabaseError) else error
        logger.error("%s: a request failed: %r", self._name, error, exc_info=traceback)
        self._settle([(batch[0], error)])

    def _work_with_retries(self, requests: list[Request], until: float) -> Sequence[Answer]:
        """Do the work, retrying over new connections for a while if the connection was lost."""
        pause = 0.0
        while True:
            try:
                return self.work(requests)
            except (OperationalError, InterfaceError) as error:
                connection.close()
                if availability.away or time.monotonic() + pause > until:
                    raise
                logger.warning("%s: retrying over a new connection: %s", self._name, error)
            time.sleep(pause)
            pause = min(2 * pause + 0.05, 0.5)

    @staticmethod
    def _settle(
        settled: Sequence[tuple[_Pending[Request, Answer], Answer | Exception]],
    ) -> None:
        """Deliver the answers to their loops, with one wake-up for each loop."""
        by_loop: dict[asyncio.AbstractEventLoop, list[Callable[[], None]]] = {}
        for pending, answer in settled:
            by_loop.setdefault(pending.loop, []).append(pending.settler(answer))
        for loop, settlers in by_loop.items():
            try:
                loop.call_soon_threadsafe(_all, settlers)
            except RuntimeError:
                logger.info("the event loop of a request has ended")


class _Pending(Generic[Request, Answer]):
    """A request with the future for its answer."""

    __slots__ = ("future", "loop", "request")

    def __init__(
        self, request: Request, future: asyncio.Future[Answer], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.request = request
        self.future = future
        self.loop = loop

    def settler(self, answer: Answer | Exception) -> Callable[[], None]:
        """Return a callback that settles the future; call it on the future's loop."""

        def settle() -> None:
            if self.future.done():
                return
            if isinstance(answer, Exception):
                self.future.set_exception(answer)
            else:
                self.future.set_result(answer)

        return settle


class Lasting(asyncio.Future[Answer]):
    """A future that cannot be cancelled: a cancelled task that awaits it ends after its result.

    A request is worked off all the same, and what was stored has to be told.
    """

    def cancel(self, msg: Any | None = None) -> bool:
        """Refuse; the task that awaits this remembers that it was cancelled."""
        return False


def without_values(error: DatabaseError) -> DatabaseError:
    """Return the database error with its code as the only text.

    The original message may quote the row, and entries of the log name cards, which must not reach
    log files or clients.
    """
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return type(error)(f"{type(error).__name__} {code or 'without a code'}")


def _all(settlers: list[Callable[[], None]]) -> None:
    for settle in settlers:
        settle()
