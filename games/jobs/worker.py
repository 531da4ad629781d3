"""The worker: a thread for each queue that runs its jobs one after another, under supervision.

The supervisor is the thread that called `Worker.run`. It reports that the worker is alive, looks
for due jobs on behalf of all idle threads, gives the jobs of dead workers back to the queue,
restarts a thread that ended, and ends the worker if a run exceeds its limit.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections, connection

from games.jobs import queue, schedules
from games.jobs.backend import QUEUES
from games.jobs.queue import Claim
from games.ops import true_time
from games.ops.log_context import JOB

logger = logging.getLogger(__name__)

POLL = 0.25
"""Seconds between checks for due jobs."""

AFTER_FAULT = 2.0
"""Seconds to wait after a database error."""

STOP_SECONDS = 8.0
"""Seconds that running jobs have left when the worker stops; then they return to the queue."""


class TooSlowError(Exception):
    """A run exceeded the limit of its job."""


class Lane:
    """The thread of one queue.

    Attributes:
        running: the job that runs now, and since when in monotonic seconds.
        wake: set when there may be something to do.
    """

    def __init__(self, worker: Worker, queue_name: str) -> None:
        self.worker = worker
        self.queue = queue_name
        self.running: tuple[Claim, float] | None = None
        self.wake = threading.Event()
        self._unrecorded: Claim | None = None
        self.thread = threading.Thread(target=self._run, name=f"jobs-{queue_name}", daemon=True)

    def work(self) -> bool:
        """Run the first due job; return whether there was one.

        Raises:
            django.db.Error: if the database fails. The next call returns a job whose end could not
                be recorded to the queue: other workers leave the jobs of a living worker alone.
        """
        if self._unrecorded is not None:
            queue.release(self._unrecorded)
            self._unrecorded = None
        claim = queue.claim(worker=self.worker.name, queue=self.queue)
        if claim is None:
            return False
        self._unrecorded = claim
        self.running = claim, time.monotonic()
        try:
            run(claim)
        finally:
            self.running = None
        self._unrecorded = None
        return True

    def _run(self) -> None:
        """Run jobs until the worker stops."""
        while not self.worker.stopping.is_set():
            try:
                if not self.work():
                    self.wake.wait()
                    self.wake.clear()
            except DatabaseError:
                logger.warning("queue %s is waiting for the database", self.queue, exc_info=True)
                connection.close()
                self.worker.stopping.wait(AFTER_FAULT)
        connection.close()


class Worker:
    """A worker for some queues."""

    def __init__(self, queues: Sequence[str] = QUEUES) -> None:
        self.name = f"{socket.gethostname()[:32]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.started_at: datetime = true_time.now()
        self.stopping = threading.Event()
        self.lanes = [Lane(self, each) for each in queues]
        self._beaten = 0.0
        self._dated = False

    def run(self, *, kill: Callable[[], None] | None = None) -> None:
        """Work until `stop` is called; ``kill`` ends the process if a job exceeds its limit."""
        true_time.compare_at_start()
        for lane in self.lanes:
            lane.thread.start()
        while not self.stopping.wait(POLL):
            self._supervise(kill)
        self._finish()

    def stop(self) -> None:
        """Tell the worker to stop; callable from any thread, but not from a signal handler."""
        self.stopping.set()
        for lane in self.lanes:
            lane.wake.set()

    def _supervise(self, kill: Callable[[], None] | None) -> None:
        try:
            self._beat()
            self._restart_lanes()
            for lane in self.lanes:
                self._check_limit(lane, kill)
            self._wake_lanes()
        except DatabaseError:
            logger.warning("the worker is waiting for the database", exc_info=True)
            connection.close()
            self.stopping.wait(AFTER_FAULT)

    def _beat(self) -> None:
        """Report that this worker is alive, and look for jobs of workers that are not."""
        pause = settings.JOB_LEASE / 3
        now = time.monotonic()
        if self._beaten and now - self._beaten < pause:
            return
        true_time.compare()
        queue.beat(self.name, started_at=self.started_at)
        self._beaten = now
        queue.recover_lost()
        if not self._dated:
            schedules.store_dates(true_time.now())
            self._dated = True

    def _restart_lanes(self) -> None:
        for at, lane in enumerate(self.lanes):
            if not lane.thread.is_alive() and not self.stopping.is_set():
                logger.error("the thread of the queue %s ended; it is restarted", lane.queue)
                self.lanes[at] = Lane(self, lane.queue)
                self.lanes[at].thread.start()

    def _wake_lanes(self) -> None:
        """Wake the idle threads that have something to do: one query for all queues."""
        idle = {lane.queue: lane for lane in self.lanes if lane.running is None}
        for name in queue.with_due_jobs(idle) if idle else ():
            idle[name].wake.set()

    def _check_limit(self, lane: Lane, kill: Callable[[], None] | None) -> None:
        running = lane.running
        if running is None:
            return
        claim, since = running
        took = time.monotonic() - since
        if took > limit_of(claim).total_seconds() and kill is not None:
            error = TooSlowError(f"{took:.0f} s")
            logger.error("job %s has been running for %d s; the worker exits", claim.name, took)
            queue.failed(claim, error)
            self._release([each for each in self.lanes if each is not lane])
            kill()

    def _finish(self) -> None:
        """Give running jobs some time to finish, then return them to the queue."""
        end = time.monotonic() + STOP_SECONDS
        for lane in self.lanes:
            lane.thread.join(max(end - time.monotonic(), 0))
        self._release(self.lanes)
        connection.close()

    @staticmethod
    def _release(lanes: Sequence[Lane]) -> None:
        for lane in lanes:
            running = lane.running
            if running is not None and queue.release(running[0]):
                logger.warning("job %s was interrupted and will be repeated", running[0].name)


def run(claim: Claim) -> None:
    """Run a claimed job, and record how it ended."""
    JOB.set(claim.name)
    try:
        started = time.monotonic()
        claim.job.call(*claim.row.args_kwargs["args"])
        queue.done(claim)
        logger.info("done in %.2f s", time.monotonic() - started)
    except Exception as error:
        logger.exception("the job raised an error")
        if not connection.in_atomic_block:  # as in the transaction of a test
            close_old_connections()
        queue.failed(claim, error)
    finally:
        JOB.set("")


def limit_of(claim: Claim) -> timedelta:
    """Return the longest time that a run may take."""
    try:
        return claim.job.limit
    except ImportError:
        return timedelta.max


def work_off(queues: Sequence[str] = QUEUES) -> int:
    """Run all jobs that are due, in this thread; return how many. For commands and tests."""
    worker = Worker(queues)
    number = 0
    queue.beat(worker.name, started_at=worker.started_at)
    while claims := _claim_each(worker.name, queues):
        for claim in claims:
            run(claim)
        number += len(claims)
    return number


def _claim_each(worker: str, queues: Sequence[str]) -> list[Claim]:
    """Claim the first due job of each queue that has one."""
    due = queue.with_due_jobs(queues)
    found = [queue.claim(worker=worker, queue=each) for each in queues if each in due]
    return [claim for claim in found if claim is not None]
