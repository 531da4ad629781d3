"""The end of a day with several real processes: the daily game is closed exactly once."""

from __future__ import annotations

import urllib.request
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.launcher import Script
from tests.support.logs import query
from tests.support.servers import Site, StartSite, site_environment
from tests.support.waiting import DEADLINE, wait_for

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


def look_at_today(site: Site) -> int:
    """Open the daily page, which closes the games of earlier days; return the status."""
    with urllib.request.urlopen(f"{site.url}/daily/", timeout=DEADLINE) as page:
        return int(page.status)


def waiting(url: str) -> int:
    """Return how many database connections are waiting for a lock."""
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return int(query(url, blocked)[0][0])


def test_a_daily_game_is_closed_once_by_several_processes_and_after_a_restart(
    start_site: StartSite, postgres_url: str
) -> None:
    """Several requests find yesterday's game open; one closes it, and none does so again."""
    game = int(Script(["-c", YESTERDAYS_GAME], site_environment(postgres_url)).finish())
    sites = [start_site(database_url=postgres_url) for _ in range(2)]
    with psycopg.connect(postgres_url) as held, ThreadPoolExecutor(4) as visitors:
        held.execute(AUDIT)
        held.commit()
        held.execute("SELECT 1 FROM ratings_standardgame WHERE id = %s FOR UPDATE", [game])
        visits = [visitors.submit(look_at_today, site) for site in sites * 2]
        wait_for(lambda: waiting(postgres_url) == len(visits))
        held.commit()
        assert [visit.result() for visit in visits] == [200] * len(visits)
    stamp = "SELECT state, closed_at FROM ratings_standardgame WHERE id = ?"
    closed = query(postgres_url, stamp, game)
    assert closed[0][0] == "closed"
    sites[0].kill()
    sites[0].start()
    assert look_at_today(sites[0]) == 200
    assert query(postgres_url, "SELECT count(*) FROM closings WHERE game = ?", game) == [(1,)]
    assert query(postgres_url, stamp, game) == closed
