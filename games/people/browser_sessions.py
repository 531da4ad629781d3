"""The browsers in which a player is logged in: what they are, since when, and ending them.

A session says by what it was opened, in the words of the browser itself; no address is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from games.cluster import announce
from games.models import Player, Session

BROWSER, SINCE = "browser", "logged_in_at"
"""Keys of a session: the browser and its system as two words, and the time of the login."""

PUSHED_TO = "push_subscriptions"
"""Key of a session for the primary keys of the push subscriptions that were made in it."""

MOST = 50
"""Number of sessions that a page shows, the newest."""

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Marks in a browser's own description, in order: the later ones are in those of others too."""

_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One login. ``ident`` names it on pages, since the key itself opens the account.

    Attributes:
        ident: derived from the key.
        browser: its name, such as "Firefox"; empty if unknown.
        system: such as "Windows"; empty if unknown.
        since: the time of the login; None for a session of older code.
        own: whether it is the reader's own session.
    """

    ident: str
    browser: str
    system: str
    since: datetime | None
    own: bool


def note_browser(request: HttpRequest | None, **_signal: Any) -> None:
    """Store in a new session which browser opened it; a receiver of ``user_logged_in``."""
    if request is None or not hasattr(request, "session"):
        return
    described = request.headers.get("User-Agent", "")
    request.session[BROWSER] = [_found(_BROWSERS, described), _found(_SYSTEMS, described)]
    request.session[SINCE] = timezone.now().isoformat()


def listen() -> None:
    """Note the browser of each login from now on."""
    user_logged_in.connect(note_browser, dispatch_uid="browsers")


def sessions_of(*, player: Player, key: str | None) -> list[BrowserSession]:
    """Return a player's sessions, the reader's own first, then the newest; ``key`` is theirs."""
    rows = _rows(player).order_by("-expire_date")[:MOST]
    found = [_shown(row, row.get_decoded(), key) for row in rows]
    return sorted(found, key=lambda session: not session.own)


def number_of_sessions(*, player: Player) -> int:
    """Return in how many browsers a player is logged in."""
    number: int = _rows(player).count()
    return number


def end_session(*, player: Player, ident: str) -> bool:
    """Log a player out in one browser; return whether there was such a session."""
    keys = [key for key in _rows(player).values_list("pk", flat=True) if ident_of(key) == ident]
    return bool(_end(player, keys))


def end_others(*, player: Player, key: str | None) -> int:
    """Log a player out everywhere else; return how many sessions ended."""
    others = Session.objects.filter(player_id=player.pk).exclude(pk=key or "")
    return _end(player, list(others.values_list("pk", flat=True)))


def ident_of(key: str) -> str:
    """Return the name of a session on pages."""
    return hashlib.sha256(f"session {key}".encode()).hexdigest()[:16]


def _end(player: Player, keys: Sequence[str]) -> int:
    """Delete sessions, and close their open sockets in all processes; return how many ended."""
    ended: int = Session.objects.filter(pk__in=keys).delete()[0]
    for key in keys:
        transaction.on_commit(partial(announce.session_ended, key, player.pk))
    return ended


def _rows(player: Player) -> Any:
    return Session.objects.filter(player_id=player.pk, expire_date__gt=timezone.now())


def _shown(row: Session, data: Mapping[str, Any], key: str | None) -> BrowserSession:
    browser, system = data.get(BROWSER) or ("", "")
    since = data.get(SINCE)
    return BrowserSession(
        ident_of(row.session_key),
        browser,
        system,
        datetime.fromisoformat(since) if since else None,
        own=row.session_key == key,
    )


def _found(marks: tuple[tuple[str, str], ...], described: str) -> str:
    return next((name for mark, name in marks if mark in described), "")
