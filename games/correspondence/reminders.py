"""Reminders that an event begins soon or has begun, to players who asked for such messages."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.correspondence import notify, push
from games.correspondence.delivery import NotSentError
from games.correspondence.notice_texts import account_address, attach_html, headers, stop_token
from games.jobs.backend import MAIL, job
from games.models import Notice, Player, PushSubscription, Reminder
from games.ops import true_time
from games.people.message_ids import message_id
from games.people.refused_mails import is_full, refusal_for_good
from games.people.time_zones import local_moment

logger = logging.getLogger(__name__)


def remind(
    *,
    players: Iterable[Player],
    key: str,
    title: str,
    address: str,
    until: datetime,
    begun: bool = False,
) -> None:
    """Remind players that what they entered begins, once for each ``key``.

    Args:
        players: whom to remind; those who asked for no messages get none.
        key: a text that is unique to the event.
        title: its name.
        address: the path of its page.
        until: its start or, if it has begun, the time by which they must have come; a message that
            could not be sent until then is dropped.
        begun: whether it has begun.
    """
    for player in players:
        for way in notify.channels_of(player):
            with transaction.atomic():
                row, made = Reminder.objects.get_or_create(
                    player=player,
                    way=way,
                    key=key,
                    defaults={"title": title, "address": address, "until": until, "begun": begun},
                )
                if made:
                    send_reminder.enqueue(row.pk)


def withdraw_reminders(key: str, player: Player | None = None) -> None:
    """Delete the reminders that could not be sent yet: of all players, or of one who has left.

    They are tried for a while, and in the meantime what they announce may be called off.
    """
    rows = Reminder.objects.filter(key=key, sent_at__isnull=True)
    (rows if player is None else rows.filter(player=player)).delete()


@job(queue=MAIL, tries=6, backoff=timedelta(seconds=30))
def send_reminder(pk: int) -> None:
    """Send a reminder, by primary key, unless it is too late or was sent.

    It is tried for a quarter of an hour: some mail servers accept none of a stranger's first tries.

    Raises:
        NotSentError: if it could not be sent; the job is repeated.
    """
    row = Reminder.objects.filter(pk=pk, sent_at__isnull=True).select_related("player").first()
    if row is None or row.until < true_time.now():
        return
    if row.way not in notify.channels_of(row.player):
        return
    if not (_mail(row) if row.way == Notice.Way.MAIL else _push(row)):
        raise NotSentError(row.way)
    Reminder.objects.filter(pk=pk).update(sent_at=true_time.now())


def _push(row: Reminder) -> bool:
    browsers = list(PushSubscription.objects.filter(player=row.player))
    results = [
        push.send(
            browser,
            push_payload(row, language=row.player.language or browser.language),
            topic=row.key.replace("-", ""),
        )
        for browser in browsers
    ]
    return any(results)


def push_payload(row: Reminder, *, language: str) -> dict[str, str]:
    """Return the payload of a push message, which the browser's service worker shows."""
    with translation.override(language):
        return {
            "title": _title(row),
            "body": _("Cribbage"),
            "url": row.address,
            "tag": row.key,
        }


def _title(row: Reminder) -> str:
    said = _("It has started: %(title)s") if row.begun else _("Starting soon: %(title)s")
    return said % {"title": row.title}


def mail_message(row: Reminder, *, to: str, language: str) -> EmailMultiAlternatives:
    """Return the mail of a reminder, in a language, as plain text and as HTML."""
    with translation.override(language):
        stop = settings.SITE_URL + reverse("games:notices_stop", args=[stop_token(row.player)])
        said = (
            _("%(title)s has started. Be at the table by %(when)s (%(zone)s) or you lose the game.")
            if row.begun
            else _("%(title)s starts on %(when)s (%(zone)s).")
        )
        parts = {
            "title": _title(row),
            "said": said % {"title": row.title, **local_moment(row.until, row.player)},
            "address": account_address(row.address),
            "link": row.title,
            "stop": stop,
        }
        ending = _("Stop these emails: %(address)s") % {"address": stop}
        letter = EmailMultiAlternatives(
            subject=parts["title"],
            body="\n\n".join([parts["said"], parts["address"], ending]) + "\n",
            to=[to],
            headers=headers(stop),
        )
        attach_html(letter, parts)
        return letter


def _mail(row: Reminder) -> bool:
    """Mail a reminder; return False if it has to be tried again."""
    choice = notify.mail_choice(row.player)
    letter = mail_message(
        row,
        to=notify.address_of(row.player),
        language=row.player.language or (choice.language if choice else ""),
    )
    about = (row.key, row.player_id, row.until.isoformat())
    letter.extra_headers["Message-ID"] = message_id("reminder", *about)
    try:
        return bool(letter.send())
    except (SMTPException, OSError) as error:
        logger.warning("a reminder could not be sent: %s", type(error).__name__)
        return refusal_for_good(error) is not None and not is_full(error)
