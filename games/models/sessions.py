"""The model of browser sessions, which can be looked up by player."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _


class Session(AbstractBaseSession):
    """A session in Django's own table, with one more column for the player.

    The table remains Django's, so that during a roll-out, code older than this column can read and
    write the same sessions. A session stored by old code has no player until it is stored again.
    """

    player_id = models.BigIntegerField(null=True, db_index=True)

    class Meta:
        """Django's table, which `django.contrib.sessions` creates."""

        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        db_table = "django_session"
        managed = False

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the class that reads and writes sessions."""
        store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
        return store
