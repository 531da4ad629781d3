"""The end of a day, seen by real processes at once: its game is closed once and for all."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.games.logs import query
from tests.servers import ROOT, Site, StartSite, site_environment

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
from ratings.services import daily
today = daily.today()
daily.game_of(day=today, aside=False)
print(daily.game_of(day=today - timedelta(days=1), aside=False).pk)
"""

WITHIN = 60.0
"""Seconds for what takes a moment on a machine that does nothing else."""


def look_at_today(site: Site) -> int:
    """Open the page of the daily game, which closes those of earlier days; return the status."""
    with urllib.request.urlopen(f"{site.url}/daily/", timeout=WITHIN) as page:
        return int(page.status)


def waiting(url: str) -> int:
    """Return how many connections of the database wait for a row that another one holds."""
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return int(query(url, blocked)[0][0])


def test_a_day_is_closed_once_by_several_processes_and_after_a_restart(
    start_site: StartSite, postgres_url: str
) -> None:
    """All find yesterday's game open and want to close it; one does, and no later process."""
    made = subprocess.run(
        [sys.executable, "-c", YESTERDAYS_GAME],
        cwd=ROOT,
        env=site_environment(postgres_url),
        check=True,
        capture_output=True,
        text=True,
    )
    game = int(made.stdout)
    sites = [start_site(database_url=postgres_url) for _ in range(2)]
    with psycopg.connect(postgres_url) as held, ThreadPoolExecutor(4) as visitors:
        held.execute(AUDIT)
        held.commit()
        held.execute("SELECT 1 FROM ratings_standardgame WHERE id = %s FOR UPDATE", [game])
        visits = [visitors.submit(look_at_today, site) for site in sites * 2]
        end = time.monotonic() + WITHIN
        while waiting(postgres_url) < len(visits):
            assert time.monotonic() < end, "the processes do not meet"
            time.sleep(0.05)
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
