"""The address to which sign-up and log-in lead back."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME


def way_back_to(address: str) -> str:
    """Return the query that makes sign-up and log-in lead back to a local address; empty for none.

    They ignore the address of another site. Without an address they lead to the home page.
    """
    if address in {"", settings.LOGIN_REDIRECT_URL}:
        return ""
    return "?" + urlencode({REDIRECT_FIELD_NAME: address}, safe="/")
