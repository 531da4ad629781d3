"""Mails that a mail server refuses for good, such as those to an address that does not exist.

Other refusals may end: a server that is too busy or that makes strangers wait (4xx), and settings
of the operator, such as a wrong sender or a log-in that is missing. A mailbox that is full may be
emptied, which takes its owner days.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused

from games.ops import true_time

PERMANENT = range(500, 600)
"""Replies after which the same mail is not to be sent again (RFC 5321, section 4.2.1)."""

POLICY = b"5.7."
"""Beginning of replies about who may send: "Relay access denied" (RFC 3463, section 3.8)."""

FULL = 552
"""Reply of a server whose mailbox is full (RFC 5321, section 4.2.3)."""

FULL_BOX, EXPLAINED = b"5.2.2", b"5."
"""Beginnings of replies of a full mailbox, and of all that say more than `FULL` (RFC 3463).

Others than the first are about the mail, such as its size or content.
"""

FULL_PAUSE, FULL_FOR = timedelta(hours=8), timedelta(days=2)
"""Time between two tries to send to a full mailbox, and for which mails without a deadline wait."""


def is_full(error: Exception) -> bool:
    """Return whether a mail was refused because the mailbox is full."""
    replies = _replies(error)
    return bool(replies) and all(
        text.startswith(FULL_BOX) or (code == FULL and not text.startswith(EXPLAINED))
        for code, text in replies
    )


def full_again_at(error: Exception, *, until: datetime) -> datetime | None:
    """Return when to try a full mailbox again; None for other errors or after ``until``."""
    again = true_time.now() + FULL_PAUSE
    return again if again < until and is_full(error) else None


def refusal_for_good(error: Exception) -> int | None:
    """Return the reply of the server if it will never take this mail; None for other errors."""
    replies = _replies(error)
    if isinstance(error, SMTPRecipientsRefused) and any(
        text.startswith(POLICY) for _code, text in replies
    ):
        return None
    codes = {code for code, _text in replies}
    return max(codes) if codes and all(code in PERMANENT for code in codes) else None


def _replies(error: Exception) -> list[tuple[int, bytes]]:
    """Return what a mail server says of addresses or content: codes and texts."""
    if isinstance(error, SMTPRecipientsRefused):
        return list(error.recipients.values())
    if isinstance(error, SMTPDataError):
        text = error.smtp_error
        return [(error.smtp_code, text if isinstance(text, bytes) else text.encode())]
    return []
