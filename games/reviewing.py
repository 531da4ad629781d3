"""Reviews worked out beside the event loop: one thread for each process, a little of each in turn.

Asking returns at once. What has been worked out is stored as it grows, under a claim that runs out:
a second process leaves it alone, and where one has died, the next to be asked does it anew.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import connection

from games.analysis.review import Item, get_ready, review
from games.analysis.review_luck import accounts
from games.services import reviews

logger = logging.getLogger(__name__)

AT_ONCE = 4
"""Reviews of which each gets a little time in turn, so that a long match holds nobody up."""

SLICE = 0.1
"""Seconds that one review gets before the next has its turn."""

MOST_WAITING = 64
"""Reviews that wait in this process; more are refused."""

KEEP_FIRST, KEEP_EVERY = 0.1, 0.5
"""Seconds after which the first verdicts are stored, and between later ones."""

Clock = Callable[[], float]


@dataclass(slots=True)
class _Job:
    match: int
    steps: Iterator[None]


class Reviewer:
    """Works out the reviews that this process is asked for."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._news = threading.Condition()
        self._waiting: deque[int] = deque()
        self._active: deque[_Job] = deque()
        self._thread: threading.Thread | None = None

    def ask(self, match: int) -> bool:
        """Have a finished match (its primary key) reviewed; False where too many wait."""
        with self._news:
            if match in self._waiting or any(job.match == match for job in self._active):
                return True
            if len(self._waiting) >= MOST_WAITING:
                return False
            self._waiting.append(match)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="reviewer", daemon=True)
                self._thread.start()
            self._news.notify()
        return True

    def _run(self) -> None:
        while True:
            self._take_in()
            job = self._active[0]
            if self._go_on(job):
                self._active.rotate(-1)
            else:
                with self._news:
                    self._active.popleft()

    def _take_in(self) -> None:
        """Begin what waits as far as there is room; with nothing to do, wait."""
        with self._news:
            while not self._waiting and not self._active:
                connection.close()
                self._news.wait()
            while self._waiting and len(self._active) < AT_ONCE:
                match = self._waiting.popleft()
                self._active.appendleft(_Job(match, steps_of(match, self._clock)))

    def _go_on(self, job: _Job) -> bool:
        """Give a review its time; return whether there is more to do."""
        until = self._clock() + SLICE
        try:
            for _ in job.steps:
                if self._clock() >= until:
                    return True
        except Exception:
            logger.exception("match %s could not be reviewed", job.match)
            connection.close()
        return False


def steps_of(match: int, clock: Clock = time.monotonic) -> Iterator[None]:
    """Review a match bit by bit, storing on the way; nothing happens where that is done already.

    Raises:
        Exception: whatever went wrong; the review is then marked as failed.
    """
    found = reviews.log_of(match=match)
    if found is None:
        return
    ruleset, moves = found
    get_ready(ruleset.players)
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
                if not reviews.keep(claim, items=items, shown=shown):
                    return
                due = clock() + KEEP_EVERY
            yield
        told = []
        for account in accounts(ruleset, moves):
            told.append(account)
            yield
        reviews.finish(claim, items=items, shown=shown, accounts=told)
    except GeneratorExit:
        reviews.give_back(claim)
        raise
    except Exception:
        reviews.fail(claim)
        raise


_reviewer = Reviewer()


def ask(match: int) -> bool:
    """Have this process review a finished match (its primary key); False where too many wait."""
    return _reviewer.ask(match)
