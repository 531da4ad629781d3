"""The end of a day with several real processes: the daily game is closed exactly once."""

from __future__ import annotations

import psycopg
import pytest

from tests.support.at_once import LOCK_WAITS
from tests.support.launcher import Script
from tests.support.logs import query
from tests.support.servers import site_environment
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

AUDIT = """
CREATE TABLE closings (game bigint);
CREATE FUNCTION note_closing() RETURNS trigger AS
  'BEGIN INSERT INTO closings VALUES (NEW.id); RETURN NEW; END' LANGUAGE plpgsql;
CREATE TRIGGER note_closing AFTER UPDATE OF state ON ratings_standardgame
  FOR EACH ROW WHEN (NEW.state = 'closed') EXECUTE FUNCTION note_closing();
"""

YESTERDAYS_GAME = """
import django
django.setup()
from datetime import timedelta
from ratings.standard import daily
today = daily.today()
daily.game_of(day=today, in_background=False)
print(daily.game_of(day=today - timedelta(days=1), in_background=False).pk)
"""


TURN_DAY = """
import django
django.setup()
from ratings.standard.daily import turn_day
turn_day.call()
"""

WORKERS = 4


def waiting(url: str) -> int:
    """Return how many database connections are waiting for a lock."""
    return int(query(url, LOCK_WAITS)[0][0])


def test_a_daily_game_is_closed_once_by_several_workers_and_after_a_restart(
    postgres_url: str,
) -> None:
    """Several workers find yesterday's game open; one closes it, and none does so again."""
    environment = site_environment(postgres_url)
    game = int(Script(["-c", YESTERDAYS_GAME], environment).finish())
    with psycopg.connect(postgres_url) as held:
        held.execute(AUDIT)
        held.commit()
        held.execute("SELECT 1 FROM ratings_standardgame WHERE id = %s FOR UPDATE", [game])
        turning = [Script(["-c", TURN_DAY], environment) for _ in range(WORKERS)]
        wait_for(lambda: waiting(postgres_url) == WORKERS)
        held.commit()
        for each in turning:
            each.finish()
    stamp = "SELECT state, closed_at FROM ratings_standardgame WHERE id = ?"
    closed = query(postgres_url, stamp, game)
    assert closed[0][0] == "closed"
    Script(["-c", TURN_DAY], environment).finish()
    assert query(postgres_url, "SELECT count(*) FROM closings WHERE game = ?", game) == [(1,)]
    assert query(postgres_url, stamp, game) == closed
