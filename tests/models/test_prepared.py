"""Prepared queries: they find what their querysets find, with the same types."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cribbage_site import session, session_store
from games.correspondence import turns
from games.log import match_meta
from games.models import Match
from games.models.prepared import Prepared
from games.people import chat, player_lock
from games.tables import tables
from tests.support.people import make_match

pytestmark = pytest.mark.django_db

FIELDS = ("pk", "public_id", "created_at", "watchable", "ruleset", "clock", "rematch__public_id")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_rows_are_those_of_the_queryset(number: int) -> None:
    def build(keys: list[Any]) -> Any:
        return Match.objects.filter(pk__in=keys).order_by("-pk").values_list(*FIELDS)

    pks = [make_match()[0].pk for _ in range(3)][:number]
    query = Prepared(build)
    assert [tuple(row) for row in query.rows(pks)] == list(build(pks))
    assert [tuple(row) for row in query.rows(set(pks))] == list(build(pks))


def test_rows_are_found_by_text() -> None:
    match, _ = make_match()
    query = Prepared(lambda keys: Match.objects.filter(public_id__in=keys).values_list("pk"), str)
    odd = ["'; --", "%s", '"', "\\", "{}", ",", "\n", "NULL", ""]
    assert list(query.rows([*odd, match.public_id])) == [(match.pk,)]
    Match.objects.filter(pk=match.pk).update(public_id='",\\}')
    assert list(query.rows([*odd, '",\\}'])) == [(match.pk,)]


def test_without_keys_the_database_is_not_asked() -> None:
    query = Prepared(lambda keys: Match.objects.filter(pk__in=keys).values_list("pk"))
    with CaptureQueriesContext(connection) as asked:
        assert list(query.rows([])) == []
    assert len(asked) == 0


def test_the_samples_occur_in_every_prepared_query() -> None:
    """Otherwise a query would look for the sample, and find nothing."""
    queries = [
        value
        for module in (match_meta, chat, session, session_store, player_lock, tables, turns)
        for value in vars(module).values()
        if isinstance(value, Prepared)
    ]
    assert len(queries) == 11
    for query in queries:
        ready = query._prepare(connection.vendor)
        assert query._sample in ready.params
        assert "IN (%s)" not in ready.sql
