"""Two pages of one player in the queue, on a real server with PostgreSQL."""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.logs import query, run_script
from tests.support.servers import Site, StartSite
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.slow

TOKEN = "a" * 32

BLOCKED = "SELECT count(*) FROM pg_locks WHERE NOT granted"


def test_a_second_page_does_not_queue_a_player_who_is_being_seated(
    start_site: StartSite, postgres_url: str
) -> None:
    """It has seen no table yet, and stores its ticket when the opponent's page pairs them."""
    site = start_site(database_url=postgres_url)
    (people,) = make_tables(postgres_url, wish())
    ann, bob = people.cookies
    post(site, "enter/", bob)
    run_script(postgres_url, "UPDATE ratings_ticket SET seen_at = now() - interval '1 minute'")
    post(site, "enter/", ann)
    with ThreadPoolExecutor(2) as pages:
        with psycopg.connect(postgres_url) as connection:
            # The second page stops before it stores its ticket: it reads the rating first.
            connection.execute("LOCK TABLE ratings_rating IN ACCESS EXCLUSIVE MODE")
            second = pages.submit(post, site, "enter/", ann)
            wait_for(lambda: query(postgres_url, BLOCKED)[0][0] >= 1)
            pairing = pages.submit(post, site, "state/", bob)
            wait_for(lambda: pairing.done() or query(postgres_url, BLOCKED)[0][0] >= 2)
        second.result(DEADLINE)
        found = json.loads(pairing.result(DEADLINE))
    assert found["table"]
    assert post(site, "enter/", ann) is not None
    assert query(postgres_url, "SELECT count(*) FROM ratings_ticket WHERE match_id IS NULL") == [
        (0,)
    ]


def post(site: Site, path: str, cookie: str) -> str:
    """Send a form of the queue's page; return the answer's text."""
    fields = urllib.parse.urlencode({"seats": 2, "csrfmiddlewaretoken": TOKEN}).encode()
    headers = {"Cookie": f"sessionid={cookie}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}
    request = urllib.request.Request(f"{site.url}/ranked/{path}", fields, headers)
    with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
        return str(answer.read().decode())
