"""Prepared queries: they find what their querysets find, with the same types."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cribbage_site import session, session_store
from games.archive import selectors
from games.correspondence import turns
from games.log import match_meta, results
from games.models import Match, Player, Seat, players
from games.models.prepared import Prepared, PreparedObjects, keep_related
from games.people import chat, friends, player_lock
from games.tables import attended, rematches
from tests.support.people import make_computer_match, make_match

pytestmark = pytest.mark.django_db

MODULES = (
    *(match_meta, chat, friends, session, session_store, players, player_lock),
    *(rematches, attended, selectors, turns, results),
)
COLUMNS = [field.attname for field in Player._meta.concrete_fields]
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


def test_objects_are_those_of_the_queryset() -> None:
    def build(keys: list[Any]) -> Any:
        rows = Seat.objects.filter(match__in=keys).order_by("match_id", "seat")
        return rows.select_related("match__rematch", "player__owner", "stand_in")

    pks = [make_match()[0].pk, make_computer_match()[0].pk]
    query = PreparedObjects[Seat](build)
    with CaptureQueriesContext(connection) as asked:
        found = query.objects(pks)
        values = [contents(each) for each in found]
    assert len(asked) == 1, "nothing is read later"
    assert values == [contents(each) for each in build(pks)]
    assert len(found) == 4
    found[0].substituted = True
    found[0].save()
    assert Seat.objects.get(pk=found[0].pk).substituted


def contents(seat: Seat) -> list[dict[str, Any] | None]:
    """Return the columns of a seat and of what was read with it."""
    player = seat.player
    rows = (seat, seat.match, seat.match.rematch, player, player and player.owner, seat.stand_in)
    return [
        row and {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        for row in rows
    ]


def test_related_rows_that_are_kept_need_no_query() -> None:
    match, _ = make_match()
    rows = list(Seat.objects.filter(match=match))
    keep_related(match, "seats", rows)
    with CaptureQueriesContext(connection) as asked:
        assert list(match.seats.all()) == rows
        assert all(seat.match is match for seat in match.seats.all())
    assert len(asked) == 0
    assert match.seats.filter(seat=1).get() == rows[1]


def test_one_player_is_found_by_key_as_by_any_column() -> None:
    guest, other = make_match()[1]
    with CaptureQueriesContext(connection) as asked:
        found = Player.objects.get(pk=guest.pk)
        assert [getattr(found, name) for name in COLUMNS] == [
            getattr(guest, name) for name in COLUMNS
        ]
    assert len(asked) == 1
    assert found == Player.objects.get(public_id=guest.public_id)
    with pytest.raises(Player.DoesNotExist):
        Player.objects.get(pk=-1)
    with pytest.raises(Player.DoesNotExist):
        Player.objects.get(pk=2**70)
    with pytest.raises(Player.DoesNotExist):
        Player.objects.get(pk=guest.pk, name="another")
    program = Player.objects.get(pk=other.pk)
    with pytest.raises(Player.DoesNotExist):  # not one of this owner's
        guest.programs.get(pk=program.pk)


def test_the_samples_occur_in_every_prepared_query() -> None:
    """Otherwise a query would look for the sample, and find nothing."""
    queries = [
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, Prepared)
    ]
    assert len(queries) == 21
    for query in queries:
        ready = query._prepare(connection.vendor)
        assert query._sample in ready.params
        assert "IN (%s)" not in ready.sql
