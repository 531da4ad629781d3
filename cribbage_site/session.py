"""The player of a websocket, looked up once from the browser's session.

Channels' own middleware also wraps every message that is sent, to save changed sessions. No socket
changes its session here, and wrapping a message takes longer than sending it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from cribbage_site.origin import Application
from cribbage_site.session_store import SessionStore, valid_key
from games.cluster import announce
from games.live.runtime import runtime
from games.models import Player, Session
from games.models.prepared import Prepared


class SessionPlayer:
    """ASGI middleware that sets ``scope["user"]`` to the session's player or an anonymous user."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> Any:
        """Look the player up and pass the connection on."""
        key = _session_key(scope["headers"])
        player = None if key is None else await runtime().lookups.get(players, key)
        known = {
            "user": player or AnonymousUser(),
            "session_mark": None if key is None else announce.session_mark(key),
            "login": (players, key),
        }
        return await self.application({**scope, **known}, receive, send)


def players(keys: Sequence[str]) -> dict[str, Player]:
    """Return the players of sessions by session key, as for a page; two queries for all of them.

    A session without a valid player is left out, and none is changed: Django's own function ends
    or renames some, and a socket cannot tell the browser.
    """
    store, now = SessionStore(), timezone.now()
    data = {
        key: store.decode(text)
        for key, text, expires in _SESSIONS.rows([key for key in keys if valid_key(key)])
        if expires > now
    }
    logged_in = {key: said for key, said in data.items() if _is_logged_in(said)}
    wanted = {int(said[SESSION_KEY]) for said in logged_in.values()}
    found = {row[0]: Player.from_db("default", COLUMNS, row) for row in _PLAYERS.rows(wanted)}
    return {
        key: player
        for key, said in logged_in.items()
        if (player := found.get(int(said[SESSION_KEY]))) is not None and _verified(said, player)
    }


COLUMNS = [column.attname for column in Player._meta.concrete_fields]  # noqa: SLF001 - documented
"""The columns of a player, the primary key first."""

_SESSIONS = Prepared(
    lambda keys: Session.objects.filter(session_key__in=keys).values_list(
        "session_key", "session_data", "expire_date"
    ),
    str,
)
_PLAYERS = Prepared(lambda keys: Player.objects.filter(pk__in=keys).values_list(*COLUMNS))


def _is_logged_in(data: Mapping[str, Any]) -> bool:
    known = data.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return known and str(data.get(SESSION_KEY, "")).isdecimal()


def _verified(data: Mapping[str, Any], player: Player) -> bool:
    """Return whether a player may log in, and has not changed their password since they did."""
    said = data.get(HASH_SESSION_KEY)
    if not player.is_active or not said:
        return False
    hashes = (player.get_session_auth_hash(), *player.get_session_auth_fallback_hash())
    return any(constant_time_compare(said, each) for each in hashes)


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
