"""Reviews of finished matches, as jobs.

Asking for a review returns at once. Partial results are stored, so that pages show them while the
job runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta

from games.analysis.review import Item, preload, review
from games.analysis.review_luck import accounts
from games.analysis.review_situations import situations
from games.jobs import queue
from games.jobs.backend import REVIEW, job
from games.learn import reviews

MOST_WAITING = 256
"""Maximum number of reviews waiting for a worker; further ones are refused."""

AFTER_FAILURE = timedelta(minutes=10)
"""Time before a review that has failed can be asked for again."""

KEEP_FIRST, KEEP_EVERY = 0.1, 0.5
"""Seconds until the first verdicts are stored, and between later updates."""

Clock = Callable[[], float]


@job(queue=REVIEW, tries=3, backoff=timedelta(seconds=5))
def review_match(match: int) -> None:
    """Review a finished match, by primary key."""
    for _ in steps_of(match):
        pass


def request_review(match: int) -> bool:
    """Queue a finished match (primary key) for review; False if too many are waiting."""
    if queue.is_open(review_match, match, failed_within=AFTER_FAILURE):
        return True
    if queue.due([REVIEW]).count() >= MOST_WAITING:
        return False
    review_match.enqueue(match)
    return True


def is_pending(match: int) -> bool:
    """Return whether the review of a match (primary key) is queued or running."""
    return queue.is_open(review_match, match, failed_within=timedelta())


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
    key = reviews.begin(match=match, moves=moves)
    if key is None:
        return
    try:
        items: list[Item] = []
        shown = []
        due = clock() + KEEP_FIRST
        for item in review(ruleset, moves):
            items.append(item)
            shown.append(item.to_dict())
            if clock() >= due:
                reviews.store_partial(key, shown=shown)
                due = clock() + KEEP_EVERY
            yield
        finished = []
        for account in accounts(ruleset, moves):
            finished.append(account)
            yield
        reviews.finish(
            key,
            match=match,
            items=items,
            shown=shown,
            accounts=finished,
            found=situations(ruleset, moves),
        )
    except Exception:
        reviews.fail(key)
        raise
