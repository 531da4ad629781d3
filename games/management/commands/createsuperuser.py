"""``manage.py createsuperuser``: Django's command, which names no one like another player."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError
from django.db import IntegrityError


class Command(createsuperuser.Command):
    """Django's command; it also refuses names that only look like another's, in one line."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the account.

        Raises:
            CommandError: as Django's command does, and for a name that looks like another's.
        """
        try:
            super().handle(*args, **options)
        except IntegrityError as error:
            raise CommandError("That name looks like another player's. Choose another.") from error
