"""Delivery of notices (mail and push), and of mails about accounts, in worker threads.

A process claims a notice with an update that only one process can win. If that process dies after
the claim, the notice is not sent again, since no mail is better than two. Failed deliveries are
retried a few times.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from smtplib import SMTPException
from typing import Any, TypeVar

from django.db import close_old_connections, connection
from django.utils import timezone

from games.cluster import online_status
from games.correspondence import notice_texts, notify, push, turns
from games.models import Match, Notice, PushSubscription
from games.people import mail_queue

logger = logging.getLogger(__name__)

THREADS = 4
"""Number of threads that send notices."""

AT_ONCE = 20
"""Highest number of notices that a process claims at once."""

FIRST = 4.0
EVERY = 5.0
"""Seconds before a new process's first query for due notices, and between two queries."""

TRIES = 5
"""Number of attempts to send a notice."""

RETRY = timedelta(minutes=2)
"""Delay of the first retry; it doubles for each further one."""

T = TypeVar("T")


class NoticeDelivery:
    """The notice delivery of one process: a thread pool and a polling loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="notices")
        self._closed = False

    def match_moved(self, match: int) -> None:
        """Update the notices of a correspondence match after a move, in a thread."""
        if not self._closed:
            loop = asyncio.get_running_loop()
            loop.run_in_executor(self._threads, _alone, note, match)

    async def keep_sending(self) -> None:
        """Send due notices regularly, until cancelled."""
        await asyncio.sleep(FIRST)
        await self._do(notify.catch_up)
        while True:
            mails = self._do(mail_queue.send_due)
            claimed: list[int] = await self._do(claim) or []
            await asyncio.gather(mails, *(self._do(deliver, key) for key in claimed))
            if len(claimed) < AT_ONCE:
                await asyncio.sleep(EVERY)

    async def aclose(self) -> None:
        """Finish deliveries in progress; queued work is left to the next process."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _do(self, work: Callable[..., T], *args: Any) -> T | None:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _alone, work, *args)


def _alone(work: Callable[..., T], *args: Any) -> T | None:
    """Run a job with its own database connection; errors are logged."""
    close_old_connections()
    try:
        return work(*args)
    except Exception:
        logger.exception("notice delivery failed in %s", work.__name__)
        return None
    finally:
        connection.close()


def note(match: int) -> None:
    """Create the notices for the players who must act in a match."""
    notify.your_turn(Match.objects.get(pk=match))


def claim() -> list[int]:
    """Claim due notices for this process; return their primary keys."""
    now = timezone.now()
    waiting = Notice.objects.filter(claimed_at__isnull=True, due_at__lte=now)
    keys = list(waiting.order_by("due_at").values_list("pk", flat=True)[:AT_ONCE])
    rows = Notice.objects.filter(claimed_at__isnull=True)
    return [key for key in keys if rows.filter(pk=key).update(claimed_at=now)]


def deliver(key: int) -> None:
    """Send a notice claimed by this process, or delete it if it is obsolete or unwanted."""
    rows = Notice.objects.select_related("player", "match__created_by")
    notice = rows.filter(pk=key, sent_at__isnull=True).first()
    if notice is None:
        return
    subject = _current_subject(notice)
    if subject is None or notice.way not in notify.channels_of(notice.player):
        notice.delete()
    elif online_status.online([notice.player_id]):
        _later(notice, notify.delay_of(notice.way))
    elif _send(notice, subject):
        Notice.objects.filter(pk=key).update(sent_at=timezone.now())
    else:
        _failed(notice)


def _current_subject(notice: Notice) -> turns.Turn | Match | None:
    """Return the turn or table that a notice is about; None if it is obsolete."""
    if notice.kind == Notice.Kind.INVITED:
        asked = notice.match.invitations.filter(invited=notice.player, declined_at__isnull=True)
        waits = notice.match.status == Match.Status.WAITING
        return notice.match if waits and asked.exists() else None
    found = turns.turn(notice.match)
    if found is None or found.asked != notice.asked:
        return None
    own = notice.match.seats.filter(player=notice.player, seat__in=found.seats)
    return found if own.exists() else None


def _send(notice: Notice, about: turns.Turn | Match) -> bool:
    if notice.way == Notice.Way.MAIL and isinstance(about, turns.Turn):
        return _send_mail(notice, about)
    browsers = list(PushSubscription.objects.filter(player=notice.player))
    topic = notice.match.public_id
    results = [
        push.send(
            browser, notice_texts.push_payload(notice, language=browser.language), topic=topic
        )
        for browser in browsers
    ]
    return any(results)


def _send_mail(notice: Notice, about: turns.Turn) -> bool:
    choice = notify.mail_choice(notice.player)
    letter = notice_texts.mail_message(
        player=notice.player,
        match=notice.match,
        to=notify.address_of(notice.player),
        due=about.due,
        language=choice.language if choice is not None else "",
    )
    try:
        return bool(letter.send())
    except (SMTPException, OSError) as error:
        logger.warning("a mail could not be sent: %s", type(error).__name__)
        return False


def _later(notice: Notice, wait: timedelta) -> None:
    rows = Notice.objects.filter(pk=notice.pk)
    rows.update(claimed_at=None, due_at=timezone.now() + wait)


def _failed(notice: Notice) -> None:
    """Schedule a retry; after the last try the notice stays claimed."""
    Notice.objects.filter(pk=notice.pk).update(tries=notice.tries + 1)
    if notice.tries + 1 < TRIES:
        _later(notice, RETRY * 2**notice.tries)
    else:
        logger.warning("notice %s could not be sent, giving up", notice.pk)
