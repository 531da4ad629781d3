"""Games played while their server is repeatedly killed, and checks of their logs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.support.clients import Client
from tests.support.logs import query, read_log, steps_of
from tests.support.servers import Site
from tests.support.tables import Table
from tests.support.waiting import wait_until

LONGEST = 500.0
"""Time limit in seconds for all games on a busy machine."""


class Bystander:
    """The clients of one match, playing through kills and recording acknowledgements."""

    def __init__(self, site: Site, table: Table, seed: int) -> None:
        self.clients = [
            Client(site.socket_url, table.match, cookie, seed=seed + at)
            for at, cookie in enumerate(table.cookies)
        ]
        self.table = table

    async def play(self, address: list[str]) -> None:
        """Play to the end, whatever happens to the server at ``address``."""
        await asyncio.gather(
            *(one.play_through(lambda: address[0], within=LONGEST) for one in self.clients)
        )

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged moves."""
        return sum(len(client.acknowledged) for client in self.clients)


async def play_through_kills(
    site: Site, games: Sequence[Bystander], kills: int, *, moves: int
) -> list[int]:
    """Play while the server is killed ``kills`` times at random moments.

    Then play on until each game has ended, or has continued after the last restart and had at
    least ``moves`` moves acknowledged in all. Return the number of moves acknowledged in each game
    after the last restart.
    """
    rng = random.Random(7)
    playing = [asyncio.create_task(game.play([site.socket_url])) for game in games]
    for _ in range(kills):
        await asyncio.sleep(rng.uniform(0.1, 0.5))
        await asyncio.to_thread(site.kill)
        await asyncio.to_thread(site.start)
    before = [game.acknowledged for game in games]
    await wait_until(
        lambda: all(
            task.done() or game.acknowledged >= max(moves, then + 1)
            for task, game, then in zip(playing, games, before, strict=True)
        ),
        within=LONGEST,
    )
    for task in playing:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return [game.acknowledged - then for game, then in zip(games, before, strict=True)]


@dataclass(frozen=True)
class Left:
    """The parts of a game that the database contains.

    Attributes:
        lost: ids of acknowledged moves that are not at the acknowledged place.
        doubled: (seat, id) of moves that are stored more than once, or were never sent.
        hands: number of finished hands in the log; ``summed``: number of their summaries.
    """

    lost: list[str]
    doubled: list[tuple[int | None, str]]
    hands: int
    summed: int


def what_is_left(url: str, game: Bystander) -> Left:
    """Read a game's log directly from the database; fail if it does not fold."""
    log = read_log(url, game.table.pk)
    lost = [
        ident
        for seat, client in enumerate(game.clients)
        for ident, version in client.acknowledged.items()
        if len(log) < version
        or (log[version - 1].client_id, log[version - 1].seat) != (ident, seat)
    ]
    named = [(row.seat, row.client_id) for row in log if row.client_id]
    sent = {ident for client in game.clients for ident in client.sent}
    doubled = [one for one in set(named) if named.count(one) > 1 or one[1] not in sent]
    steps = steps_of(url, game.table.pk)
    ended = sum(
        before.state.hand is not None and after.state.hand is None
        for before, after in pairwise(steps)
    )
    statement = "SELECT COUNT(*) FROM games_hand WHERE match_id = ?"
    ((summed,),) = query(url, statement, game.table.pk)
    return Left(lost, doubled, ended, summed)
