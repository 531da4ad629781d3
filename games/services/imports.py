"""Games from elsewhere: files of game records, and records entered card by card.

What is taken in is its importer's alone. Nobody else is seated, whatever the file says of players:
their names are kept as names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from games.accounts import checked_name, create_guest
from games.engine.record import RecordError
from games.models import Match, Player
from games.services.records import import_record

MAX_BYTES = 512 * 1024
"""The largest file that is taken; a long game with all its derived fields has 30 KB."""
MAX_GAMES = 20
"""The most games of one file."""
MAX_SEATS = 3


class ImportProblem(Exception):
    """A file that cannot be taken in.

    Attributes:
        reason: what is wrong.
        line: in which line of the file, from 1; None where it is the file as a whole.
        hand, event: where in the game, as `RecordError` has them.
    """

    def __init__(
        self, reason: str, line: int | None, hand: int | None = None, event: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.hand = hand
        self.event = event


@dataclass(frozen=True, slots=True)
class Numbered:
    """A record and the line of the file at which it begins."""

    line: int
    data: Any


def read_file(content: bytes) -> list[Numbered]:
    """Return the records of a file: one object, a list of them, or one a line.

    Raises:
        ImportProblem: when it is too large, no JSON, empty, or has too many.
    """
    if len(content) > MAX_BYTES:
        size = _("The file has more than %(n)d KB.") % {"n": MAX_BYTES // 1024}
        raise ImportProblem(size, None)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise ImportProblem(_("The file is no text in UTF-8."), None) from cause
    found = _whole(text)
    if not found:
        raise ImportProblem(_("There is no game in the file."), None)
    if len(found) > MAX_GAMES:
        told = {"most": MAX_GAMES, "n": len(found)}
        raise ImportProblem(
            _("The file has %(n)d games; at most %(most)d are taken at once.") % told, None
        )
    return found


def import_games(
    *, records: Sequence[Numbered], importer: Player, seat: int | None, names: Mapping[int, str]
) -> list[Match]:
    """Store each record as a match that is its importer's alone; all of them or none.

    Args:
        records: as `read_file` gives them.
        importer: who enters them.
        seat: where he sat himself; None if he did not.
        names: what the others are to be called; without, as the record says.

    Raises:
        ImportProblem: when one of them is no record, or no legal game.
        ValidationError: for a name that nobody may have.
    """
    made = []
    with transaction.atomic():
        for record in records:
            players = _seated(record, importer, seat, names)
            try:
                made.append(import_record(data=record.data, players=players, creator=importer))
            except RecordError as cause:
                line = record.line
                raise ImportProblem(cause.reason, line, cause.hand, cause.event) from cause
    return made


def _whole(text: str) -> list[Numbered]:
    """Read a file that is one JSON value, or else one value a line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _lines(text)
    return [Numbered(1, one) for one in value] if isinstance(value, list) else [Numbered(1, value)]


def _lines(text: str) -> list[Numbered]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(Numbered(number, json.loads(line)))
        except (ValueError, RecursionError) as cause:
            raise ImportProblem(_json_reason(cause), number) from cause
        if len(found) > MAX_GAMES:
            break
    return found


def _json_reason(cause: Exception) -> str:
    if isinstance(cause, json.JSONDecodeError):
        return _("This is no JSON: %(what)s at character %(n)d.") % {
            "what": cause.msg,
            "n": cause.pos + 1,
        }
    if isinstance(cause, RecursionError):
        return _("This is nested too deeply.")
    return _("A number in it is too long.")


def _seated(
    record: Numbered, importer: Player, seat: int | None, names: Mapping[int, str]
) -> dict[int, Player]:
    """Return who sits where: the importer in his seat, names elsewhere and never anybody's row."""
    about = record.data if isinstance(record.data, dict) else {}
    number = about.get("players")
    if type(number) is not int or number not in {2, MAX_SEATS}:
        return {}  # no record: whoever reads it says so
    if seat is not None and seat >= number:
        raise ImportProblem(_("That game has no third seat."), record.line)
    said = about.get("seats")
    rows = said if isinstance(said, list) else []
    seated = {}
    for place in range(number):
        if place == seat:
            seated[place] = importer
            continue
        row = rows[place] if place < len(rows) and isinstance(rows[place], dict) else {}
        name = names.get(place) or _fit(row.get("name"), place)
        seated[place] = create_guest(name=name)
    return seated


def _fit(name: object, place: int) -> str:
    """Return a name of a file as it is kept, or one for the seat where nobody may have it."""
    try:
        return checked_name(str(name)) if name else _("Seat %(n)d") % {"n": place + 1}
    except ValidationError:
        return _("Seat %(n)d") % {"n": place + 1}
