"""Log-outs and new passwords end the open sockets of the sessions that they end."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.http import HttpRequest

from games.cluster import announce
from games.models import Player


def end_session(request: HttpRequest | None, user: Player | None, **_: Any) -> None:
    """Close the sockets of the session that is logged out."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if key and user is not None:
        transaction.on_commit(lambda: announce.session_ended(key, user.pk))


def end_all(user: Player, **_: Any) -> None:
    """Close all sockets of a player whose sessions ended with a password reset."""
    transaction.on_commit(lambda: announce.player_ended(user.pk))


def end_others(request: HttpRequest, user: Player, **_: Any) -> None:
    """Close all sockets of a player who changed their password; this browser's reconnect.

    Its session continues under a new key; the request still has the old one.
    """
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    transaction.on_commit(lambda: announce.session_renewed(key, user.pk))


def listen() -> None:
    """Connect to the signals of Django and allauth."""
    user_logged_out.connect(end_session, dispatch_uid="games.people.log_out.session")
    password_reset.connect(end_all, dispatch_uid="games.people.log_out.all")
    for signal in (password_changed, password_set):
        signal.connect(end_others, dispatch_uid="games.people.log_out.others")
