"""The queue of mails about accounts: confirmation of addresses, and forgotten passwords.

A mail is stored with what caused it and sent by a job, so that no page fails or waits
because of the mail server, and no answer's time reveals whether a mail was sent.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from games.jobs.backend import MAIL, job
from games.models import QueuedMail
from games.ops import true_time
from games.people.message_ids import message_id
from games.people.refused_mails import FULL_FOR, full_again_at, refusal_for_good
from games.people.sealing import seal, unseal

logger = logging.getLogger(__name__)

KEPT = timedelta(days=3)
"""Time after which a mail that was not sent is deleted; its links are old by then."""

_SALT = b"games.people.mail_queue"


class NotSentError(Exception):
    """The mail server could not be reached, or temporarily refused a mail."""


class Queue(BaseEmailBackend):
    """A mail back end that stores messages, with the jobs that send them."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages, one row for each recipient."""
        with transaction.atomic():
            for message in email_messages:
                for recipient in message.to:
                    row = QueuedMail.objects.create(recipient=recipient, sealed=_seal(message))
                    send_mail.enqueue(row.pk)
        return len(email_messages)


@job(queue=MAIL, tries=8, backoff=timedelta(minutes=2))
def send_mail(key: int) -> None:
    """Send a mail, by primary key; it is tried for about four hours.

    One that the mail server refuses for good is given up at once, one to a full mailbox after two
    days, and one that no worker has sent in time after three.

    Raises:
        NotSentError: if it could not be sent; the job is repeated.
    """
    row = QueuedMail.objects.filter(pk=key).first()
    if row is None:
        return
    is_old = row.made_at < true_time.now() - KEPT
    message = None if is_old else _unseal(row)
    if message is not None:
        message.extra_headers["Message-ID"] = message_id(row.sealed)
        again = _send(message, row.made_at)
        if again is not None:
            send_mail.using(run_after=again).enqueue(key)
            return
    row.delete()


def _send(message: EmailMessage, made_at: datetime) -> datetime | None:
    """Send a message; return when to try again if the mailbox is full."""
    try:
        message.send()
    except (SMTPException, OSError) as error:
        again = full_again_at(error, until=made_at + FULL_FOR)
        if again is not None:
            return again
        code = refusal_for_good(error)
        if code is None:
            # Without the error itself, which would be logged: the reply names the recipient.
            raise NotSentError(_in_short(error)) from None
        logger.warning("the mail server refused a mail for good: %d", code)
    return None


def _in_short(error: Exception) -> str:
    """Return the class and code of a mail server's error: "SMTPRecipientsRefused 450"."""
    if isinstance(error, SMTPRecipientsRefused):
        codes = {code for code, _text in error.recipients.values()}
    else:
        codes = {error.smtp_code} if isinstance(error, SMTPResponseException) else set()
    return " ".join([type(error).__name__, *map(str, sorted(codes))])


def delete_old() -> int:
    """Delete the mails that could not be sent; return how many."""
    return QueuedMail.objects.filter(made_at__lt=true_time.now() - KEPT).delete()[0]


def _seal(message: EmailMessage) -> str:
    """Return a message as encrypted text."""
    content = {
        "subject": message.subject,
        "body": message.body,
        "from": message.from_email,
        "headers": message.extra_headers,
        "alternatives": [list(each) for each in getattr(message, "alternatives", ())],
    }
    return seal(json.dumps(content), salt=_SALT)


def _unseal(row: QueuedMail) -> EmailMultiAlternatives | None:
    """Return the message of a row; None if the site's secret key has changed since."""
    text = unseal(row.sealed, salt=_SALT)
    if text is None:
        logger.warning("mail %s was stored under another SECRET_KEY, and is dropped", row)
        return None
    content: dict[str, Any] = json.loads(text)
    message = EmailMultiAlternatives(
        subject=content["subject"],
        body=content["body"],
        from_email=content["from"],
        to=[row.recipient],
        headers=content["headers"],
    )
    for alternative, kind in content["alternatives"]:
        message.attach_alternative(alternative, kind)
    return message
