"""Session engine that stores the player of each session in a separate column (SESSION_ENGINE).

Django stores the player only in the encoded data, so ending a player's sessions would mean decoding
all sessions. This covers guests too, since they are logged-in players.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from games.models import Session
from games.models.prepared import PreparedObjects

_BY_KEY = PreparedObjects[Session](lambda keys: Session.objects.filter(session_key__in=keys), str)
"""The sessions of some keys; every page asks for one."""


class SessionStore(db.SessionStore):
    """Django's database session store, which also fills the player's column.

    Do not rename the class: its name is part of the signature of stored sessions.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        """Accept keys in the form of the site's own; PostgreSQL refuses null characters."""
        return valid_key(key) and bool(super()._validate_session_key(key))  # type: ignore[misc]

    def _get_session_from_db(self) -> Session | None:
        """Return the row of the session's key; without one, forget the key as Django does."""
        if self.session_key is not None:
            for row in _BY_KEY.objects([self.session_key]):
                if row.expire_date > timezone.now():
                    return row
        self._session_key = None
        return None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the model with the player's column."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row to store, with its player."""
        return _owned(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row to store, with its player."""
        return _owned(await super().acreate_model_instance(data), data)


def valid_key(key: str | None) -> bool:
    """Return whether a session key is in the form of the site's own."""
    return key is not None and key.isascii() and key.isalnum()


def _owned(row: Any, data: dict[str, Any]) -> Session:
    player = data.get(SESSION_KEY)
    row.player_id = None if player is None else int(player)
    owned: Session = row
    return owned
