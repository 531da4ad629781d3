"""Statements that write many rows at once, for what is written with moves.

PostgreSQL gets all rows as one JSON value, which it turns into rows of the table's type: binding
hundreds of values takes longer than writing them. SQLite runs one prepared statement for each row.

Rows are dicts of column -> value, all with the same columns in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Model

from games.wire.serializers import dumps

Row = Mapping[str, Any]


def update(table: str, rows: Sequence[Row]) -> None:
    """Update rows of a table by their ``id``, which must be their first column."""
    columns = list(rows[0])[1:]
    if connection.vendor == "postgresql":
        changes = ", ".join(f"{name} = new.{name}" for name in columns)
        _run(
            f"UPDATE {table} AS old SET {changes} FROM {_given(table)} AS new "  # noqa: S608
            "WHERE old.id = new.id",
            rows,
        )
        return
    changes = ", ".join(f"{name} = %s" for name in columns)
    values = [(*list(row.values())[1:], row["id"]) for row in rows]
    _run_many(f"UPDATE {table} SET {changes} WHERE id = %s", values)  # noqa: S608


def insert_new(table: str, rows: Sequence[Row], *, key: str) -> list[Any]:
    """Insert the rows whose key is not there yet; return the keys of those inserted, as stored."""
    columns = ", ".join(rows[0])
    ending = f"ON CONFLICT ({key}) DO NOTHING RETURNING {key}"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"INSERT INTO {table} ({columns}) SELECT {columns} "  # noqa: S608
                f"FROM {_given(table)} {ending}",
                [dumps(list(rows))],
            )
        else:
            places = ", ".join([f"({', '.join(['%s'] * len(rows[0]))})"] * len(rows))
            cursor.execute(
                f"INSERT INTO {table} ({columns}) VALUES {places} {ending}",  # noqa: S608
                [_adapted(value) for row in rows for value in row.values()],
            )
        return [found for (found,) in cursor.fetchall()]


def insert(row: Model) -> None:
    """Insert an unsaved row with all its columns, and set its primary key; no signals are sent."""
    fields = row._meta.concrete_fields  # noqa: SLF001 - Django's documented interface to a model
    values = {each.column: getattr(row, each.attname) for each in fields if not each.primary_key}
    table, columns = row._meta.db_table, ", ".join(values)  # noqa: SLF001
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"INSERT INTO {table} ({columns}) SELECT {columns} "  # noqa: S608
                f"FROM {_given(table)} RETURNING id",
                [dumps([values])],
            )
        else:
            places = ", ".join(["%s"] * len(values))
            cursor.execute(
                f"INSERT INTO {table} ({columns}) VALUES ({places}) RETURNING id",  # noqa: S608
                [_adapted(value) for value in values.values()],
            )
        (row.pk,) = cursor.fetchone()


def add(table: str, rows: Sequence[Row], *, keys: Sequence[str]) -> None:
    """Add the other columns of the rows to the row with these keys, which is made if needed."""
    columns = ", ".join(rows[0])
    sums = ", ".join(
        f"{name} = {table}.{name} + excluded.{name}" for name in rows[0] if name not in keys
    )
    ending = f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {sums}"
    if connection.vendor == "postgresql":
        _run(
            f"INSERT INTO {table} ({columns}) SELECT {columns} "  # noqa: S608
            f"FROM {_given(table)} {ending}",
            rows,
        )
        return
    places = ", ".join(["%s"] * len(rows[0]))
    _run_many(
        f"INSERT INTO {table} ({columns}) VALUES ({places}) {ending}",  # noqa: S608
        [tuple(row.values()) for row in rows],
    )


def _given(table: str) -> str:
    """Return the rows of a statement's only value."""
    return f"json_populate_recordset(NULL::{table}, %s::json)"


def _run(statement: str, rows: Sequence[Row]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [dumps(list(rows))])


def _run_many(statement: str, values: Sequence[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(statement, [tuple(map(_adapted, each)) for each in values])


def _adapted(value: Any) -> Any:
    """Return a value as SQLite stores it."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, UUID):
        return value.hex
    return dumps(value) if isinstance(value, dict | list) else value
