"""Session engine that stores the player of each session in a separate column (SESSION_ENGINE).

Django stores the player only in the encoded data, so ending a player's sessions would mean decoding
all sessions. This covers guests too, since they are logged-in players.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Session
from games.models.prepared import Prepared


class SessionStore(db.SessionStore):
    """Django's database session store, which also fills the player's column.

    Do not rename the class: its name is part of the signature of stored sessions.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        """Accept keys in the form of the site's own; PostgreSQL refuses null characters."""
        return valid_key(key) and bool(super()._validate_session_key(key))  # type: ignore[misc]

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Return the model with the player's column."""
        return Session

    def _get_session_from_db(self) -> Session | None:
        """Return the stored session, as Django's own method does; each page asks for it."""
        keys = [] if self.session_key is None else [self.session_key]
        for key, data, expires in _STORED.rows(keys):
            if expires > timezone.now():
                return Session(session_key=key, session_data=data, expire_date=expires)
        self._session_key = None
        return None

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row to store, with its player."""
        return _owned(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row to store, with its player."""
        return _owned(await super().acreate_model_instance(data), data)


def _stored(keys: list[str]) -> QuerySet[Any, Any]:
    rows = Session.objects.filter(session_key__in=keys)
    return rows.values_list("session_key", "session_data", "expire_date")


_STORED = Prepared(_stored, str)


def valid_key(key: str | None) -> bool:
    """Return whether a session key is in the form of the site's own."""
    return key is not None and key.isascii() and key.isalnum()


def _owned(row: Any, data: dict[str, Any]) -> Session:
    player = data.get(SESSION_KEY)
    row.player_id = None if player is None else int(player)
    owned: Session = row
    return owned
