"""Statements that share a message to PostgreSQL."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Match, statements
from tests.support.people import make_match
from tests.support.seated import run_script

pytestmark = pytest.mark.django_db

_RENAME = "UPDATE games_match SET invite = %s WHERE id = %s"
_INVITE = "SELECT invite FROM games_match WHERE id = %s"


def test_what_is_told_together_is_done_before_what_is_asked_next() -> None:
    match, _ = make_match()
    with transaction.atomic(), CaptureQueriesContext(connection) as sent, statements.together():
        statements.tell((_RENAME, ["first", match.pk]))
        statements.tell((_RENAME, ["100 %", match.pk]))
        asked = statements.ask([(_INVITE, [match.pk]), ("SELECT %s", [7])])
        assert [list(map(tuple, rows)) for rows in asked] == [[("100 %",)], [(7,)]]
    assert len(sent) == (1 if connection.vendor == "postgresql" else 4)


def test_what_is_told_last_is_done_at_the_end() -> None:
    match, _ = make_match()
    with transaction.atomic(), statements.together():
        with statements.together():  # a block in a block is part of it
            statements.tell((_RENAME, ["first", match.pk]))
        statements.tell((_RENAME, ["last", match.pk]))
    assert Match.objects.get(pk=match.pk).invite == "last"


def test_an_error_leaves_nothing_for_the_next_block() -> None:
    match, _ = make_match()
    with pytest.raises(ZeroDivisionError), transaction.atomic(), statements.together():  # noqa: PT012
        statements.tell((_RENAME, ["lost", match.pk]))
        raise ZeroDivisionError
    with transaction.atomic(), statements.together():
        assert statements.ask([(_INVITE, [match.pk])]) == [[(match.invite,)]]


_TRACED = """
import json, tempfile
import django
django.setup()
from django.db import DatabaseError, connection, transaction
from games.models import statements

def sent():
    connection.ensure_connection()
    with tempfile.TemporaryFile() as trace:
        connection.connection.pgconn.trace(trace.fileno())
        try:
            with transaction.atomic(), statements.together():
                statements.tell(("SELECT 1", ()))
                statements.ask([("INSERT INTO auth_group (name) VALUES ('x') RETURNING id", ())])
                statements.ask([("SELECT 2", ())])
        except DatabaseError:
            pass
        connection.connection.pgconn.untrace()
        trace.seek(0)
        return [line.decode() for line in trace if b"\\tQuery\\t" in line]

with transaction.atomic():
    try:
        statements.ask([("SELECT nothing at all", ())])
    except DatabaseError:
        pass
    try:
        statements.ask([("INSERT nothing at all", ())])
    except DatabaseError:
        pass
    still = not connection.connection.autocommit

print(json.dumps({
    "still": still,
    "stored": sent(),
    "refused": sent(),
    "transacting": connection.in_atomic_block or not connection.connection.autocommit,
    "rows": statements.ask([("SELECT count(*) FROM auth_group", ())])[0][0][0],
}))
"""


def test_a_transaction_begins_in_the_message_of_its_first_statements(postgres_url: str) -> None:
    """The client library would begin it with a message of its own."""
    done = run_script(postgres_url, _TRACED, None, {})
    first, _, last = done["stored"]
    assert "BEGIN; SELECT 1; INSERT" in first
    assert "COMMIT" in last
    assert "ROLLBACK" in done["refused"][-1], "the name is taken"
    assert done["still"], "after a statement that PostgreSQL cannot read, too"
    assert (done["transacting"], done["rows"]) == (False, 1)
