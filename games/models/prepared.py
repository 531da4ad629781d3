"""Prepared queries: the SQL of a query by keys is built once for each process.

Building the SQL of a join takes Django longer than PostgreSQL takes to answer it, and each page and
each socket that comes to a table needs several. The queries stay ordinary querysets, which a test
compares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators  # type: ignore[attr-defined]

from games.models import statements
from games.wire.serializers import dumps

SAMPLES: dict[type, Any] = {int: -8_215_001, str: "the keys of this query"}
"""A value of each type that stands for the keys while the SQL is built, and occurs nowhere else."""

LIST = {
    ("postgresql", int): "= ANY(%s::bigint[])",
    ("postgresql", str): "= ANY(%s::text[])",
    ("sqlite", int): "IN (SELECT value FROM json_each(%s))",
    ("sqlite", str): "IN (SELECT value FROM json_each(%s))",
}
"""The SQL that takes all keys as one text instead of `IN (%s)`, by database."""


M = TypeVar("M", bound=Model)


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
        (found,) = rows_of(self, keys=keys)
        return found

    def run(self, keys: Collection[Any]) -> None:
        """Run the query for its locks alone: see `games.models.statements.together`."""
        statements.tell(self.asked(keys, connection.vendor)[0])

    def asked(
        self, keys: Collection[Any], vendor: str
    ) -> tuple[statements.Statement, Callable[[list[Any]], Iterable[Any]]]:
        """Return the statement for some keys, and what turns its rows into the result."""
        ready = self._ready.get(vendor)
        if ready is None:
            ready = self._ready[vendor] = self._prepare(vendor)
        wanted = list(keys)
        one = _array(wanted) if vendor == "postgresql" else dumps(wanted)
        values = [one if p == self._sample else p for p in ready.params]
        return (ready.sql, values), ready.convert

    def _prepare(self, vendor: str) -> _Ready:
        compiler = self._build([self._sample]).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters([column[0] for column in compiler.select])
        made = self._maker(compiler)

        def convert(rows: list[Any]) -> Iterable[Any]:
            return made(compiler.apply_converters(rows, converters) if converters else rows)

        return _Ready(sql.replace("IN (%s)", LIST[vendor, self._kind]), tuple(params), convert)

    def _maker(self, compiler: Any) -> Callable[[Iterable[Any]], Iterable[Any]]:
        """Return what makes the result from rows with Django's values."""
        return lambda rows: rows


def rows_of(*queries: Prepared, keys: Collection[Any]) -> list[Iterable[Any]]:
    """Return the rows of several queries by the same keys, with PostgreSQL in one message."""
    vendor = connection.vendor
    asked = [query.asked(keys, vendor) for query in queries]
    found = statements.ask([statement for statement, _ in asked])
    return [convert(rows) for (_, convert), rows in zip(asked, found, strict=True)]


class PreparedObjects(Prepared, Generic[M]):
    """A query for objects by their keys, with `select_related`; `build` must not defer columns."""

    def objects(self, keys: Collection[Any]) -> list[M]:
        """Return the objects of some keys, in the order of the queryset; no query without keys."""
        return list(self.rows(keys))

    def where(self, ending: str, values: Sequence[Any]) -> list[M]:
        """Return the objects of a query without keys that ends with this SQL, written by hand."""
        (start, _), convert = self.asked((), connection.vendor)
        given = [statements.adapted(value) for value in values]
        (found,) = statements.ask([(f"{start} {ending}", given)])
        return list(convert(found))

    def _maker(self, compiler: Any) -> Callable[[Iterable[Any]], Iterable[Any]]:
        """Return what makes objects of rows, as Django's own `ModelIterable` does."""
        alias, found, columns = connection.alias, compiler.klass_info, compiler.select
        model: type[Model] = found["model"]
        first, end = found["select_fields"][0], found["select_fields"][-1] + 1
        names = [column[0].target.attname for column in columns[first:end]]
        related = get_related_populators(found, columns, alias)

        def made(rows: Iterable[Any]) -> Iterable[Any]:
            for row in rows:
                one = model.from_db(alias, names, row[first:end])
                for populator in related:
                    populator.populate(row, one)
                yield one

        return made


def keep_related(one: Model, name: str, rows: list[Any]) -> None:
    """Let ``one.name.all()`` return these rows without a query, as after `prefetch_related`."""
    related = getattr(one, name)
    kept = related.all()
    kept._result_cache = rows  # noqa: SLF001 - as Django's `prefetch_one_level` does
    for row in rows:
        setattr(row, related.field.name, one)
    vars(one).setdefault("_prefetched_objects_cache", {})[name] = kept


def _array(keys: list[Any]) -> str:
    """Return keys in PostgreSQL's text form of an array; psycopg takes longer for a list."""
    quoted = (str(key).replace("\\", "\\\\").replace('"', '\\"') for key in keys)
    return "{" + ",".join([f'"{key}"' for key in quoted]) + "}"
