"""``manage.py replay``: replay game records, print scores after each event, report errors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.faults import quoted
from games.engine.record import GameRecord, RecordError, read_record


class ReplayError(CommandError):
    """A file that cannot be read; ends the command with status 2."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=2)


class Command(BaseCommand):
    help = (
        "Read game records, one JSON object per line, and print for each a line of JSON: the list "
        "of scores after each event, or an object with the error if the rules do not allow the "
        "record. Differences and errors are also reported on standard error, and make the exit "
        "status 1."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file of game records, one per line")
        parser.add_argument(
            "--json",
            action="store_true",
            help="one object per line: record, id, scores, winner, final, difference, error",
        )

    def handle(self, *, file: Path, json: bool, **options: Any) -> None:
        wrong = 0
        for number, line in _lines(file):
            report = _replay(number, line)
            if json or report["error"]:
                self.stdout.write(orjson.dumps(report).decode())
            else:
                self.stdout.write(orjson.dumps(report["scores"]).decode())
            trouble = report["error"] or report["difference"]
            if trouble:
                wrong += 1
                self.stderr.write(f"{_name(report)}: {trouble['message']}")
        if wrong:
            raise CommandError(f"records with errors: {wrong}", returncode=1)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the non-empty lines, numbered from 1."""
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, line
    except OSError as cause:
        raise ReplayError(f"{file}: {cause.strerror}") from cause


def _replay(number: int, line: bytes) -> dict[str, Any]:
    """Return the report for one line; `scores` of an illegal record cover its legal part."""
    name: object = None
    game: GameRecord | None
    error = None
    try:
        data = orjson.loads(line)
        name = _flat(data.get("id")) if isinstance(data, dict) else None
        game = read_record(data)
    except orjson.JSONDecodeError as cause:
        game, error = None, _error(RecordError("not_json", found=str(cause)))
    except RecordError as cause:
        game, error = cause.prefix, _error(cause)
    ended = game is not None and bool(game.state.results)
    difference = None if game is None else game.difference
    return {
        "record": number,
        "id": name,
        "scores": [] if game is None else game.scores,
        "winner": game.state.results[-1].winner if game and ended else None,
        "final": game.state.scores if game and ended else None,
        "difference": None
        if difference is None
        else {
            "hand": difference.hand,
            "event": str(difference.event),
            "field": difference.field,
            "expected": difference.expected,
            "found": _flat(difference.found),
            "message": str(difference),
        },
        "error": error,
    }


def _error(cause: RecordError) -> dict[str, Any]:
    return {
        "hand": cause.hand,
        "event": None if cause.event is None else str(cause.event),
        "code": cause.key,
        "reason": cause.detail,
        "message": str(cause),
    }


def _flat(value: object) -> object:
    """Return scalars and flat lists unchanged, and nested values as short text."""
    deep = isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    return quoted(value) if deep or isinstance(value, dict) else value


def _name(report: dict[str, Any]) -> str:
    name = report["id"]
    return f"record {report['record']}" + (f" ({str(name)[:60]})" if name is not None else "")
