"""Import of games played elsewhere, from files or pasted, and of records entered card by card.

An imported match belongs to its importer only. Other players in the file are names of their seats;
they are never matched with players of the site, and get no accounts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from games.archive.import_files import (
    ImportProblem,
    NumberedRecord,
    refused_record,
)
from games.archive.record_files import import_record, seat_name
from games.engine.faults import quoted
from games.engine.moves import to_text
from games.engine.record import RecordError, read_record
from games.log import store
from games.models import Match, Player, Seat
from games.ops import true_time
from games.people.accounts import checked_name
from games.people.player_lock import locked_player
from games.people.resent import RESENT_WITHIN

MAX_SEATS = 3


def import_games(
    *,
    records: Sequence[NumberedRecord],
    importer: Player,
    seat: int | None,
    names: Mapping[int, str],
) -> list[Match]:
    """Store each record as a match of the importer, all of them or none, and once if sent again.

    Args:
        records: from `games.archive.import_files`.
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
                raise refused_record(record, cause) from cause
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
        created_by=importer, imported=True, created_at__gt=true_time.now() - RESENT_WITHIN
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
