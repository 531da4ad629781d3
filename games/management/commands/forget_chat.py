"""``manage.py forget_chat``: delete old chat lines."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.people.chat_service import KEPT, delete_old_lines

MOST_DAYS = 36_500
"""No site has older lines."""


class Command(BaseCommand):
    help = "Delete old chat lines, except those named in an open report."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=KEPT.days, help="older than this many days (%(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["days"] <= MOST_DAYS:
            raise CommandError(f"--days must be 0 or more, and at most {MOST_DAYS}")
        self.stdout.write(f"{delete_old_lines(kept=timedelta(days=options['days']))} lines deleted")
