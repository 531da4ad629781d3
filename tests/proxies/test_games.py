"""Whole games through nginx and Caddy: pages, forms, sockets, and which process gets them."""

from __future__ import annotations

import asyncio
import re

from tests.support.clients import play_match
from tests.support.logs import check_log, query
from tests.support.proxied_site import Behind, SecureClient, Visitor
from tests.support.proxies import Proxy
from tests.support.tables import wish
from tests.support.waiting import wait_for

TABLES = 6


def test_two_people_meet_and_play_a_game_through_the_proxy(behind: Behind, proxy: Proxy) -> None:
    """One invites, the other follows the link, and both play to the end."""
    ann, bob = Visitor(behind, proxy), Visitor(behind, proxy)
    made = ann.post("/invite/", {"players": "2", "target": "61", "games": "1", "name": "Ann"})
    assert made.status == 302, made
    table = made.headers["location"]
    assert ann.get(table).status == 200
    match = table.strip("/").partition("/")[2]
    ((invite,),) = query(
        behind.database_url, "SELECT invite FROM games_match WHERE public_id = ?", match
    )
    joined = bob.post(f"/join/{invite}/", {"name": "Bob"})
    assert (joined.status, joined.headers["location"]) == (302, table)
    people = [SecureClient(behind, proxy, match, one.session) for one in (ann, bob)]
    asyncio.run(play_and_leave(people))
    assert all(person.over and not person.refused for person in people)
    assert ann.get(f"/matches/{match}/").status == 200


def test_the_pages_files_arrive_compressed_and_kept(behind: Behind, proxy: Proxy) -> None:
    visitor = Visitor(behind, proxy)
    page = visitor.get("/")
    files = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.text)
    assert files
    for file in files:
        answer = visitor.get(file, {"Accept-Encoding": "br"})
        assert (answer.status, answer.headers["content-encoding"]) == (200, "br")
        assert "immutable" in answer.headers["cache-control"]


def test_the_sockets_of_a_match_go_to_one_process(behind: Behind, proxy: Proxy) -> None:
    """No table is open in both processes."""
    tables = behind.make_tables(*(wish() for _ in range(TABLES)))

    async def session() -> None:
        people = [one for table in tables for one in behind.players(proxy, table)]
        await asyncio.gather(*(person.connect() for person in people))
        for person in people:
            await person.see(lambda person=person: all_online(person))
        assert open_tables(behind) == TABLES, "a table is open in both processes"
        await asyncio.gather(*(person.close() for person in people))

    wait_for(lambda: open_tables(behind) == 0)
    asyncio.run(session())


def open_tables(behind: Behind) -> float:
    """Return the number of tables with connections, added up over the processes."""
    return sum(site.metrics()["cribbage_tables"] for site in behind.sites)


async def play_and_leave(people: list[SecureClient]) -> None:
    """Play a match to the end, and close the sockets."""
    await play_match(*people)
    await asyncio.gather(*(person.close() for person in people))


def all_online(person: SecureClient) -> bool:
    """Return whether a client has heard that both players are there."""
    return all(seat.get("online") for seat in person.table.get("seats", [{}]))


def test_a_finished_game_is_stored_as_it_was_played(behind: Behind, proxy: Proxy) -> None:
    """Three people, through the proxy; the log leads to the stored result."""
    (table,) = behind.make_tables(wish(players=3, target=61))
    people = behind.players(proxy, table)
    asyncio.run(play_and_leave(people))
    assert check_log(behind.database_url, table.pk).winner is not None
