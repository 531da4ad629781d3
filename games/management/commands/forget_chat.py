"""``manage.py forget_chat``: delete the lines of the chat that are older than is kept."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services.chat import KEPT, forget


class Command(BaseCommand):
    help = "Delete old lines of the chat, but for those that an open report names."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=KEPT.days, help="older than so many days (%(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["days"] < 0:
            raise CommandError("--days is 0 or more")
        self.stdout.write(f"{forget(kept=timedelta(days=options['days']))} lines deleted")
