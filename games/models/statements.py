"""Statements that write many rows at once, for what is written with moves.

PostgreSQL gets all rows as one JSON value, which it turns into rows of the table's type: binding
hundreds of values takes longer than writing them. SQLite runs one prepared statement for each row.

Rows are dicts of column -> value, all with the same columns in the same order.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model

from games.wire.serializers import dumps

Row = Mapping[str, Any]

Statement = tuple[str, Sequence[Any]]
"""SQL and its values."""


class _Waiting(threading.local):
    """The statements of this thread that are sent with its next one; None outside `together`."""

    statements: list[Statement] | None = None


_waiting = _Waiting()


@contextmanager
def together() -> Iterator[None]:
    """Send statements that return nothing only with the next one that does, or at the end.

    A message to PostgreSQL and its answer take longer than most statements. Only statements of this
    module and of `games.models.prepared` wait; other queries of the block run before them, so they
    must not depend on each other. Open a transaction around the block. SQLite runs all at once.
    PostgreSQL takes several in a message because Django binds the values on the client.
    """
    if connection.vendor != "postgresql" or _waiting.statements is not None:
        yield
        return
    _waiting.statements = []
    try:
        yield
        ask([])
    finally:
        _waiting.statements = None


def tell(statement: Statement) -> None:
    """Run a statement whose rows are not needed, in `together` with the next one."""
    if _waiting.statements is not None:
        _waiting.statements.append(statement)
        return
    with connection.cursor() as cursor:
        cursor.execute(*statement)


def ask(statements: Sequence[Statement]) -> list[list[Any]]:
    """Run statements, with PostgreSQL in one message; return the rows of each."""
    told: Sequence[Statement] = ()
    if _waiting.statements is not None:
        told, _waiting.statements = _waiting.statements, []
    every = [*told, *statements]
    if not every:
        return []
    database = connections[DEFAULT_DB_ALIAS]  # `connection` looks it up for each attribute
    with database.cursor() as cursor:
        if database.vendor != "postgresql":
            return [cursor.execute(*each).fetchall() for each in every]
        begins = _begins_now(database.connection)
        if begins:
            told, every = [("BEGIN", ()), *told], [("BEGIN", ()), *every]
        try:
            cursor.execute(
                "; ".join([sql for sql, _ in every]), [value for _, some in every for value in some]
            )
        except Exception:
            if begins and database.connection.pgconn.transaction_status == _IDLE:
                database.connection.autocommit = False  # not even the transaction has begun
            raise
        found = []
        for number in range(len(every)):
            if number:
                cursor.nextset()
            if number >= len(told):
                found.append(cursor.fetchall())
    return found


_IDLE = 0
"""`psycopg.pq.TransactionStatus.IDLE`, which is not imported for SQLite."""


def _begins_now(raw: Any) -> bool:
    """Return whether the next message to PostgreSQL has to begin a transaction.

    Psycopg would begin it with a message of its own; it ends it all the same.
    """
    if raw.autocommit or raw.pgconn.transaction_status != _IDLE:
        return False
    raw.autocommit = True
    return True


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
    values: list[Any]
    if connection.vendor == "postgresql":
        source, values = f"SELECT {columns} FROM {_given(table)}", [dumps(list(rows))]  # noqa: S608
    else:
        place = f"({', '.join(['%s'] * len(rows[0]))})"
        source = f"VALUES {', '.join([place] * len(rows))}"
        values = [adapted(value) for row in rows for value in row.values()]
    statement = f"INSERT INTO {table} ({columns}) {source} {ending}"
    (made,) = ask([(statement, values)])
    return [found for (found,) in made]


def insert(row: Model, also: Sequence[Statement] = ()) -> None:
    """Insert an unsaved row with all its columns, and set its primary key; no signals are sent.

    ``also``: statements that follow, with PostgreSQL in the same message. The first ``%s`` of each
    stands for the new primary key, which its values leave out. They see the database as it was.
    """
    fields = row._meta.concrete_fields  # noqa: SLF001 - Django's documented interface to a model
    values = {each.column: getattr(row, each.attname) for each in fields if not each.primary_key}
    table, columns = row._meta.db_table, ", ".join(values)  # noqa: SLF001
    if connection.vendor == "postgresql":
        made = (
            f"INSERT INTO {table} ({columns}) SELECT {columns} "  # noqa: S608
            f"FROM {_given(table)} RETURNING id"
        )
        given: list[Any] = [dumps([values])]
        for number, (sql, more) in enumerate(also):
            of_new = sql.replace("%s", "(SELECT id FROM made)", 1)
            made += f"), also_{number} AS ({of_new}"
            given += more
        (((row.pk,),),) = ask([(f"WITH made AS ({made}) SELECT id FROM made", given)])  # noqa: S608
        return
    places = ", ".join(["%s"] * len(values))
    insertion = f"INSERT INTO {table} ({columns}) VALUES ({places}) RETURNING id"  # noqa: S608
    (((row.pk,),),) = ask([(insertion, [adapted(value) for value in values.values()])])
    for sql, more in also:
        tell((sql, [row.pk, *more]))


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
    tell((statement, [dumps(list(rows))]))


def _run_many(statement: str, values: Sequence[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(statement, [tuple(map(adapted, each)) for each in values])


def adapted(value: Any) -> Any:
    """Return a value as SQLite stores it; PostgreSQL takes that, too."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, UUID):
        return value.hex
    return dumps(value) if isinstance(value, dict | list) else value
