"""Regular jobs about accounts: the end of bans, and deletion of what is kept for a limited time."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.db import transaction

from games.jobs.backend import BATCH, job
from games.models import Player
from games.ops import true_time
from games.people import mail_queue
from games.people.changed_accounts import refresh_tables
from games.people.chat_service import delete_old_lines


@job(queue=BATCH)
def lift_ended_bans() -> None:
    """Open the accounts again that were closed for some days; a login does it at once."""
    ended = Player.objects.filter(is_active=False, banned_until__lte=true_time.now())
    for player in ended:
        with transaction.atomic():
            if ended.filter(pk=player.pk).update(is_active=True, banned_until=None):
                refresh_tables(player=player)


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
