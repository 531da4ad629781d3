"""Prepared queries: the SQL of a query by keys is built once for each process.

Building the SQL of a join takes Django longer than PostgreSQL takes to answer it, and each socket
that comes to a table needs several. The queries stay ordinary querysets, which a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.wire.serializers import dumps

SAMPLES: dict[type, Any] = {int: -8_215_001, str: "the keys of this query"}
"""A value of each type that stands for the keys while the SQL is built, and occurs nowhere else."""

LIST = {
    ("postgresql", int): "= ANY(%s::bigint[])",
    ("postgresql", str): "= ANY(%s::text[])",
    ("sqlite", int): "IN (SELECT value FROM json_each(%s))",
    ("sqlite", str): "IN (SELECT value FROM json_each(%s))",
}
"""How each database takes all keys as one text, instead of `IN (%s)`."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """The SQL for one database.

    Attributes:
        sql: the statement.
        params: its parameters, with a sample where the keys belong.
        convert: turns the database's rows into Django's values.
    """

    sql: str
    params: tuple[Any, ...]
    convert: Callable[[list[Any]], Iterable[Any]]


class Prepared:
    """A query for rows by their keys.

    Args:
        build: returns the queryset for a list of keys, with `values_list`. It must filter by the
            keys with `__in` alone, and depend on nothing else that changes.
        kind: the type of the keys, `int` or `str`.
    """

    def __init__(
        self, build: Callable[[list[Any]], QuerySet[Any, Any]], kind: type[Any] = int
    ) -> None:
        self._build = build
        self._kind = kind
        self._sample = SAMPLES[kind]
        self._ready: dict[str, _Ready] = {}

    def rows(self, keys: Collection[Any]) -> Iterable[Any]:
        """Return the rows of some keys, in the order of the queryset; no query without keys."""
        if not keys:
            return ()
        vendor = connection.vendor
        ready = self._ready.get(vendor)
        if ready is None:
            ready = self._ready[vendor] = self._prepare(vendor)
        wanted = list(keys)
        one = _array(wanted) if vendor == "postgresql" else dumps(wanted)
        with connection.cursor() as cursor:
            cursor.execute(ready.sql, [one if p == self._sample else p for p in ready.params])
            return ready.convert(cursor.fetchall())

    def _prepare(self, vendor: str) -> _Ready:
        compiler = self._build([self._sample]).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters([column[0] for column in compiler.select])

        def convert(rows: list[Any]) -> Iterable[Any]:
            return compiler.apply_converters(rows, converters) if converters else rows

        return _Ready(sql.replace("IN (%s)", LIST[vendor, self._kind]), tuple(params), convert)


def _array(keys: list[Any]) -> str:
    """Return keys in PostgreSQL's text form of an array; psycopg takes longer for a list."""
    quoted = (str(key).replace("\\", "\\\\").replace('"', '\\"') for key in keys)
    return "{" + ",".join([f'"{key}"' for key in quoted]) + "}"
