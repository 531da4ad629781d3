"""Mails that a mail server refuses for good, such as those to an address that does not exist.

Other refusals may end: a server that is too busy or that makes strangers wait (4xx), and a sender
or log-in that the operator has set wrongly.
"""

from __future__ import annotations

from smtplib import SMTPDataError, SMTPRecipientsRefused

PERMANENT = range(500, 600)
"""Replies after which the same mail is not to be sent again (RFC 5321, section 4.2.1)."""


def refusal_for_good(error: Exception) -> int | None:
    """Return the reply of the server if it will never take this mail; None for other errors."""
    codes = set()
    if isinstance(error, SMTPRecipientsRefused):
        codes = {code for code, _text in error.recipients.values()}
    elif isinstance(error, SMTPDataError):
        codes = {error.smtp_code}
    return max(codes) if codes and all(code in PERMANENT for code in codes) else None
