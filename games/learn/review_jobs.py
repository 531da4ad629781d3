"""Review worker: one background thread per process that advances several reviews in turn.

Asking for a review returns at once. Partial results are stored under a lease, so other processes
leave the review alone; if a process dies, the lease expires and another one starts the review
again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import connection

from games.analysis.review import Item, preload, review
from games.analysis.review_luck import accounts
from games.learn import reviews

logger = logging.getLogger(__name__)

AT_ONCE = 4
"""Number of reviews that advance in turn, so that a long match does not block others."""

SLICE = 0.1
"""Seconds that a review runs before the next one's turn."""

MOST_WAITING = 64
"""Maximum number of reviews waiting in this process; further ones are refused."""

KEEP_FIRST, KEEP_EVERY = 0.1, 0.5
"""Seconds until the first verdicts are stored, and between later updates."""

Clock = Callable[[], float]


@dataclass(slots=True)
class _Job:
    match: int
    steps: Iterator[None]


class Reviewer:
    """Worker for the reviews that are requested in this process."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: deque[int] = deque()
        self._active: deque[_Job] = deque()
        self._thread: threading.Thread | None = None

    def request(self, match: int) -> bool:
        """Queue a finished match (primary key) for review; False if the queue is full."""
        with self._changed:
            if match in self._waiting or any(job.match == match for job in self._active):
                return True
            if len(self._waiting) >= MOST_WAITING:
                return False
            self._waiting.append(match)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="reviewer", daemon=True)
                self._thread.start()
            self._changed.notify()
        return True

    def _run(self) -> None:
        while True:
            self._start_waiting()
            job = self._active[0]
            if self._run_slice(job):
                self._active.rotate(-1)
            else:
                with self._changed:
                    self._active.popleft()

    def _start_waiting(self) -> None:
        """Start waiting reviews while there is room; block if there is nothing to do."""
        with self._changed:
            while not self._waiting and not self._active:
                connection.close()
                self._changed.wait()
            while self._waiting and len(self._active) < AT_ONCE:
                match = self._waiting.popleft()
                self._active.appendleft(_Job(match, steps_of(match, self._clock)))

    def _run_slice(self, job: _Job) -> bool:
        """Advance a review for one time slice; return whether it has more to do."""
        until = self._clock() + SLICE
        try:
            for _ in job.steps:
                if self._clock() >= until:
                    return True
        except Exception:
            logger.exception("failed to review match %s", job.match)
            connection.close()
        return False


def steps_of(match: int, clock: Clock = time.monotonic) -> Iterator[None]:
    """Review a match step by step and store partial results; do nothing if it has been reviewed.

    Raises:
        Exception: any error, after the review is marked as failed.
    """
    found = reviews.log_of(match=match)
    if found is None:
        return
    ruleset, moves = found
    preload(ruleset.players)
    yield
    claim = reviews.claim(match=match, moves=moves)
    if claim is None:
        return
    try:
        items: list[Item] = []
        shown = []
        due = clock() + KEEP_FIRST
        for item in review(ruleset, moves):
            items.append(item)
            shown.append(item.to_dict())
            if clock() >= due:
                if not reviews.store_partial(claim, items=items, shown=shown):
                    return
                due = clock() + KEEP_EVERY
            yield
        finished = []
        for account in accounts(ruleset, moves):
            finished.append(account)
            yield
        reviews.finish(claim, items=items, shown=shown, accounts=finished)
    except GeneratorExit:
        reviews.release(claim)
        raise
    except Exception:
        reviews.fail(claim)
        raise


_reviewer = Reviewer()


def request_review(match: int) -> bool:
    """Queue a finished match (primary key) for this process; False if the queue is full."""
    return _reviewer.request(match)
