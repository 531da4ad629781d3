"""A PostgreSQL whose administrator has given it other defaults, on which the site must not rely."""

from __future__ import annotations

import json

import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.support.launcher import Script
from tests.support.logs import run_script
from tests.support.servers import site_environment

DEFAULTS = (
    "ALTER DATABASE {name} SET default_transaction_isolation = 'serializable';"
    "ALTER DATABASE {name} SET DateStyle = 'German'"
)

_SCRIPT = """
import json
import django
django.setup()
from django.db import connection, transaction
from django.utils import timezone

def ask(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0]

levels = [ask("SHOW transaction_isolation")]
with transaction.atomic():
    levels.append(ask("SHOW transaction_isolation"))
now = timezone.now()
limits = [ask(f"SHOW tcp_{name}") for name in ("keepalives_idle", "keepalives_count")]
limits.append(ask("SHOW tcp_user_timeout"))
print(json.dumps([levels, ask("SELECT %s::timestamptz", now) == now, limits]))
"""


@pytest.mark.parametrize("pool", ["0", "2"])
def test_the_site_keeps_to_its_own_settings(postgres_url: str, pool: str) -> None:
    """Who has waited for a lock must see what its holder stored, and a date must be readable.

    The locks of a machine that is gone must not last: only a network that drops packets shows the
    effect; here the server is asked.
    """
    name = str(conninfo_to_dict(postgres_url)["dbname"])
    run_script(postgres_url, DEFAULTS.format(name=name))
    environment = {**site_environment(postgres_url), "DATABASE_POOL": pool}
    levels, same, limits = json.loads(Script(["-c", _SCRIPT], environment).finish())
    assert levels == ["read committed"] * 2
    assert same
    assert limits == ["5", "3", "10000"]
