"""Encryption of what the database keeps for a while or for good, and a copy of it must not reveal.

The keys derive from the site's ``SECRET_KEY`` and its earlier ones, with a salt for each purpose.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def seal(text: str, *, salt: bytes) -> str:
    """Return a text encrypted under the site's key."""
    return _keys(salt).encrypt(text.encode()).decode()


def unseal(sealed: str, *, salt: bytes) -> str | None:
    """Return an encrypted text; None if the site's key is another since, or it was never sealed."""
    from cryptography.fernet import InvalidToken

    try:
        return _keys(salt).decrypt(sealed).decode()
    except InvalidToken:
        return None


def _keys(salt: bytes) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(salt + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
