"""Import of games played elsewhere: files, and records entered card by card.

Files hold game records, or games in the notation of another program (`games.archive.notations`).
An imported match belongs to its importer only. Other players in the file are names of their seats;
they are never matched with players of the site, and get no accounts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone

from games.archive.notations.readers import read_notation
from games.archive.notations.written_game import NotationError
from games.archive.record_files import import_record, seat_name
from games.engine.faults import quoted
from games.engine.moves import to_text
from games.engine.record import RecordError, read_record
from games.engine.record_check import RecordEvent
from games.log import store
from games.models import Match, Player, Seat
from games.people.accounts import checked_name
from games.people.player_lock import locked_player
from games.people.resent import RESENT_WITHIN

MAX_BYTES = 512 * 1024
"""The largest file accepted; a long game with all derived fields takes 30 KB."""
MAX_GAMES = 20
"""Maximum number of games in a file."""
MAX_SEATS = 3


class ImportProblem(Exception):
    """A file that cannot be imported.

    Attributes:
        key, params: what is wrong, for `games.text.fault_sentences`.
        line: line of the file, from 1; None if the file as a whole is wrong.
        hand, event: position in the game, as in `RecordError`.
    """

    def __init__(
        self,
        key: str,
        line: int | None = None,
        hand: int | None = None,
        event: RecordEvent | None = None,
        **params: object,
    ) -> None:
        super().__init__(key)
        self.key = key
        self.params = params
        self.line = line
        self.hand = hand
        self.event = event


@dataclass(frozen=True, slots=True)
class NumberedRecord:
    """A record with the line of the file where it starts.

    ``hand_lines`` is the line of each hand, in notations that take several lines for a game.
    """

    line: int
    data: Any
    hand_lines: tuple[int, ...] = ()

    def line_of(self, hand: int | None) -> int:
        """Return the line of a hand, from 1; the record's own if the hand has none."""
        if hand is not None and hand <= len(self.hand_lines):
            return self.hand_lines[hand - 1]
        return self.line


def read_file(content: bytes) -> list[NumberedRecord]:
    """Return the records of a file: JSON objects (one, a list, or one per line), or a notation.

    Raises:
        ImportProblem: if it is too large, malformed, in no known notation, empty, or has too many
            games.
    """
    if len(content) > MAX_BYTES:
        raise ImportProblem("too_large", number=MAX_BYTES // 1024)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise ImportProblem("not_utf8") from cause
    found = _written(text)
    if found is None:
        found = _parse(text)
    if not found:
        raise ImportProblem("empty")
    if len(found) > MAX_GAMES:
        raise ImportProblem("too_many_games", most=MAX_GAMES)
    return found


def import_games(
    *,
    records: Sequence[NumberedRecord],
    importer: Player,
    seat: int | None,
    names: Mapping[int, str],
) -> list[Match]:
    """Store each record as a match of the importer, all of them or none, and once if sent again.

    Args:
        records: from `read_file`.
        importer: the player who imports them.
        seat: the importer's seat; None if they did not play.
        names: names of the other seats; missing ones are taken from the record.

    Raises:
        ImportProblem: if a record is malformed, or the rules do not allow its game.
        ValidationError: for a name that is not allowed.
    """
    made: list[Match] = []
    with locked_player(importer):
        seated = [_seated(record, importer, seat, names) for record in records]
        known = _imported_already(records, seated, importer)
        if known:
            return known
        for record, players in zip(records, seated, strict=True):
            try:
                made.append(import_record(data=record.data, players=players, creator=importer))
            except RecordError as cause:
                line = record.line_of(cause.hand)
                raise ImportProblem(
                    cause.key, line, cause.hand, cause.event, **cause.params
                ) from cause
    return made


def refused_names(
    *, records: Sequence[NumberedRecord], seat: int | None, names: Mapping[int, str]
) -> list[str]:
    """Return the names in well-formed records, quoted, that are not allowed here, each once."""
    rows = (
        (place, str(row["name"]))
        for record in records
        for place, row in enumerate(_seats_in(record.data))
        if isinstance(row, dict) and row.get("name")
    )
    kept = (name for place, name in rows if place != seat and not names.get(place))
    return list(dict.fromkeys(quoted(name) for name in kept if not _is_allowed(name)))


def _is_allowed(name: str) -> bool:
    try:
        checked_name(name)
    except ValidationError:
        return False
    return True


def _imported_already(
    records: Sequence[NumberedRecord],
    seated: Sequence[Mapping[int, Player | str]],
    importer: Player,
) -> list[Match]:
    """Return the importer's newest imports if they are these games, and were made just now."""
    rows = Match.objects.filter(
        created_by=importer, imported=True, created_at__gt=timezone.now() - RESENT_WITHIN
    )
    newest = list(rows.order_by("-pk")[: len(records)])[::-1]
    if len(newest) < len(records):
        return []
    for match, record, players in zip(newest, records, seated, strict=True):
        seats = {row.seat: row.player or row.name for row in match.seats.select_related("player")}
        if seats != players or not _is_of(match, record.data):
            return []
    return newest


def _is_of(match: Match, data: Any) -> bool:
    """Whether a match was stored from this record; not from one that is refused."""
    try:
        record = read_record(data)
    except RecordError:
        return False
    if record.difference is not None:
        return False
    same_rules = match.ruleset == record.ruleset.to_dict()
    moves = [to_text(move) for move in record.moves]
    return same_rules and moves == [entry.text for entry in store.whole(match.pk)]


def remove_names(*, matches: QuerySet[Match]) -> None:
    """Replace the names of players without an account by the numbers of their seats."""
    for seat in Seat.objects.filter(match__in=matches).exclude(name=""):
        Seat.objects.filter(pk=seat.pk).update(name=seat_name(seat.seat))


def _written(text: str) -> list[NumberedRecord] | None:
    """Read a file in another notation, up to one game too many; None if it is in none."""
    games = read_notation(text)
    if games is None:
        return None
    try:
        return [
            NumberedRecord(game.line, game.data, game.hand_lines)
            for game in islice(games, MAX_GAMES + 1)
        ]
    except NotationError as cause:
        raise ImportProblem(cause.key, cause.line, cause.hand, None, **cause.params) from cause


def _parse(text: str) -> list[NumberedRecord]:
    """Read a file that is one JSON value, or one value per line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if text.strip() and text.lstrip()[0] not in "[{":
            raise ImportProblem("unknown_notation") from None
        return _lines(text)
    return (
        [NumberedRecord(1, one) for one in value]
        if isinstance(value, list)
        else [NumberedRecord(1, value)]
    )


def _lines(text: str) -> list[NumberedRecord]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(NumberedRecord(number, json.loads(line)))
        except (ValueError, RecursionError) as cause:
            raise _json_problem(cause, number) from cause
        if len(found) > MAX_GAMES:
            break
    return found


def _json_problem(cause: Exception, line: int) -> ImportProblem:
    if isinstance(cause, json.JSONDecodeError):
        return ImportProblem("bad_json", line, number=cause.pos + 1)
    return ImportProblem("nested" if isinstance(cause, RecursionError) else "long_number", line)


def _seated(
    record: NumberedRecord, importer: Player, seat: int | None, names: Mapping[int, str]
) -> dict[int, Player | str]:
    """Return by seat the importer, and the names of all others."""
    about = record.data if isinstance(record.data, dict) else {}
    number = about.get("players")
    if type(number) is not int or number not in {2, MAX_SEATS}:
        return {}  # malformed: reading the record raises the error
    if seat is not None and seat >= number:
        raise ImportProblem("no_third_seat", record.line)
    rows = _seats_in(about)
    seated: dict[int, Player | str] = {}
    for place in range(number):
        if place == seat:
            seated[place] = importer
            continue
        row = rows[place] if place < len(rows) and isinstance(rows[place], dict) else {}
        given_name = names.get(place)
        seated[place] = (
            checked_name(given_name) if given_name else _usable_name(row.get("name"), place)
        )
    return seated


def _seats_in(data: Mapping[str, Any]) -> list[Any]:
    """Return what a record says about its seats; other programs may put no list there."""
    given = data.get("seats")
    return given if isinstance(given, list) else []


def _usable_name(name: object, place: int) -> str:
    """Return a name from a file in its stored form, or the seat's number if it is not allowed."""
    return checked_name(str(name)) if name and _is_allowed(str(name)) else seat_name(place)
