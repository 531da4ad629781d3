"""The queue between two pages and two processes, on real servers with PostgreSQL."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psycopg
import pytest

from tests.support.at_once import LOCK_WAITS
from tests.support.blocks import WITH_ACCOUNTS, block_while_seating, post
from tests.support.logs import query, run_script
from tests.support.servers import StartSite
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.slow

SEATED = """SELECT player.public_id FROM games_seat seat JOIN games_player player
ON player.id = seat.player_id WHERE seat.match_id = ? ORDER BY seat.seat"""


def test_a_second_page_does_not_queue_a_player_who_is_being_seated(
    start_site: StartSite, postgres_url: str
) -> None:
    """It has seen no table yet, and stores its ticket when the opponent's page pairs them."""
    site = start_site(database_url=postgres_url)
    (people,) = make_tables(postgres_url, wish())
    ann, bob = people.cookies
    post(site, "/ranked/enter/", bob)
    run_script(postgres_url, "UPDATE ratings_ticket SET seen_at = now() - interval '1 minute'")
    post(site, "/ranked/enter/", ann)
    with ThreadPoolExecutor(2) as pages:
        with psycopg.connect(postgres_url) as connection:
            # The second page stops before it stores its ticket: it reads the rating first.
            connection.execute("LOCK TABLE ratings_rating IN ACCESS EXCLUSIVE MODE")
            second = pages.submit(post, site, "/ranked/enter/", ann)
            wait_for(lambda: query(postgres_url, LOCK_WAITS)[0][0] >= 1)
            pairing = pages.submit(post, site, "/ranked/state/", bob)
            wait_for(lambda: pairing.done() or query(postgres_url, LOCK_WAITS)[0][0] >= 2)
        second.result(DEADLINE)
        found = json.loads(pairing.result(DEADLINE))
    assert found["table"]
    assert post(site, "/ranked/enter/", ann) is not None
    assert query(postgres_url, "SELECT count(*) FROM ratings_ticket WHERE match_id IS NULL") == [
        (0,)
    ]


@pytest.mark.parametrize("blocker", [0, 1])
def test_nobody_is_seated_with_a_player_after_blocking_them(
    start_site: StartSite, postgres_url: str, redis_url: str, blocker: int
) -> None:
    """One process has read the blocks and is pairing the two when the other one stores a block."""
    pairs, blocks = (start_site(database_url=postgres_url, redis_url=redis_url) for _ in range(2))
    (people,) = make_tables(postgres_url, wish())
    run_script(postgres_url, WITH_ACCOUNTS)
    ids = [row[0] for row in query(postgres_url, SEATED, people.pk)]
    post(pairs, "/ranked/enter/", people.cookies[0])
    address = f"/friends/{ids[1 - blocker]}/block/"
    block_while_seating(
        postgres_url,
        # The pairing stops after it has read the blocks: attempts are stored last.
        lock="LOCK TABLE ratings_attempt IN EXCLUSIVE MODE",
        seat=partial(post, pairs, "/ranked/enter/", people.cookies[1]),
        block=partial(post, blocks, address, people.cookies[blocker]),
    )
