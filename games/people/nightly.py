"""Nightly deletion of what is kept for a limited time: chat lines, sessions and unsent mails."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings

from games.jobs.backend import BATCH, job
from games.people import mail_queue
from games.people.chat_service import delete_old_lines


@job(queue=BATCH)
def delete_old_chat() -> None:
    """Delete old chat lines."""
    delete_old_lines()


@job(queue=BATCH)
def delete_old_sessions() -> None:
    """Delete sessions that have expired."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


@job(queue=BATCH)
def delete_old_mails() -> None:
    """Delete mails that could not be sent."""
    mail_queue.delete_old()
