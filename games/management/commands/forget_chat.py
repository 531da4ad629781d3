"""``manage.py forget_chat``: delete old chat lines."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.people.chat_service import KEPT, delete_old_lines


class Command(BaseCommand):
    help = "Delete old chat lines, except those named in an open report."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=KEPT.days, help="older than this many days (%(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["days"] < 0:
            raise CommandError("--days must be 0 or more")
        self.stdout.write(f"{delete_old_lines(kept=timedelta(days=options['days']))} lines deleted")
