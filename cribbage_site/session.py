"""The player of a websocket, looked up once from the browser's session.

Channels' own middleware also wraps every message that is sent, to save changed sessions. No socket
changes its session here, and wrapping a message takes longer than sending it.
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
from django.http import HttpRequest

from cribbage_site.origin import Application
from cribbage_site.session_store import SessionStore


class SessionPlayer:
    """ASGI middleware that sets ``scope["user"]`` to the session's player or an anonymous user."""

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
    """Return the player of a session, as for a page; two queries in one call to a thread."""
    return get_user(cast(HttpRequest, SimpleNamespace(session=SessionStore(key))))


def _session_key(headers: list[tuple[bytes, bytes]]) -> str | None:
    """Return the session key from the cookies; None if there is none."""
    for name, value in headers:
        if name == b"cookie":
            try:
                cookies = SimpleCookie(value.decode("latin1"))
            except CookieError:
                continue
            if settings.SESSION_COOKIE_NAME in cookies:
                return cookies[settings.SESSION_COOKIE_NAME].value
    return None
