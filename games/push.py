"""Web push: a short text to a browser that asked for it, encrypted for it and signed by this site.

Where a message is sent is said by a browser, so that anybody could say it: only the push services
of known browsers are believed, over HTTPS alone, and no redirect is followed.
"""

from __future__ import annotations

import base64
import binascii
import json
import logging
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

logger = logging.getLogger(__name__)

KNOWN_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.services.mozilla.com",
    ".notify.windows.com",
    ".push.apple.com",
)
"""Hosts of the browsers' push services; one that begins with a dot stands for all below it."""

TIMEOUT = 5.0
"""Seconds that a push service may take."""

KEPT = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is not running."""

GONE = frozenset({404, 410})
"""Answers that say that a browser wants nothing any more."""

MOST_BROWSERS = 10
"""Browsers of one player; the one that asked first is forgotten for a further one."""

_KEY = "push_subscriptions"
"""Where a session keeps the keys of the subscriptions that were made in it."""


def available() -> bool:
    """Whether the site has a key to sign with; else nobody is offered anything."""
    return bool(settings.VAPID_PRIVATE_KEY) and _is_key(settings.VAPID_PRIVATE_KEY)


def application_key() -> str:
    """Return the public key that a browser has to know, base64url.

    Raises:
        ImproperlyConfigured: where ``VAPID_PRIVATE_KEY`` is no key.
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
        raise ImproperlyConfigured("VAPID_PRIVATE_KEY is no key") from error


@lru_cache(4)
def _is_key(private: str) -> bool:
    try:
        _vapid(private)
    except ImproperlyConfigured:
        logger.exception("nobody is offered web push")
        return False
    return True


def is_push_service(endpoint: str) -> bool:
    """Whether an address is a known push service's, over HTTPS, at the usual port."""
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
    return parts.scheme == "https" and plain and known


def are_keys(public_key: str, secret: str) -> bool:
    """Whether these are a browser's keys: an uncompressed point of P-256, and 16 bytes."""
    point, shared = _bytes(public_key), _bytes(secret)
    return len(point) == 65 and point[0] == 4 and len(shared) == 16


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""


def send(subscription: PushSubscription, message: Mapping[str, str], *, topic: str) -> bool:
    """Send ``message`` to a browser; return whether its push service took it.

    A browser that is gone is forgotten. It waits for the network: not for the event loop.

    Args:
        subscription: the browser.
        message: what its service worker is given, as JSON.
        topic: letters and digits; a message that waits is replaced by a later one of its topic.
    """
    from pywebpush import WebPushException, webpush
    from requests import RequestException

    if not is_push_service(subscription.endpoint):
        subscription.delete()  # known when it was stored, and no more
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
        logger.warning("a push service was not reached: %s", type(error).__name__)
        return False
    return True


def _session() -> Any:
    """Return a session that goes to the address it is given and nowhere else."""
    import requests

    class Straight(requests.Session):
        def post(self, url: str | bytes, *args: Any, **kwargs: Any) -> requests.Response:
            return super().post(url, *args, **{**kwargs, "allow_redirects": False})

    return Straight()


def remember(session: SessionBase, row: PushSubscription) -> None:
    """Note in a session that a browser was subscribed in it, so that logging out forgets it."""
    session[_KEY] = [*session.get(_KEY, [])[-MOST_BROWSERS:], row.pk]


def forget_at_logout(request: HttpRequest | None, **_: Any) -> None:
    """Forget the browser that somebody logs out of: another may sit at it next."""
    session = getattr(request, "session", None)
    keys = session.get(_KEY, []) if session is not None else []
    if keys:
        PushSubscription.objects.filter(pk__in=keys).delete()


def listen() -> None:
    """Have log-outs forget browsers."""
    user_logged_out.connect(forget_at_logout, dispatch_uid="games.push.logout")
