"""The queue of mails about accounts: confirmation of addresses, and forgotten passwords.

A mail is stored with what caused it and sent in the background, so that no page fails or waits
because of the mail server, and no answer's time reveals whether a mail was sent.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPException
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from games.models import QueuedMail

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

logger = logging.getLogger(__name__)

AT_ONCE = 20
"""Highest number of mails that a process claims at once."""

CLAIMED = timedelta(minutes=10)
"""Time for which a process that claimed a mail has it; if the process dies, another tries again."""

TRIES = 8
"""Number of attempts to send a mail, over four hours."""

RETRY = timedelta(minutes=2)
"""Delay of the first retry; it doubles for each further one."""

_SALT = b"games.people.mail_queue"


class Queue(BaseEmailBackend):
    """A mail back end that stores messages for `send_due`."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages, one row for each recipient."""
        rows = [
            QueuedMail(recipient=recipient, sealed=_seal(message))
            for message in email_messages
            for recipient in message.to
        ]
        QueuedMail.objects.bulk_create(rows)
        return len(email_messages)


def send_due() -> int:
    """Send the mails that are due; return how many rows were tried."""
    now = timezone.now()
    waiting = QueuedMail.objects.filter(due_at__lte=now).order_by("due_at")
    claimed = [row for row in waiting[:AT_ONCE] if _claim(row)]
    for row in claimed:
        _send(row)
    return len(claimed)


def _claim(row: QueuedMail) -> bool:
    """Reserve a mail for this process; return False if another was first."""
    same = QueuedMail.objects.filter(pk=row.pk, due_at=row.due_at)
    return bool(same.update(due_at=timezone.now() + CLAIMED))


def _send(row: QueuedMail) -> None:
    message = _unseal(row)
    try:
        if message is not None:
            message.send()
    except (SMTPException, OSError) as error:
        logger.warning("a mail could not be sent: %s", type(error).__name__)
        if row.tries + 1 < TRIES:
            wait = RETRY * 2**row.tries
            rows = QueuedMail.objects.filter(pk=row.pk)
            rows.update(due_at=timezone.now() + wait, tries=row.tries + 1)
            return
        logger.warning("mail %s could not be sent, giving up", row)
    QueuedMail.objects.filter(pk=row.pk).delete()


def _seal(message: EmailMessage) -> str:
    """Return a message as encrypted text."""
    content = {
        "subject": message.subject,
        "body": message.body,
        "from": message.from_email,
        "headers": message.extra_headers,
        "alternatives": [list(each) for each in getattr(message, "alternatives", ())],
    }
    return _keys().encrypt(json.dumps(content).encode()).decode()


def _unseal(row: QueuedMail) -> EmailMultiAlternatives | None:
    """Return the message of a row; None if the site's secret key has changed since."""
    from cryptography.fernet import InvalidToken

    try:
        content: dict[str, Any] = json.loads(_keys().decrypt(row.sealed))
    except InvalidToken:
        logger.warning("mail %s was stored under another SECRET_KEY, and is dropped", row)
        return None
    message = EmailMultiAlternatives(
        subject=content["subject"],
        body=content["body"],
        from_email=content["from"],
        to=[row.recipient],
        headers=content["headers"],
    )
    for text, kind in content["alternatives"]:
        message.attach_alternative(text, kind)
    return message


def _keys() -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(_SALT + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
