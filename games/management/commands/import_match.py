"""``manage.py import_match``: store game records as matches."""

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.archive.record_files import import_record
from games.engine.record import RecordError


class Command(BaseCommand):
    help = (
        "Read game records, one JSON object per line, and store each as a match of one game that "
        "is marked as imported. If any record is wrong, its line is reported, nothing is stored, "
        "and the exit status is 2."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file of game records, one per line")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            lines = file.read_bytes().splitlines()
        except OSError as cause:
            raise CommandError(f"{file}: {cause.strerror}", returncode=2) from cause
        made = []
        with transaction.atomic():
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    made.append(import_record(data=orjson.loads(line)))
                except (orjson.JSONDecodeError, RecordError) as cause:
                    raise CommandError(f"line {number}: {cause}", returncode=2) from cause
        for match in made:
            self.stdout.write(match.public_id)
