"""Sessions of players, made without a log-in; scripts import this after `django.setup()`."""

from __future__ import annotations

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from cribbage_site.session_store import SessionStore
from games.models import Player
from games.people.accounts import GUEST_BACKEND


def session_of(player: Player, **changes: str) -> str:
    """Log a player in; return the session's key. ``changes`` replace values of the session."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = GUEST_BACKEND
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.update(changes)
    session.save()
    assert session.session_key is not None
    return session.session_key
