"""Mails that a mail server refuses for good, such as those to an address that does not exist.

Other refusals may end: a server that is too busy or that makes strangers wait (4xx), and settings
of the operator, such as a wrong sender or a log-in that is missing.
"""

from __future__ import annotations

from smtplib import SMTPDataError, SMTPRecipientsRefused

PERMANENT = range(500, 600)
"""Replies after which the same mail is not to be sent again (RFC 5321, section 4.2.1)."""

POLICY = b"5.7."
"""Beginning of replies about who may send: "Relay access denied" (RFC 3463, section 3.8)."""


def refusal_for_good(error: Exception) -> int | None:
    """Return the reply of the server if it will never take this mail; None for other errors."""
    codes = set()
    if isinstance(error, SMTPRecipientsRefused):
        replies = error.recipients.values()
        if any(text.startswith(POLICY) for _code, text in replies):
            return None
        codes = {code for code, _text in replies}
    elif isinstance(error, SMTPDataError):
        codes = {error.smtp_code}
    return max(codes) if codes and all(code in PERMANENT for code in codes) else None
