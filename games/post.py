"""The messages that wait, sent in threads beside the event loop; each is claimed by one process.

A row is claimed by an update that one process wins. What was claimed by a process that then died
is not sent again: better no mail than two. What was refused is tried again, a few times.
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

from games import correspondence, letters, notify, push, seen
from games.live import Live
from games.models import Match, Notice, PushSubscription

logger = logging.getLogger(__name__)

THREADS = 4
AT_ONCE = 20
"""Messages that one process claims together."""

FIRST = 4.0
EVERY = 5.0
"""Seconds until a new process looks for the first time, and between two looks."""

TRIES = 5
RETRY = timedelta(minutes=2)
"""How long after the first refusal it is tried again; doubled at each further one."""

T = TypeVar("T")


class Post:
    """What one process does to have messages sent."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="post")
        self._closed = False

    def moved(self, live: Live) -> None:
        """Take note that a match by correspondence has gone on."""
        if live.header.days is not None and not self._closed:
            loop = asyncio.get_running_loop()
            loop.run_in_executor(self._threads, _alone, note, live.pk)

    async def keep_sending(self) -> None:
        """Send what is due, for as long as the process lives."""
        await asyncio.sleep(FIRST)
        await self._do(notify.catch_up)
        while True:
            claimed: list[int] = await self._do(claim) or []
            await asyncio.gather(*(self._do(deliver, key) for key in claimed))
            if len(claimed) < AT_ONCE:
                await asyncio.sleep(EVERY)

    async def aclose(self) -> None:
        """Let what has begun come to its end; what waits is sent by the next process."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _do(self, work: Callable[..., T], *args: Any) -> T | None:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _alone, work, *args)


def _alone(work: Callable[..., T], *args: Any) -> T | None:
    """Do something in a thread that keeps no connection; what goes wrong is logged."""
    close_old_connections()
    try:
        return work(*args)
    except Exception:
        logger.exception("the post: %s", work.__name__)
        return None
    finally:
        connection.close()


def note(match: int) -> None:
    """Make the rows for whoever must act in a match now."""
    notify.your_turn(Match.objects.get(pk=match))


def claim() -> list[int]:
    """Claim what is due, for this process alone; return the keys."""
    now = timezone.now()
    waiting = Notice.objects.filter(claimed_at__isnull=True, due_at__lte=now)
    keys = list(waiting.order_by("due_at").values_list("pk", flat=True)[:AT_ONCE])
    rows = Notice.objects.filter(claimed_at__isnull=True)
    return [key for key in keys if rows.filter(pk=key).update(claimed_at=now)]


def deliver(key: int) -> None:
    """Send a message that this process has claimed, unless it is not wanted any more."""
    rows = Notice.objects.select_related("player", "match__created_by")
    notice = rows.filter(pk=key, sent_at__isnull=True).first()
    if notice is None:
        return
    until = _still_meant(notice)
    if until is None or notice.way not in notify.ways_of(notice.player):
        notice.delete()
    elif seen.online([notice.player_id]):
        _later(notice, notify.wait_of(notice.way))
    elif _send(notice, until):
        Notice.objects.filter(pk=key).update(sent_at=timezone.now())
    else:
        _failed(notice)


def _still_meant(notice: Notice) -> correspondence.Turn | Match | None:
    """Return what a message is about, if that is still so."""
    if notice.kind == Notice.Kind.INVITED:
        asked = notice.match.invitations.filter(invited=notice.player, declined_at__isnull=True)
        waits = notice.match.status == Match.Status.WAITING
        return notice.match if waits and asked.exists() else None
    found = correspondence.turn(notice.match)
    if found is None or found.asked != notice.asked:
        return None
    own = notice.match.seats.filter(player=notice.player, seat__in=found.seats)
    return found if own.exists() else None


def _send(notice: Notice, about: correspondence.Turn | Match) -> bool:
    if notice.way == Notice.Way.MAIL and isinstance(about, correspondence.Turn):
        return _send_mail(notice, about)
    browsers = list(PushSubscription.objects.filter(player=notice.player))
    topic = notice.match.public_id
    results = [
        push.send(browser, letters.pushed(notice, language=browser.language), topic=topic)
        for browser in browsers
    ]
    return any(results)


def _send_mail(notice: Notice, about: correspondence.Turn) -> bool:
    choice = notify.mail_choice(notice.player)
    letter = letters.mail(
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
    """Try again later; after some times it is given up, and stays claimed."""
    Notice.objects.filter(pk=notice.pk).update(tries=notice.tries + 1)
    if notice.tries + 1 < TRIES:
        _later(notice, RETRY * 2**notice.tries)
    else:
        logger.warning("notice %s is given up", notice.pk)
