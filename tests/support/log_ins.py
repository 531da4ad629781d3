"""Log-ins of the test client: the session of a new client is stored once.

Django's test client stores an empty session, renames it for the log-in as a site does, and stores
it again: eleven statements. A client without a session cookie needs two, and ends with the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest
from django.test import Client

from cribbage_site.session_store import SessionStore

if TYPE_CHECKING:
    from games.models import Player


def store_once(patched: pytest.MonkeyPatch) -> None:
    """Let a client without a session store the one of its log-in only."""
    log_in: Any = Client._login  # type: ignore[attr-defined]  # what all ways to log in call

    def _login(self: Client, user: Player, backend: str | None = None) -> None:
        if settings.SESSION_COOKIE_NAME in self.cookies:
            log_in(self, user, backend)
            return
        session: Any = SessionStore()
        session.cycle_key = lambda: None  # it has no key yet; `save` makes the first
        request = HttpRequest()
        request.session = session
        login(request, user, backend)
        session.save()
        self._set_login_cookies(request)  # type: ignore[attr-defined]

    patched.setattr(Client, "_login", _login)
