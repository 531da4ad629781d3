"""The log in the database; no other module accesses the table of moves.

Its two statements serve many matches at once: `append` writes entries whose keys are still free,
`load` reads entries from given sequences on. They run in the threads of `games.log.writer` and
`games.log.reader`, or in any thread of a command.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Min, Q, QuerySet

from games.models import Move, Seat, statements
from games.ops import true_time
from games.wire.serializers import dumps

Key = tuple[int, int]
"""A match's primary key and a sequence."""

_TABLE = Move._meta.db_table  # noqa: SLF001 - Django's documented interface to a model
_COLUMNS = "match_id, sequence, seat, text, client_id, at"

AT_ONCE = 100
"""Entries in one statement when a whole log is written."""

ASKED_AT_ONCE = 500
"""Matches in one condition: SQLite refuses a thousand."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log of a match.

    Attributes:
        match: the match's primary key.
        sequence: 0, 1, 2 ... without gaps.
        seat: the seat that moved; None for chance.
        text: the engine's text form of the move.
        client_id: the client's id of the move, or "".
        at: the time of the move.
    """

    match: int
    sequence: int
    seat: int | None
    text: str
    client_id: str
    at: datetime


class Part(NamedTuple):
    """A statement that writes what entries cause, within the statement that writes them.

    It may read ``won``, the keys (``match_id``, ``sequence``) of the entries that were written, and
    what earlier parts return, by name; the tables are as they were before.
    """

    name: str
    sql: str
    values: Sequence[object]


def appending(
    entries: Sequence[Entry], followers: Sequence[Entry], parts: Sequence[Part]
) -> statements.Statement:
    """Return the one statement with which PostgreSQL writes entries and all that they cause.

    It returns the keys of the entries that were inserted, as `append`.

    Args:
        entries: at most one for each match.
        followers: entries that are written if the one of their match is.
        parts: what else is written.
    """
    every = [Part("won", _INSERT_JSON, [_as_json(entries)])]
    if followers:
        every.append(Part("followers", _FOLLOW_JSON, [_as_json(followers)]))
    every += parts
    with_all = ", ".join(f"{part.name} AS ({part.sql})" for part in every)
    values = [value for part in every for value in part.values]
    return f"WITH {with_all} SELECT match_id, sequence FROM won", values  # noqa: S608


def append(entries: Sequence[Entry]) -> set[Key]:
    """Insert ``entries`` in one statement; return the keys of those inserted.

    Entries whose key exists are skipped.

    Raises:
        django.db.Error: if the database refuses; then no entry is written.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_INSERT_JSON, [_as_json(entries)])
        else:
            cursor.execute(_insert(len(entries)), _as_values(entries))
        return {(match, sequence) for match, sequence in cursor.fetchall()}


def _as_json(entries: Sequence[Entry]) -> str:
    """Return the rows as one JSON value: psycopg takes longer to bind 600 values than to write.

    They are in the order of their matches, so that two processes never wait for each other.
    """
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
            for entry in sorted(entries, key=_by_match)
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
    """Return the entries of each match in ``wanted`` from the given sequence on, in order."""
    values = [part for key in wanted for part in key]
    found: dict[int, list[Entry]] = {match: [] for match, _ in wanted}
    with connection.cursor() as cursor:
        cursor.execute(_select(len(wanted)), values)
        for match, sequence, seat, text, client_id in cursor.fetchall():
            found[match].append(Entry(match, sequence, seat, text, client_id, _UNREAD))
    return found


def whole(match: int) -> list[Entry]:
    """Return the whole log of a match, with times."""
    rows = Move.objects.filter(match_id=match).order_by("sequence")
    return [
        Entry(row.match_id, row.sequence, row.seat, row.text, row.client_id, row.at) for row in rows
    ]


def resignations(matches: Collection[int]) -> dict[int, str]:
    """Return the ids of the resignations that ended these matches, by primary key."""
    rows = Move.objects.filter(match__in=matches, text__endswith=" resign")
    return dict(rows.values_list("match", "client_id"))


def length(match: int) -> int:
    """Return the number of entries in the log of a match."""
    return Move.objects.filter(match_id=match).count()


def lengths(matches: Sequence[int]) -> dict[int, int]:
    """Return the number of entries in each log of ``matches``; empty logs are left out."""
    rows = Move.objects.filter(match_id__in=matches).values("match_id")
    last = rows.annotate(last=Max("sequence")).values_list("match_id", "last")
    return {match: sequence + 1 for match, sequence in last}


def newest_hands(matches: Sequence[int]) -> dict[int, list[str]]:
    """Return the last deal of each match, and the starter cut since then, as texts in order."""
    rows = Move.objects.filter(match_id__in=matches, seat__isnull=True).order_by("sequence")
    found: dict[int, list[str]] = {}
    for match, text in rows.values_list("match_id", "text"):
        if text.startswith("- deal "):
            found[match] = [text]
        elif match in found:
            found[match].append(text)
    return found


def decision_requests(matches: Sequence[int]) -> dict[int, tuple[int, datetime]]:
    """Return the length of each log when the current decision was requested, and the time.

    The log's last entry requested it, except that discards are simultaneous: one player's discard
    does not request another's. Matches with an empty log are left out.
    """
    found: dict[int, tuple[int, datetime]] = {}
    for first in range(0, len(matches), ASKED_AT_ONCE):
        found |= _decision_requests(matches[first : first + ASKED_AT_ONCE])
    return found


def _decision_requests(matches: Sequence[int]) -> dict[int, tuple[int, datetime]]:
    rows = Move.objects.filter(match_id__in=matches).exclude(text__contains=" discard ")
    last = rows.values("match_id").annotate(last=Max("sequence")).values_list("match_id", "last")
    keys = Q(pk__in=[])
    for match, sequence in last:
        keys |= Q(match_id=match, sequence=sequence)
    found = Move.objects.filter(keys).values_list("match_id", "sequence", "at")
    return {match: (sequence + 1, at) for match, sequence, at in found}


def first_decision(match: int) -> int:
    """Return the sequence of the first entry that a seat made; without one, the log's length."""
    found = first_decisions([match]).get(match)
    return length(match) if found is None else found


def first_decisions(matches: Sequence[int]) -> dict[int, int]:
    """Return the sequence of the first entry that a seat made in each log; others are left out."""
    rows = Move.objects.filter(match_id__in=matches, seat__isnull=False).values("match_id")
    return dict(rows.annotate(first=Min("sequence")).values_list("match_id", "first"))


def last_decision(match: int) -> Entry | None:
    """Return the last entry that a seat made, with its time; None if there is none."""
    row = Move.objects.filter(match_id=match, seat__isnull=False).order_by("-sequence").first()
    if row is None:
        return None
    return Entry(row.match_id, row.sequence, row.seat, row.text, row.client_id, row.at)


def has_decided(match: int, seat: int) -> bool:
    """Return whether a seat has made any move."""
    return Move.objects.filter(match_id=match, seat=seat).exists()


def requests() -> QuerySet[Move]:
    """Return the entries that requested a decision, the last one first."""
    return Move.objects.exclude(text__contains=" discard ").order_by("-sequence")


def hold(match: int, length: int) -> bool:
    """Keep a log from growing until the transaction ends; False if it is already longer.

    The next entry is written and deleted again. Whoever writes it meanwhile waits for this key, and
    if somebody else is writing it, this waits.
    """
    if not append([Entry(match, length, None, "", "", true_time.now())]):
        return False
    Move.objects.filter(match_id=match, sequence=length).delete()
    return True


def withdraw_lost(entries: Sequence[Entry]) -> set[Key]:
    """Delete those entries, just written, whose seat has been given to a computer.

    Return their keys. Call it in the transaction that wrote them.
    """
    matches = {entry.match for entry in entries}
    left = set(
        Seat.objects.filter(match__in=matches, stand_in__isnull=False).values_list("match", "seat")
    )
    lost = {(entry.match, entry.sequence) for entry in entries if (entry.match, entry.seat) in left}
    for match, sequence in lost:
        Move.objects.filter(match=match, sequence=sequence).delete()
    return lost


def decision_requested_at(match: int) -> datetime | None:
    """Return when the current decision of a match was requested; None if the log is empty."""
    found = decision_requests([match])
    return found[match][1] if found else None


def write_all(entries: Iterable[Entry]) -> None:
    """Write the whole log of a new match, for imports.

    Raises:
        django.db.IntegrityError: if one of the entries exists.
    """
    rest = list(entries)
    with transaction.atomic():
        for start in range(0, len(rest), AT_ONCE):
            some = rest[start : start + AT_ONCE]
            if len(append(some)) < len(some):
                raise IntegrityError(f"match {some[0].match} already has entries")


_by_match = attrgetter("match")

_UNREAD = datetime.min  # noqa: DTZ901 - a placeholder: live play does not read the times


_UNLESS_THERE = "ON CONFLICT (match_id, sequence) DO NOTHING RETURNING match_id, sequence"
_INSERT_JSON = (
    f"INSERT INTO {_TABLE} ({_COLUMNS}) SELECT {_COLUMNS} "  # noqa: S608
    f"FROM json_populate_recordset(NULL::{_TABLE}, %s::json) {_UNLESS_THERE}"
)
_FOLLOW_JSON = (
    f"INSERT INTO {_TABLE} ({_COLUMNS}) "  # noqa: S608
    "SELECT match_id, new.sequence, seat, text, client_id, at "
    f"FROM json_populate_recordset(NULL::{_TABLE}, %s::json) AS new JOIN won USING (match_id)"
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
