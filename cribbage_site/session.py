"""Who opens a websocket: the player of the browser's session, looked up once.

Channels' own stack also wraps every message that is sent, to save a session that changed; here no
socket changes its session, and a wrapper for each message costs more than the message.
"""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from types import SimpleNamespace
from typing import Any, cast

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest

from cribbage_site.origin import Application


class SessionPlayer:
    """ASGI wrapper that puts the session's player, or an anonymous user, into ``scope["user"]``."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Look the player up and pass the connection on."""
        key = _session_key(scope["headers"])
        user = AnonymousUser() if key is None else await database_sync_to_async(_player)(key)
        return await self.application({**scope, "user": user}, receive, send)


def _player(key: str) -> AbstractBaseUser | AnonymousUser:
    """Return who a session belongs to, as a page would find it; both rows at one visit."""
    return get_user(cast(HttpRequest, SimpleNamespace(session=SessionStore(key))))


def _session_key(headers: list[tuple[bytes, bytes]]) -> str | None:
    """Return the session's key as the cookies give it, None where there is none."""
    for name, value in headers:
        if name == b"cookie":
            try:
                cookies = SimpleCookie(value.decode("latin1"))
            except CookieError:
                continue
            if settings.SESSION_COOKIE_NAME in cookies:
                return cookies[settings.SESSION_COOKIE_NAME].value
    return None
