"""``manage.py export_match``: write a match as game records."""

from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.archive.record_files import export_match
from games.models import Match


class Command(BaseCommand):
    help = (
        "Write a match as game records, one game per line: who played, when, and every card. "
        "The hidden cards of a running match are included, so this is for administrators only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", metavar="ID", help="the match, as in its address")

    def handle(self, *, id: str, **options: Any) -> None:  # noqa: A002 - named in the help
        match = Match.objects.filter(public_id=id).first()
        if match is None:
            raise CommandError(f"no such match: {id}", returncode=2)
        for record in export_match(match=match):
            self.stdout.write(orjson.dumps(record).decode())
