"""Message-IDs of mails that a job may send a second time.

A worker that dies between sending a mail and storing that it was sent leaves the job to another
one. With the same Message-ID, many mail programs show the second copy as the first.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.utils.crypto import salted_hmac


def message_id(*parts: object) -> str:
    """Return a Message-ID, in angle brackets, that depends on ``parts`` only and reveals none.

    They must name one mail for good: keys of rows, which a restored backup gives again, do not.
    """
    text = "\0".join(map(str, parts))
    digest = salted_hmac("games.people.message_ids", text, algorithm="sha256").hexdigest()
    return f"<{digest[:32]}@{urlsplit(settings.SITE_URL).hostname}>"
