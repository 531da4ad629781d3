"""``manage.py import_match``: store games from a file as matches."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.archive.import_files import (
    ImportProblem,
    NumberedRecord,
    problem_words,
    read_file,
    refused_record,
)
from games.archive.record_files import import_record
from games.engine.record import RecordError
from games.models import Match


class Command(BaseCommand):
    help = (
        "Read games from a file, and store each as a match of one game that is marked as imported. "
        "The file holds game records (JSON: one, a list, or one per line), or games in the "
        "notation of HALSCRIB, cribbage-zero or OpenSpiel; their number is not limited. If any "
        "game is wrong, its line is reported, nothing is stored, and the exit status is 2."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file of games")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            content = file.read_bytes()
        except OSError as cause:
            raise CommandError(f"{file}: {cause.strerror}", returncode=2) from cause
        try:
            with transaction.atomic():
                made = [_import(record) for record in read_file(content)]
        except ImportProblem as cause:
            raise CommandError(f"{file}: {problem_words(cause)}", returncode=2) from cause
        for match in made:
            self.stdout.write(match.public_id)


def _import(record: NumberedRecord) -> Match:
    try:
        return import_record(data=record.data)
    except RecordError as cause:
        raise refused_record(record, cause) from cause
