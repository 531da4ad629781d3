"""Web push: short messages to subscribed browsers, encrypted for them and signed by this site.

The address to send to comes from the browser and cannot be trusted. Only the push services of known
browsers are accepted, over HTTPS, and redirects are not followed.
"""

from __future__ import annotations

import base64
import binascii
import json
import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

from games.models import PushSubscription
from games.people.browser_sessions import PUSHED_TO

logger = logging.getLogger(__name__)

KNOWN_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.services.mozilla.com",
    ".notify.windows.com",
    ".push.apple.com",
)
"""Hosts of the browsers' push services; a leading dot stands for all subdomains."""

_HOST = re.compile(r"[a-z0-9.-]+")
"""The characters allowed in a host: the library that sends takes a backslash for its end, and
`urlsplit` for a part of it."""

TIMEOUT = 5.0
"""Seconds that a push service may take."""

KEPT = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is not running."""

GONE = frozenset({404, 410})
"""Status codes for a subscription that no longer exists."""

MOST_BROWSERS = 10
"""Highest number of browsers for one player; the oldest is removed for a new one."""


def available() -> bool:
    """Return whether the site has a key to sign with; without one push is not offered."""
    return bool(settings.VAPID_PRIVATE_KEY) and _is_key(settings.VAPID_PRIVATE_KEY)


def application_key() -> str:
    """Return the public key for browsers, base64url.

    Raises:
        ImproperlyConfigured: if ``VAPID_PRIVATE_KEY`` is not a valid key.
    """
    from cryptography.hazmat.primitives import serialization

    point = _vapid(settings.VAPID_PRIVATE_KEY).public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


@lru_cache(4)
def _vapid(private: str) -> Any:
    from py_vapid import Vapid, VapidException

    try:
        return Vapid.from_string(private_key=private)
    except (VapidException, ValueError, TypeError) as error:
        raise ImproperlyConfigured("VAPID_PRIVATE_KEY is not a valid key") from error


@lru_cache(4)
def _is_key(private: str) -> bool:
    try:
        _vapid(private)
    except ImproperlyConfigured:
        logger.exception("web push is disabled")
        return False
    return True


def is_push_service(endpoint: str) -> bool:
    """Return whether an address belongs to a known push service, over HTTPS on port 443."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if f"{parts.scheme}://{parts.netloc}" in settings.PUSH_TRIED_AT:
        return True
    host = (parts.hostname or "").lower()
    known = any(
        host.endswith(name) if name.startswith(".") else host == name
        for name in (*KNOWN_HOSTS, *settings.PUSH_HOSTS)
    )
    plain = parts.username is None and parts.password is None and port in {None, 443}
    return parts.scheme == "https" and plain and known and _HOST.fullmatch(host) is not None


def are_keys(public_key: str, secret: str) -> bool:
    """Return whether these are valid keys: an uncompressed P-256 point, and 16 bytes."""
    point, shared = _bytes(public_key), _bytes(secret)
    return len(point) == 65 and point[0] == 4 and len(shared) == 16


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""


def send(subscription: PushSubscription, message: Mapping[str, str], *, topic: str) -> bool:
    """Send ``message`` to a browser; return whether its push service accepted it.

    An expired subscription is deleted. The call blocks, so do not make it on an event loop.

    Args:
        subscription: the browser.
        message: the payload for its service worker, sent as JSON.
        topic: letters and digits; a new message replaces an undelivered one with the same topic.
    """
    from pywebpush import WebPushException, webpush
    from requests import RequestException

    if not is_push_service(subscription.endpoint):
        subscription.delete()  # the service was known when it was stored, but is no longer
        return False
    try:
        webpush(
            subscription_info={
                "endpoint": subscription.endpoint,
                "keys": {"p256dh": subscription.public_key, "auth": subscription.secret},
            },
            data=json.dumps(message),
            vapid_private_key=_vapid(settings.VAPID_PRIVATE_KEY),
            vapid_claims={"sub": settings.VAPID_SUBJECT},
            ttl=KEPT,
            timeout=TIMEOUT,
            headers={"Topic": topic, "Urgency": "normal"},
            requests_session=_session(),
        )
    except WebPushException as refusal:
        status = getattr(refusal.response, "status_code", 0)
        if status in GONE:
            subscription.delete()
        else:
            logger.warning("a push service refused a message: status %s", status)
        return False
    except (RequestException, ValueError) as error:
        logger.warning("a push service could not be reached: %s", type(error).__name__)
        return False
    return True


def _session() -> Any:
    """Return an HTTP session that does not follow redirects."""
    import requests

    class Straight(requests.Session):
        def post(self, url: str | bytes, *args: Any, **kwargs: Any) -> requests.Response:
            return super().post(url, *args, **{**kwargs, "allow_redirects": False})

    return Straight()


def remember(session: SessionBase, row: PushSubscription) -> None:
    """Store a subscription in the session, so that logging out deletes it."""
    session[PUSHED_TO] = [*session.get(PUSHED_TO, [])[-MOST_BROWSERS:], row.pk]


def forget_at_logout(request: HttpRequest | None, **_: Any) -> None:
    """Delete the subscription of a browser at logout: another person may use it next."""
    session = getattr(request, "session", None)
    keys = session.get(PUSHED_TO, []) if session is not None else []
    if keys:
        PushSubscription.objects.filter(pk__in=keys).delete()


def listen() -> None:
    """Connect `forget_at_logout` to Django's logout signal."""
    user_logged_out.connect(forget_at_logout, dispatch_uid="games.correspondence.push.logout")
