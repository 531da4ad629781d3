"""The longest matches that can be created: three seats, nine games, and a reload at the end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.support.clients import Client
from tests.support.played import play_elsewhere
from tests.support.servers import StartSite
from tests.support.tables import make_tables, wish


def test_a_reload_of_the_longest_match_shows_it(start_site: StartSite) -> None:
    """The view arrives and the connection stays open; earlier games come on request.

    A seat and a watcher get the same earlier games, with nothing that only one seat may know.
    """
    site = start_site()
    (table,) = make_tables(site.database_url, wish(players=3, games=9, watchers=1, watchable=True))
    play_elsewhere(site.database_url, table.match)

    async def reload(cookie: str) -> tuple[dict[str, Any], list[Any]]:
        async with Client(site.socket_url, table.match, cookie) as client:
            await client.hear_view()
            view, told = client.view, []
            for game in range(1, 9):
                await client.send("history", {"game": game}, f"g-{game}")
                answer = await client.hear_until(lambda message: message["t"] == "history")
                assert (answer["id"], answer["d"]["game"]) == (f"g-{game}", game)
                told.append(answer["d"]["events"])
            await client.send("history", {"game": 9}, "g-9")
            assert await client.refusal() == "not_offered"
            return view, told

    seat, watcher = (asyncio.run(reload(table.cookies[at])) for at in (0, -1))
    for view, told in (seat, watcher):
        assert view["game"] == 9
        assert len(view["results"]) == 9
        ends = [events[-1] for events in told]
        assert [(end["winner"], end["scores"]) for end in ends] == [
            (result["winner"], result["scores"]) for result in view["results"][:8]
        ]
    assert seat[1] == watcher[1]
    whole = len(json.dumps(seat[0])) + len(json.dumps(seat[1]))
    assert whole > 256 * 1024, "this match is too short for the test"
