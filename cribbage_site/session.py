"""The player of a websocket, looked up once from the browser's session.

Channels' own middleware also wraps every message that is sent, to save changed sessions. No socket
changes its session here, and wrapping a message takes longer than sending it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import parse_cookie
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
    """Return the players of sessions by session key, as for a page; one query for all of them.

    A session without a valid player is left out, and none is changed: Django's own function ends
    or renames some, and a socket cannot tell the browser. Of a player only `COLUMNS` are read.
    """
    now = timezone.now()
    found: dict[str, Player] = {}
    for key, text, expires, *values in _SESSIONS.rows([key for key in keys if valid_key(key)]):
        player = Player.from_db("default", COLUMNS, values)
        if expires > now:
            said = _decoded(text, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
            if _is_logged_in(said, player) and _verified(said, player):
                found[key] = player
    return found


_NEEDED = frozenset({"id", "public_id", "is_active", "password"})
_FIELDS = Player._meta.concrete_fields  # noqa: SLF001 - Django's documented interface to a model
COLUMNS = tuple(field.attname for field in _FIELDS if field.attname in _NEEDED)
"""The columns of a player that sockets need, in the model's order; the primary key is the first."""


def _with_players(keys: list[str]) -> QuerySet[Any, Any]:
    player = Player.objects.filter(pk=OuterRef("player_id"))
    return Session.objects.filter(session_key__in=keys).values_list(
        *("session_key", "session_data", "expire_date", "player_id"),
        *(Subquery(player.values(column)) for column in COLUMNS[1:]),
    )


_SESSIONS = Prepared(_with_players, str)


@lru_cache(maxsize=4096)
def _decoded(text: str, *_keys: object) -> Mapping[str, Any]:
    """Return the data of a session as it is stored, signed with one of these keys.

    Players open a socket for each match; checking the signature takes as long as a query.
    """
    data: Mapping[str, Any] = SessionStore().decode(text)
    return data


def _is_logged_in(data: Mapping[str, Any], player: Player) -> bool:
    known = data.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return known and data.get(SESSION_KEY) == str(player.pk)


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
            cookies = parse_cookie(value.decode("latin1"))
            if settings.SESSION_COOKIE_NAME in cookies:
                return cookies[settings.SESSION_COOKIE_NAME]
    return None
