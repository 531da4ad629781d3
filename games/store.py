"""The log in the database: the only module that touches the table of moves.

Two statements, both for many matches at once: `append` writes entries that no other process has
written first, `load` reads what came after a given point. They run in the threads of
`games.writer` and `games.reader`, or in any thread of a command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Q

from games.models import Move
from games.wire import dumps

Key = tuple[int, int]
"""A match's primary key and a sequence."""

_TABLE = Move._meta.db_table  # noqa: SLF001 - Django's documented interface to a model
_COLUMNS = "match_id, sequence, seat, text, client_id, at"

AT_ONCE = 100
"""Entries of one statement where a whole log is written."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log of a match.

    Attributes:
        match: the match's primary key.
        sequence: 0, 1, 2 ... without a gap.
        seat: who did it; None for chance.
        text: the engine's text form of the move.
        client_id: the sender's own id of it, or "".
        at: when it was taken.
    """

    match: int
    sequence: int
    seat: int | None
    text: str
    client_id: str
    at: datetime


def append(entries: Sequence[Entry]) -> set[Key]:
    """Write ``entries`` in one statement; return the keys of those that were not there already.

    Raises:
        django.db.Error: where the database refuses; then none of them is written.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_INSERT_JSON, [_as_json(entries)])
        else:
            cursor.execute(_insert(len(entries)), _as_values(entries))
        return {(match, sequence) for match, sequence in cursor.fetchall()}


def _as_json(entries: Sequence[Entry]) -> str:
    """Return the rows as one value: psycopg takes longer for six hundred than for the write."""
    return dumps(
        [
            {
                "match_id": entry.match,
                "sequence": entry.sequence,
                "seat": entry.seat,
                "text": entry.text,
                "client_id": entry.client_id,
                "at": entry.at,
            }
            for entry in entries
        ]
    )


def _as_values(entries: Sequence[Entry]) -> list[int | str | datetime | None]:
    adapt = connection.ops.adapt_datetimefield_value
    values: list[int | str | datetime | None] = []
    for entry in entries:
        values += (
            entry.match,
            entry.sequence,
            entry.seat,
            entry.text,
            entry.client_id,
            adapt(entry.at),
        )
    return values


def load(wanted: Sequence[Key]) -> dict[int, list[Entry]]:
    """Return, for each match of ``wanted``, its entries from the given sequence on, in order."""
    values = [part for key in wanted for part in key]
    found: dict[int, list[Entry]] = {match: [] for match, _ in wanted}
    with connection.cursor() as cursor:
        cursor.execute(_select(len(wanted)), values)
        for match, sequence, seat, text, client_id in cursor.fetchall():
            found[match].append(Entry(match, sequence, seat, text, client_id, _UNREAD))
    return found


def whole(match: int) -> list[Entry]:
    """Return the whole log of a match, with the times."""
    rows = Move.objects.filter(match_id=match).order_by("sequence")
    return [
        Entry(row.match_id, row.sequence, row.seat, row.text, row.client_id, row.at) for row in rows
    ]


def length(match: int) -> int:
    """Return how many entries the log of a match has."""
    return Move.objects.filter(match_id=match).count()


def lengths(matches: Sequence[int]) -> dict[int, int]:
    """Return how many entries the logs of ``matches`` have; those without any are left out."""
    rows = Move.objects.filter(match_id__in=matches).values("match_id")
    last = rows.annotate(last=Max("sequence")).values_list("match_id", "last")
    return {match: sequence + 1 for match, sequence in last}


def asked(matches: Sequence[int]) -> dict[int, tuple[int, datetime]]:
    """Return how long each log was when those who must act now were asked to, and when that was.

    That was with the log's last entry; all discard at once, so that the discard of one is no
    question to another. Matches whose log is empty are left out.
    """
    rows = Move.objects.filter(match_id__in=matches).exclude(text__contains=" discard ")
    last = rows.values("match_id").annotate(last=Max("sequence")).values_list("match_id", "last")
    keys = Q(pk__in=[])
    for match, sequence in last:
        keys |= Q(match_id=match, sequence=sequence)
    found = Move.objects.filter(keys).values_list("match_id", "sequence", "at")
    return {match: (sequence + 1, at) for match, sequence, at in found}


def asked_at(match: int) -> datetime | None:
    """Return when those who must act now were asked to; None where the log is empty."""
    found = asked([match])
    return found[match][1] if found else None


def write_all(entries: Iterable[Entry]) -> None:
    """Write entries of a match that is new, as an import does.

    Raises:
        django.db.IntegrityError: where one of them is there already.
    """
    rest = list(entries)
    with transaction.atomic():
        for start in range(0, len(rest), AT_ONCE):
            some = rest[start : start + AT_ONCE]
            if len(append(some)) < len(some):
                raise IntegrityError(f"match {some[0].match} has entries already")


_UNREAD = datetime.min  # noqa: DTZ901 - no moment at all: live play does not read the times


_UNLESS_THERE = "ON CONFLICT (match_id, sequence) DO NOTHING RETURNING match_id, sequence"
_INSERT_JSON = (
    f"INSERT INTO {_TABLE} ({_COLUMNS}) SELECT {_COLUMNS} "  # noqa: S608
    f"FROM json_populate_recordset(NULL::{_TABLE}, %s::json) {_UNLESS_THERE}"
)


@cache
def _insert(rows: int) -> str:
    row = "(%s, %s, %s, %s, %s, %s)"
    values = ", ".join([row] * rows)
    return f"INSERT INTO {_TABLE} ({_COLUMNS}) VALUES {values} {_UNLESS_THERE}"  # noqa: S608


@cache
def _select(matches: int) -> str:
    where = " OR ".join(["(match_id = %s AND sequence >= %s)"] * matches)
    return (
        f"SELECT match_id, sequence, seat, text, client_id FROM {_TABLE} "  # noqa: S608
        f"WHERE {where} ORDER BY match_id, sequence"
    )
